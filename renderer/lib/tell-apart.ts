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
