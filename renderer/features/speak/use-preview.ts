import { useEffect } from 'react';
import { requestIdentity, type SpeechRequest } from '../../../shared/domain/speech/blocks.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { SpeechVoice } from '../../../shared/domain/speech/voices.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useSpeaking, useSpeakState } from './speak-context.tsx';
import { useVoices } from './use-voices.ts';

export interface Preview {
  readonly voiceId: string;
  readonly language: SpeechRequest['language'];
  readonly text: string;
}

export const requestOfPreview = ({ voiceId, language, text }: Preview): SpeechRequest => ({
  voiceId,
  language,
  text,
  speed: 1,
});

export const previewId = (voiceId: string): string => `voice:${voiceId}`;

/** Voices speak a sentence, one after another, independently of the text. Like any content, each is paid for once. */
export function usePreview(): (previews: readonly Preview[]) => void {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const { store, side, player } = useSpeaking();
  const { mode } = useConnection();
  const { data } = useVoices();
  const isMute = modeOf(mode).isOnThisComputer && data?.canSpeak === false;
  const showFailure = (failure: Failure) => showToast({ text: `${t('speak.actionFailed')}. ${words(failure).text}` });
  const order = async (missing: readonly { readonly blockId: string; readonly request: SpeechRequest }[]) => {
    const left = new Set(missing.map(({ blockId }) => blockId));
    const opened = await studio.open('speak.generate', {
      orders: missing.map(({ blockId, request }) => ({ blockId, request })),
      isNewTake: false,
      sendsAgain: false,
    });
    if (opened.ok)
      for await (const message of opened.value.incoming) {
        const { blockId } = message;
        if (message.kind === 'sound') side.push(blockId, message.pcm);
        if (message.kind === 'failed') {
          showFailure(message.failure);
          side.finish(blockId, null);
        }
        if (message.kind !== 'made') continue;
        left.delete(blockId);
        store.addTakes([message.take]);
        side.finish(blockId, message.take.mediaUrl);
      }
    else showFailure(opened.error);
    for (const blockId of left) side.finish(blockId, null);
  };
  return (previews) => {
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
    if (missing.length > 0) void order(missing);
  };
}

/** The same sentence for every voice of a language, so that they can be compared. */
const samples: Readonly<Record<SpeechLanguage, string>> = {
  uz: 'Assalomu alaykum. Bu ovoz shunday eshitiladi.',
  ru: 'Здравствуйте. Так звучит этот голос.',
  en: 'Hello. This is how this voice sounds.',
};
export const sampleOf = (language: SpeechLanguage): string => samples[language];

/** The language of a voice's preview: the first of its own for which we have a sentence. */
export const languageOf = ({ languages }: Pick<SpeechVoice, 'languages'>): SpeechLanguage =>
  speechLanguages.find((language) => languages.includes(language)) ?? 'en';

export const sampleFor = (voice: Pick<SpeechVoice, 'id' | 'languages'>): Preview => {
  const language = languageOf(voice);
  return { voiceId: voice.id, language, text: sampleOf(language) };
};

export function useKnownPreviews(previews: readonly Preview[]): void {
  const studio = useStudio();
  const { store } = useSpeaking();
  const wanted = JSON.stringify(previews);
  useEffect(() => {
    const requests = (JSON.parse(wanted) as readonly Preview[]).map(requestOfPreview);
    if (requests.length === 0) return;
    void studio.request('speak.findTakes', { requests }).then((found) => {
      if (found.ok) store.addTakes(found.value.takes);
    });
  }, [studio, store, wanted]);
}

export const useIsHeard = (preview: Preview): boolean =>
  useSpeakState((state) => state.byIdentity.get(requestIdentity(requestOfPreview(preview)))?.state === 'made');
