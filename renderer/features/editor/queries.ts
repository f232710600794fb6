import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { readSegments } from '../../../shared/domain/transcript/packed.ts';
import type { Segment } from '../../../shared/domain/transcript/transcript.ts';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { transcriptKey } from '../../parts/transcripts/transcripts-query.ts';
import { beginPeaks, type Recording } from '../../audio/load-peaks.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useEditor } from './editor-context.ts';

/** Saves under way to main, by the id of their transcript. */
export const savesUnderWay = new Map<string, Promise<void>>();

/** The transcript from main; nothing else of this feature caches it under another key. */
export const transcriptQuery = (studio: StudioClient, transcriptId: string) =>
  queryOptions({
    queryKey: transcriptKey(transcriptId),
    queryFn: async ({ signal }) => {
      // The last typed text must be there when the same transcript is reopened at once.
      await savesUnderWay.get(transcriptId);
      return openTranscript(studio, transcriptId, signal);
    },
    // Every opening gets a new address of the recording, and finds a moved recording again.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Changes what is known of an opened transcript. */
export function useChangeDetail(transcriptId: string) {
  const { queryKey } = transcriptQuery(useStudio(), transcriptId);
  const queries = useQueryClient();
  return (change: Partial<TranscriptDetail>) =>
    queries.setQueryData(queryKey, (known) => known && { ...known, ...change });
}

export const waveformOf = ({ mediaUrl, transcript }: TranscriptDetail): Recording | null =>
  mediaUrl === null ? null : { url: mediaUrl, expectedMs: transcript.durationMs };

/** A long one comes in parts, so that neither main nor this page is blocked for longer than one part. */
export async function openTranscript(studio: StudioClient, transcriptId: string, signal: AbortSignal) {
  const detail = await valueOrThrow(studio.request('transcripts.open', { transcriptId }));
  signal.throwIfAborted();
  const { rest } = detail;
  const waveform = waveformOf(detail);
  // While the text is read on and rendered.
  const forgetPeaks = waveform === null ? null : beginPeaks(waveform);
  if (rest === null) return detail;
  const segments: Segment[] = [];
  try {
    for (let part = 0; part < rest.partCount; part += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one part at a time is what it is cut for
      const read = await valueOrThrow(studio.request('transcripts.readOn', { token: rest.token, part }));
      signal.throwIfAborted();
      for (const segment of readSegments(read.segments)) segments.push(segment);
    }
  } catch (error) {
    // The next transcript may have begun its own.
    forgetPeaks?.();
    throw error;
  }
  return { ...detail, transcript: { ...detail.transcript, segments }, rest: null };
}

const lookEveryMs = 3_000;

export function useSync() {
  const studio = useStudio();
  const { detail } = useEditor();
  const { syncsEdits } = useSettings();
  return useQuery({
    queryKey: ['sync', detail.id, syncsEdits],
    queryFn: () => valueOrThrow(studio.request('transcripts.sync', { transcriptId: detail.id, sends: false })),
    refetchInterval: syncsEdits ? lookEveryMs : false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
