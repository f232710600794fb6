import { randomBytes } from 'node:crypto';
import { writeSegment, type PackedChange, type PackedSegment } from '../../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { SavedStep, Version } from '../../../shared/domain/transcript/versions.ts';
import type { Result } from '../../../shared/result/result.ts';

/** Each part is parsed separately, so that nothing blocks for the time of all of them. */
export interface TextInParts {
  readonly head: Transcript;
  /** For `readSegments`, in UTF-8, in order. */
  readonly parts: readonly Uint8Array[];
  readonly wordCount: number;
  readonly revision: number;
}

export interface EarlierText {
  readonly ofRevision: number;
  readonly change: PackedChange;
}

/** The saved edits of a text that can be undone, in order; the last one led to `revision`. */
export interface StepsBack {
  readonly revision: number;
  readonly steps: readonly SavedStep[];
}

export interface TextsInParts {
  inParts(transcriptId: string): Promise<Result<TextInParts>>;
  steps(transcriptId: string): Promise<Result<StepsBack>>;
  versions(transcriptId: string): Promise<Result<readonly Version[]>>;
  version(transcriptId: string, revision: number): Promise<Result<EarlierText>>;
}

/** Half an hour of speech: reading, parsing and writing it in this thread takes some ten milliseconds. */
export const mostWordsReadHere = 4_000;

export const isLong = (wordCount: number): boolean => wordCount > mostWordsReadHere;

/** Letters per part: a page parses one in some five milliseconds, twice that where times must be computed. */
const lettersOfPart = 96 * 1024;

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

interface Kept {
  readonly token: string;
  readonly parts: (Uint8Array | null)[];
}

/** Each part is given once and then released; another text of the window replaces the previous one. */
export function createTextParts() {
  const byWindow = new Map<number, Kept>();
  return {
    keep(windowId: number, parts: readonly Uint8Array[]): string {
      const token = randomBytes(18).toString('base64url');
      byWindow.set(windowId, { token, parts: [...parts] });
      return token;
    },
    take(windowId: number, token: string, number: number): Uint8Array | null {
      const kept = byWindow.get(windowId);
      if (kept === undefined || kept.token !== token) return null;
      const part = kept.parts[number] ?? null;
      if (part !== null) kept.parts[number] = null;
      if (kept.parts.every((left) => left === null)) byWindow.delete(windowId);
      return part;
    },
    releaseWindow: (windowId: number): void => void byWindow.delete(windowId),
  };
}

export type TextParts = ReturnType<typeof createTextParts>;
