import { useCallback } from 'react';
import { requestIdentity, type SpeechRequest } from '../../../shared/domain/speech/blocks.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useSpeaking } from './speak-context.tsx';

/** Speaks a sentence with a voice, beside the text. It is a content like any other: the second time costs nothing. */
export function usePreview(): (voiceId: string, language: SpeechRequest['language'], text: string) => void {
  const t = useText();
  const studio = useStudio();
  const words = useFailureWords();
  const showToast = useToast();
  const { store, side, player } = useSpeaking();
  return useCallback(
    (voiceId, language, text) => {
      const request = { voiceId, language, text, speed: 1 };
      const blockId = `voice:${voiceId}`;
      const known = store.getState().byIdentity.get(requestIdentity(request));
      if (player.getState().status === 'playing') player.pause();
      side.start([{ id: blockId, url: known?.state === 'made' ? known.mediaUrl : null, pauseMs: 0 }]);
      if (known?.state === 'made') return;
      const tell = (text: string) => {
        side.stop();
        showToast({ text: `${t('speak.actionFailed')}. ${text}` });
      };
      const order = async () => {
        const opened = await studio.open('speak.generate', {
          orders: [{ blockId, request }],
          isNewTake: false,
          sendsAgain: false,
        });
        if (!opened.ok) {
          tell(words(opened.error).text);
          return;
        }
        for await (const message of opened.value.incoming) {
          if (message.kind === 'sound') side.push(blockId, message.pcm);
          if (message.kind === 'failed') tell(words(message.failure).text);
          if (message.kind !== 'made') continue;
          store.addTakes([message.take]);
          side.finish(blockId, message.take.mediaUrl);
        }
        side.finish(blockId, null);
      };
      void order();
    },
    [studio, store, side, player, words, showToast, t],
  );
}
