interface Used {
  readonly id: string;
  readonly createdAtMs: number;
  readonly openedAtMs: number | null;
}

/** `openings`: when transcripts were opened since the list was asked for, by id. */
export function byLastUse<T extends Used>(
  transcripts: readonly T[],
  openings: ReadonlyMap<string, number>,
): readonly T[] {
  const usedAtMs = ({ id, createdAtMs, openedAtMs }: Used): number =>
    Math.max(createdAtMs, openedAtMs ?? 0, openings.get(id) ?? 0);
  return transcripts.toSorted((one, other) => usedAtMs(other) - usedAtMs(one));
}

/** For titles that several share: the first fact that differs from all others, or else the first. */
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
