import { queryOptions, useQueryClient, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useJobsFact } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ItemRef } from '../../../shared/domain/library/library-item.ts';

/** Everything that shows transcripts is read again after one was deleted or restored. */
export const transcriptListKey = ['transcripts'] as const;

export const transcriptKey = (id: string) => ['transcript', id] as const;

/** Newest first, including those whose row has left the queue. */
export const transcriptsQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: transcriptListKey,
    queryFn: async () => (await valueOrThrow(studio.request('transcripts.list', {}))).transcripts,
    retry: false,
  });

export const libraryQuery = (studio: StudioClient) =>
  queryOptions({
    // Nested, so that deleting or restoring a transcript elsewhere refreshes the library too.
    queryKey: [...transcriptListKey, 'library'],
    queryFn: () => valueOrThrow(studio.request('library.list', {})),
    retry: false,
  });

export function useRestoreTranscript(): (transcriptId: string) => Promise<Failure | null> {
  const studio = useStudio();
  const queries = useQueryClient();
  return useCallback(
    async (transcriptId) => {
      const done = await studio.request('library.restore', { items: [{ kind: 'transcript', id: transcriptId }] });
      await queries.invalidateQueries({ queryKey: transcriptListKey });
      return done.ok ? null : done.error;
    },
    [studio, queries],
  );
}

const countDone = (jobs: readonly JobView[]) => jobs.filter(({ state }) => state.tag === 'done').length;
/** For a batch that ends file by file, the list is read in its pauses. */
const pauseMs = 500;

/** New transcripts come with titles of their own. */
export function useFreshTranscripts(): void {
  const queries = useQueryClient();
  const doneCount = useJobsFact(countDone);
  const last = useRef(doneCount);
  useEffect(() => {
    if (last.current === doneCount) return undefined;
    const timer = setTimeout(() => {
      last.current = doneCount;
      void queries.invalidateQueries({ queryKey: transcriptListKey });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [doneCount, queries]);
}

export function useKnownSpeakers() {
  const studio = useStudio();
  return useQuery({
    queryKey: [...transcriptListKey, 'speakers'],
    queryFn: async () => (await valueOrThrow(studio.request('library.speakers', {}))).speakers,
    retry: false,
  });
}

const bare = (refs: readonly ItemRef[]) => refs.map(({ kind, id }) => ({ kind, id }));

export const itemRequests = (studio: StudioClient) => ({
  trash: (refs: readonly ItemRef[]) => valueOrThrow(studio.request('library.trash', { items: bare(refs) })),
  restore: (refs: readonly ItemRef[]) => valueOrThrow(studio.request('library.restore', { items: bare(refs) })),
  rename: ({ kind, id }: ItemRef, title: string) =>
    valueOrThrow(studio.request('library.rename', { item: { kind, id }, title })),
  showRecording: (transcriptId: string) => valueOrThrow(studio.request('transcripts.showRecording', { transcriptId })),
});
