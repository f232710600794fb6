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
