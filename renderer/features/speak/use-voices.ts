import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSpeaking, useSpeakState } from './speak-context.tsx';

const voicesQuery = (studio: StudioClient, mode: string, hasLegacyKey: boolean) =>
  queryOptions({
    queryKey: ['speak', 'voices', mode, hasLegacyKey],
    queryFn: () => valueOrThrow(studio.request('speak.voices', {})),
    retry: false,
    staleTime: 60_000,
  });

/**
 * The voices of the service, requested at most once a minute. A text without a voice gets the first of its language.
 */
export function useVoices() {
  const studio = useStudio();
  const { mode, legacyKey } = useConnection();
  const query = useQuery(voicesQuery(studio, mode, legacyKey.present));
  const { store } = useSpeaking();
  const language = useSpeakState((state) => state.document?.defaults.language);
  const voiceId = useSpeakState((state) => state.document?.defaults.voiceId);
  const recent = useSpeakState((state) => state.marks.recent);
  const { data } = query;
  useEffect(() => {
    if (data === undefined || language === undefined || voiceId !== '') return;
    const fitting = data.voices.filter(({ languages }) => languages.includes(language));
    const chosen = fitting.find(({ id }) => recent.includes(id)) ?? fitting[0];
    if (chosen !== undefined) store.setFirstVoice(chosen.id);
  }, [data, language, voiceId, recent, store]);
  return query;
}
