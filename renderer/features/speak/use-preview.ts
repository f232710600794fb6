import { useCallback } from 'react';
import { requestIdentity, type SpeechRequest } from '../../../shared/domain/speech/blocks.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useSpeaking } from './speak-context.tsx';
import { useVoices } from './use-voices.ts';

export interface Preview {
  readonly voiceId: string;
  readonly language: SpeechRequest['language'];
  readonly text: string;
}

/** The request of a preview; the second time it is free. */
export const requestOfPreview = ({ voiceId, language, text }: Preview): SpeechRequest => ({
  voiceId,
  language,
  text,
  speed: 1,
});

/** The player's id for the preview of a voice. */
export const previewId = (voiceId: string): string => `voice:${voiceId}`;

/** Voices speak a sentence, one after another, independently of the text. Like any content, each is paid for once. */
export function usePreview(): (previews: readonly Preview[]) => void {
  const t = useText();
  const studio = useStudio();
  const words = useFailureWords();
  const showToast = useToast();
  const { store, side, player } = useSpeaking();
  const { mode } = useConnection();
  const { data } = useVoices();
  const isMute = modeOf(mode).isOnThisComputer && data?.canSpeak === false;
  return useCallback(
    (previews) => {
      const wanted = previews.map((preview) => {
        const request = requestOfPreview(preview);
        const known = store.getState().byIdentity.get(requestIdentity(request));
        const url = known?.state === 'made' ? known.mediaUrl : null;
        return { blockId: previewId(preview.voiceId), request, url };
      });
      const missing = wanted.filter(({ url }) => url === null);
      if (isMute && missing.length > 0) {
        showToast({ text: t('speak.noSpeech') });
        return;
      }
      if (player.getState().status === 'playing') player.pause();
      side.start(wanted.map(({ blockId, url }) => ({ id: blockId, url, pauseMs: previews.length > 1 ? 500 : 0 })));
      if (missing.length === 0) return;
      const showNotice = (text: string) => {
        showToast({ text: `${t('speak.actionFailed')}. ${text}` });
      };
      const left = new Set(missing.map(({ blockId }) => blockId));
      const endAll = () => {
        for (const blockId of left) side.finish(blockId, null);
      };
      const order = async () => {
        const opened = await studio.open('speak.generate', {
          orders: missing.map(({ blockId, request }) => ({ blockId, request })),
          isNewTake: false,
          sendsAgain: false,
        });
        if (!opened.ok) {
          showNotice(words(opened.error).text);
          endAll();
          return;
        }
        for await (const message of opened.value.incoming) {
          const { blockId } = message;
          if (message.kind === 'sound') side.push(blockId, message.pcm);
          if (message.kind === 'failed') {
            showNotice(words(message.failure).text);
            side.finish(blockId, null);
          }
          if (message.kind !== 'made') continue;
          left.delete(blockId);
          store.addTakes([message.take]);
          side.finish(blockId, message.take.mediaUrl);
        }
        endAll();
      };
      void order();
    },
    [studio, store, side, player, words, showToast, t, isMute],
  );
}
