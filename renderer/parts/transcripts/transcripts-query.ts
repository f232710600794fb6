import { queryOptions } from '@tanstack/react-query';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';

/** Everything that shows transcripts asks again after one was deleted or came back. */
export const transcriptListKey = ['transcripts'] as const;

/** All transcripts of the open library, the newest first: those whose row is no longer in the queue too. */
export const transcriptsQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: transcriptListKey,
    queryFn: async () => (await valueOrThrow(studio.request('transcripts.list', {}))).transcripts,
    retry: false,
  });
