import { unpackSegment, type PackedSegment } from '../../shared/domain/transcript/packed.ts';
import type { Segment } from '../../shared/domain/transcript/transcript.ts';
import type { TranscriptDetail } from '../../shared/ipc/schemas.ts';
import { valueOrThrow } from './request-error.ts';
import type { StudioClient } from './client.ts';

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
