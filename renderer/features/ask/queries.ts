import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Asked } from '../../bridge/types.ts';
import { transcriptListKey } from '../../parts/transcripts/transcripts-query.ts';

const askKey = ['ask'] as const;

// Under the query key of transcripts, because the library can rename, trash and restore them.
export const conversationsQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: [...transcriptListKey, 'conversations'],
    queryFn: async () => (await valueOrThrow(studio.request('ask.conversations', {}))).conversations,
    retry: false,
  });

export const conversationQuery = (studio: StudioClient, conversationId: string) =>
  queryOptions({
    queryKey: [...transcriptListKey, 'conversation', conversationId],
    queryFn: () => valueOrThrow(studio.request('ask.open', { conversationId })),
    retry: false,
  });

const againAfterMs = 3000;

/** The models available in this mode with this key. */
export function useModels() {
  const studio = useStudio();
  const { mode, key, serviceAddress, practice, isOnline } = useConnection();
  return useQuery({
    queryKey: [...askKey, 'models', mode, key.maskedSuffix, serviceAddress, practice, isOnline],
    queryFn: async () => (await valueOrThrow(studio.request('ask.models', {}))).models,
    enabled: modeOf(mode).isOnThisComputer || (key.present && isOnline),
    staleTime: 5 * 60_000,
    // A service that is starting or briefly unavailable is asked again automatically.
    refetchInterval: ({ state }) => (state.data === undefined || state.data.length === 0 ? againAfterMs : false),
    retry: false,
  });
}

const typingPauseMs = 300;

/** What would be asked, once typing has paused. */
function useSettled(asked: Asked | null): Asked | null {
  const [settled, setSettled] = useState(asked);
  const text = JSON.stringify(asked);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(JSON.parse(text) as Asked | null);
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return settled;
}

/** The maximum cost of the question, once typing has paused. */
export function useEstimate(asked: Asked | null) {
  const studio = useStudio();
  const settled = useSettled(asked);
  return useQuery({ ...estimateQuery(studio, settled!), enabled: settled !== null, placeholderData: keepPreviousData });
}

/** The maximum cost of each task with these words and sources, in credits as decimal text; empty while not wanted. */
export function useTaskCosts(asked: Asked | null, tasks: readonly AskTask[]): ReadonlyMap<AskTask, string> {
  const studio = useStudio();
  const settled = useSettled(asked);
  const wanted = settled === null ? [] : tasks;
  const found = useQueries({ queries: wanted.map((task) => estimateQuery(studio, { ...settled!, task })) });
  return new Map(
    wanted.flatMap((task, at) => (found[at]?.data?.credits == null ? [] : [[task, found[at].data.credits]])),
  );
}

const estimateQuery = (studio: StudioClient, asked: Asked) =>
  queryOptions({
    queryKey: [...askKey, 'estimate', asked],
    queryFn: () => valueOrThrow(studio.request('ask.estimate', asked)),
    gcTime: 10_000,
    retry: false,
  });
