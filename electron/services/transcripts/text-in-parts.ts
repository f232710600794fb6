import type { PackedChange, PackedSegment } from '../../../shared/domain/transcript/packed.ts';
import type { Version } from '../../../shared/domain/transcript/versions.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../../shared/result/result.ts';

/** A long text as it goes to whoever shows it: each part is read by itself, so that nobody is held up by all of them. */
export interface TextInParts {
  /** Without segments. */
  readonly head: Transcript;
  /** `PackedSegment[]` as JSON in UTF-8, in order. */
  readonly parts: readonly Uint8Array[];
  readonly wordCount: number;
  /** The revision of the text that all of this is of. */
  readonly revision: number;
}

/** An earlier version: what makes it of the text at `ofRevision`. */
export interface EarlierText {
  readonly ofRevision: number;
  readonly change: PackedChange;
}

/** Reads long texts where they hold up nothing. Never throws; failures are those of `LongWriter`. */
export interface TextsInParts {
  inParts(transcriptId: string): Promise<Result<TextInParts>>;
  /** Newest first; the first result is always the last of them. */
  versions(transcriptId: string): Promise<Result<readonly Version[]>>;
  /** E-040 when there is no such revision. */
  version(transcriptId: string, revision: number): Promise<Result<EarlierText>>;
}

/** Half an hour of speech: read, understood and written where everything else happens in some ten milliseconds. */
export const mostWordsReadHere = 4_000;

/** Whether a text of so many words is read and written in a thread. */
export const isLong = (wordCount: number): boolean => wordCount > mostWordsReadHere;

/** Letters of a part: a page reads one in some five milliseconds, twice that where times are to be worked out. */
const lettersOfPart = 96 * 1024;

/** Parts of a text in their order, each some hundred kilobytes of whole segments. */
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
    const text = JSON.stringify(segment);
    written.push(text);
    letters += text.length;
    if (letters >= lettersOfPart) finish();
  }
  finish();
  return parts;
}
