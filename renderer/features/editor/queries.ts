import { queryOptions } from '@tanstack/react-query';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { type PackedSegment, unpackSegment } from '../../../shared/domain/transcript/packed.ts';
import type { Segment } from '../../../shared/domain/transcript/transcript.ts';
import type { TranscriptDetail } from '../../bridge/types.ts';

/** Edits that are on their way to main, by the id of their transcript. */
export const savesUnderWay = new Map<string, Promise<void>>();

/** The transcript as main keeps it; nothing else of this feature is cached under another key for it. */
export const transcriptQuery = (studio: StudioClient, transcriptId: string) =>
  queryOptions({
    queryKey: ['transcript', transcriptId],
    queryFn: async () => {
      // What was typed last has to be there when the same text is opened again at once.
      await savesUnderWay.get(transcriptId);
      return openTranscript(studio, transcriptId);
    },
    // The address of the recording is issued anew by every opening, and a moved recording is found again.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** What is wrong with the captions of an export; only for formats that have captions. */
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

/** The beginning of an export, for the preview. */
export const exportQuery = (
  studio: StudioClient,
  transcriptId: string,
  format: ExportFormat,
  options: GivenOptions,
  source: 'studio' | 'service',
) =>
  queryOptions({
    queryKey: ['export', transcriptId, format, options, source],
    queryFn: () =>
      valueOrThrow(
        studio.request('exports.render', {
          transcriptId,
          format,
          options: { ...options },
          source,
          part: 'beginning',
        }),
      ),
    // While options change, what was shown stays until the new beginning is there; another format begins anew.
    placeholderData: (shown, query) => (query?.queryKey[2] === format ? shown : undefined),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/**
 * A transcript with all of its segments. Those of a long one come in parts, one after another, so that neither main nor
 * this page is held up by more than one of them.
 */
export async function openTranscript(studio: StudioClient, transcriptId: string): Promise<TranscriptDetail> {
  const detail = await valueOrThrow(studio.request('transcripts.open', { transcriptId }));
  const { rest } = detail;
  if (rest === null) return detail;
  const segments: Segment[] = [];
  for (let part = 0; part < rest.partCount; part += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one part at a time is what it is cut for
    const read = await valueOrThrow(studio.request('transcripts.readOn', { token: rest.token, part }));
    // Written by main from what it has checked.
    for (const segment of JSON.parse(read.segments) as readonly PackedSegment[]) segments.push(unpackSegment(segment));
  }
  return { ...detail, transcript: { ...detail.transcript, segments }, rest: null };
}
