import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';

/** What is known of a file before it is sent. */
export interface FileSize {
  readonly sizeBytes: number;
  /** Milliseconds; null when the header does not tell. */
  readonly durationMs: number | null;
}

interface GivenFile extends FileSize {
  /** A hand gave it: it may be sent once without another gesture, however long it took to look into it. */
  isGiven: boolean;
}

const mostFiles = 60_000;

/** What the tokens of files stand for as to cost: how long they are, and whether a person has just given them. */
export function createGivenFiles() {
  const files = new Map<string, GivenFile>();
  return {
    note(token: string, size: FileSize, isGiven: boolean): void {
      const [oldest] = files.keys();
      if (files.size >= mostFiles && oldest !== undefined) files.delete(oldest);
      files.set(token, { ...size, isGiven });
    },
    /** True when a hand gave every one of them and none was sent yet; they are used up by it. */
    takeAll(tokens: readonly string[]): boolean {
      const known = tokens.map((token) => files.get(token));
      if (tokens.length === 0 || new Set(tokens).size < tokens.length || !known.every((file) => file?.isGiven === true))
        return false;
      for (const file of known) if (file !== undefined) file.isGiven = false;
      return true;
    },
    /** Milliseconds of sound; judged by size where the header does not tell. Null: nothing is known of it. */
    lengthOf(token: string): { readonly ms: number; readonly isRough: boolean } | null {
      const file = files.get(token);
      if (file === undefined) return null;
      return file.durationMs === null
        ? { ms: lengthBySize(file.sizeBytes), isRough: true }
        : { ms: file.durationMs, isRough: false };
    },
  };
}

export type GivenFiles = ReturnType<typeof createGivenFiles>;
