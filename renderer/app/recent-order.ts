interface Used {
  readonly id: string;
  readonly createdAtMs: number;
  /** Null: not yet. */
  readonly openedAtMs: number | null;
}

/**
 * Transcripts by when they were last opened, or else made, newest first. `openings`: when they were opened since the list
 * was asked for, by id.
 */
export function byLastUse<T extends Used>(
  transcripts: readonly T[],
  openings: ReadonlyMap<string, number>,
): readonly T[] {
  const usedAtMs = ({ id, createdAtMs, openedAtMs }: Used): number =>
    Math.max(createdAtMs, openedAtMs ?? 0, openings.get(id) ?? 0);
  return transcripts.toSorted((one, other) => usedAtMs(other) - usedAtMs(one));
}

/**
 * Says for each transcript whose title others have too, by its id, what tells it apart: the first of these facts that
 * differs from those of all others, or else the first of all.
 */
export function tellApart<T extends { readonly id: string; readonly title: string }>(
  transcripts: readonly T[],
  facts: readonly ((transcript: T) => string)[],
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const same of Map.groupBy(transcripts, ({ title }) => title).values()) {
    if (same.length < 2) continue;
    for (const one of same) {
      const fact = facts.find((of) => same.every((other) => other === one || of(other) !== of(one))) ?? facts[0];
      if (fact !== undefined) notes.set(one.id, fact(one));
    }
  }
  return notes;
}
