interface Used {
  readonly createdAtMs: number;
  /** Null: not yet. */
  readonly openedAtMs: number | null;
}

const usedAtMs = ({ createdAtMs, openedAtMs }: Used): number => Math.max(createdAtMs, openedAtMs ?? 0);

/** Transcripts by when they were last opened, or else made, newest first. */
export const byLastUse = <T extends Used>(transcripts: readonly T[]): readonly T[] =>
  transcripts.toSorted((one, other) => usedAtMs(other) - usedAtMs(one));
