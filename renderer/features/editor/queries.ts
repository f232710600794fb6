import { queryOptions } from '@tanstack/react-query';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { readSegments } from '../../../shared/domain/transcript/packed.ts';
import type { Segment } from '../../../shared/domain/transcript/transcript.ts';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { transcriptKey } from '../../parts/transcripts/transcripts-query.ts';
import { beginPeaks, type Recording } from '../../audio/load-peaks.ts';

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

/** The problems of an export's captions; only for formats that have captions. */
export const checkQuery = (
  studio: StudioClient,
  transcriptId: string,
  format: ExportFormat,
  options: GivenOptions,
  isWanted: boolean,
) =>
  queryOptions({
    queryKey: ['export-check', transcriptId, format, options],
    queryFn: () =>
      valueOrThrow(
        studio.request('exports.check', { transcriptId, format, options: { ...options }, source: 'studio' }),
      ),
    placeholderData: (shown, query) => (query?.queryKey[2] === format ? shown : undefined),
    enabled: isWanted,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** An export or its beginning, for the preview. */
export const exportQuery = (
  studio: StudioClient,
  transcriptId: string,
  format: ExportFormat,
  options: GivenOptions,
  source: 'studio' | 'service',
  part: 'beginning' | 'all' = 'beginning',
) =>
  queryOptions({
    queryKey: ['export', transcriptId, format, options, source, part],
    queryFn: () =>
      valueOrThrow(
        studio.request('exports.render', {
          transcriptId,
          format,
          options: { ...options },
          source,
          part,
        }),
      ),
    // While options change, the old preview stays until the new one is there; another format starts empty.
    placeholderData: (shown, query) => (query?.queryKey[2] === format ? shown : undefined),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** What the waveform of a transcript is read from. */
export const waveformOf = (
  studio: StudioClient,
  { mediaUrl, mediaToken, transcript }: TranscriptDetail,
): Recording | null =>
  mediaUrl === null
    ? null
    : {
        url: mediaUrl,
        expectedMs: transcript.durationMs,
        keep: (peaks) => {
          // A failed write to the cache only means that it is computed again next time.
          if (mediaToken !== null) void studio.request('peaks.store', { mediaToken, peaks });
        },
      };

/**
 * A transcript with all of its segments. Those of a long one come in parts, so that neither main nor this page is
 * blocked for longer than one part takes. `signal`: it was left before all of them are there.
 */
export async function openTranscript(
  studio: StudioClient,
  transcriptId: string,
  signal: AbortSignal,
): Promise<TranscriptDetail> {
  const detail = await valueOrThrow(studio.request('transcripts.open', { transcriptId }));
  signal.throwIfAborted();
  const { rest } = detail;
  const waveform = waveformOf(studio, detail);
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
