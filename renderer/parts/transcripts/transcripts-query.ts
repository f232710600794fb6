import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useJobsFact } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Failure } from '../../../shared/result/failure.ts';

/** Everything that shows transcripts is read again after one was deleted or restored. */
export const transcriptListKey = ['transcripts'] as const;

/** One transcript as it is open in the editor. */
export const transcriptKey = (id: string) => ['transcript', id] as const;

/** All transcripts of the open library, newest first, including those whose row has left the queue. */
export const transcriptsQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: transcriptListKey,
    queryFn: async () => (await valueOrThrow(studio.request('transcripts.list', {}))).transcripts,
    retry: false,
  });

/** All items of the library with its folders and tags. */
export const libraryQuery = (studio: StudioClient) =>
  queryOptions({
    // Nested under the key of transcripts, so that deleting or restoring one elsewhere refreshes the library too.
    queryKey: [...transcriptListKey, 'library'],
    queryFn: () => valueOrThrow(studio.request('library.list', {})),
    retry: false,
  });

/** Restores a transcript from the trash; resolves with the failure, or null. */
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

/** Reads transcripts again when work is done, because new ones come with titles of their own. */
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
    return () => {
      clearTimeout(timer);
    };
  }, [doneCount, queries]);
}
