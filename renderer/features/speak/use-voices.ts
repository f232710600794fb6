import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent } from 'react';
import { listLegacyVoices } from '../../../shared/domain/speech/voices.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import type { StudioClient } from '../../bridge/client.ts';
import type { ConnectionState, ListedVoices } from '../../bridge/types.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useText } from '../../lib/text.ts';
import { useSpeaking, useSpeakState } from './speak-context.tsx';

const voicesQuery = (studio: StudioClient, { mode, key }: ConnectionState) =>
  queryOptions({
    queryKey: ['speak', 'voices', mode, key.maskedSuffix],
    queryFn: () => valueOrThrow(studio.request('speak.voices', {})),
    retry: false,
    staleTime: 60_000,
  });

/** Whether there is a voice to speak with; null: not known yet. Asks only where it matters. */
export function useCanSpeak(isAsked: boolean): boolean | null {
  const { data, isError } = useQuery({ ...voicesQuery(useStudio(), useConnection()), enabled: isAsked });
  return isError ? false : (data?.canSpeak ?? null);
}

const againAfterMs = 3000;

export function useReachedAgain(isAwaited: boolean, onReached: () => void): void {
  const studio = useStudio();
  const queries = useQueryClient();
  const connection = useConnection();
  const ask = useEffectEvent(async () => {
    const listed = await queries.fetchQuery({ ...voicesQuery(studio, connection), staleTime: 0 }).catch(() => null);
    if (listed !== null && listed.failure === null) onReached();
  });
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setInterval(() => void ask(), againAfterMs);
    return () => clearInterval(timer);
  }, [isAwaited]);
}

/** A text without a voice gets the first of its language. */
export function useVoices() {
  const studio = useStudio();
  const connection = useConnection();
  const t = useText();
  const hasLegacyKey = connection.legacyKey.present;
  const query = useQuery({
    ...voicesQuery(studio, connection),
    select: useCallback(
      (listed: ListedVoices) => ({
        ...listed,
        voices: [...listed.voices, ...(hasLegacyKey ? listLegacyVoices((key) => t(`speak.legacyVoices.${key}`)) : [])],
      }),
      [t, hasLegacyKey],
    ),
  });
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
