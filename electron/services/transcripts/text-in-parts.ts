import { writeSegment, type PackedChange, type PackedSegment } from '../../../shared/domain/transcript/packed.ts';
import type { Version } from '../../../shared/domain/transcript/versions.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../../shared/result/result.ts';

/**
 * A long text on its way to a window: each part is parsed separately, so that nothing blocks for the time of all of
 * them.
 */
export interface TextInParts {
  /** Without segments. */
  readonly head: Transcript;
  /** For `readSegments`, in UTF-8, in order. */
  readonly parts: readonly Uint8Array[];
  readonly wordCount: number;
  /** The revision of the text that all parts have. */
  readonly revision: number;
}

/** An earlier version: the difference to the text at `ofRevision`. */
export interface EarlierText {
  readonly ofRevision: number;
  readonly change: PackedChange;
}

/** Reads long texts without blocking. Never throws; failures are those of `LongWriter`. */
export interface TextsInParts {
  inParts(transcriptId: string): Promise<Result<TextInParts>>;
  /** Newest first; the first result is always the last of them. */
  versions(transcriptId: string): Promise<Result<readonly Version[]>>;
  /** E-040 when there is no such revision. */
  version(transcriptId: string, revision: number): Promise<Result<EarlierText>>;
}

/** Half an hour of speech: reading, parsing and writing it in this thread takes some ten milliseconds. */
export const mostWordsReadHere = 4_000;

/** Whether a text with this many words is read and written in a thread. */
export const isLong = (wordCount: number): boolean => wordCount > mostWordsReadHere;

/** Letters per part: a page parses one in some five milliseconds, twice that where times must be computed. */
const lettersOfPart = 96 * 1024;

/** Cuts a text into parts, in order, each some hundred kilobytes of whole segments. */
export function cutIntoParts(segments: readonly PackedSegment[]): readonly Uint8Array[] {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let written: string[] = [];
  let letters = 0;
  const finish = () => {
    if (written.length > 0) parts.push(encoder.encode(`[${written.join(',')}]`));
    written = [];
    letters = 0;
  };
  for (const segment of segments) {
    const text = writeSegment(segment);
    written.push(text);
    letters += text.length;
    if (letters >= lettersOfPart) finish();
  }
  finish();
  return parts;
}
