import { useEffect } from 'react';
import { requestIdentity } from '../../../../shared/domain/speech/blocks.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { sampleOf } from '../ui/voice-row.tsx';
import { requestOfPreview, type Preview } from '../use-preview.ts';

/** The language of a voice's preview: the first of its own for which we have a sentence. */
export const languageOf = ({ languages }: Pick<SpeechVoice, 'languages'>): SpeechLanguage =>
  speechLanguages.find((language) => languages.includes(language)) ?? 'en';

export const sampleFor = (voice: Pick<SpeechVoice, 'id' | 'languages'>): Preview => {
  const language = languageOf(voice);
  return { voiceId: voice.id, language, text: sampleOf(language) };
};

/** Finds out which of these were played before, to distinguish free previews from charged ones. */
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

/** Whether this was played before, and is free. */
export const useIsHeard = (preview: Preview): boolean =>
  useSpeakState((state) => state.byIdentity.get(requestIdentity(requestOfPreview(preview)))?.state === 'made');
