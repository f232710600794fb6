export interface Ranked {
  readonly id: string;
  readonly rank: number;
}

export const byRank = (left: Ranked, right: Ranked): number =>
  left.rank - right.rank || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);

/** New ranks before `beforeId`, or at the end for null; all rows are numbered anew when there is no room. */
export function moveBefore(
  rows: readonly Ranked[],
  moved: ReadonlySet<string>,
  beforeId: string | null,
): readonly Ranked[] {
  const sorted = rows.toSorted(byRank);
  const going = sorted.filter(({ id }) => moved.has(id));
  if (going.length === 0) return [];
  const target = beforeId === null ? sorted.length : sorted.findIndex(({ id }) => id === beforeId);
  const isStaying = ({ id }: Ranked) => !moved.has(id);
  const front = sorted.slice(0, target === -1 ? sorted.length : target).filter(isStaying);
  const back = sorted.slice(target === -1 ? sorted.length : target).filter(isStaying);
  const low = front.at(-1)?.rank;
  const high = back[0]?.rank;
  const from = low ?? (high ?? 0) - going.length - 1;
  const to = high ?? from + going.length + 1;
  const step = (to - from) / (going.length + 1);
  const fine = going.map(({ id, rank: before }, index) => ({ id, before, rank: from + step * (index + 1) }));
  const all = [from, ...fine.map(({ rank }) => rank), to];
  const hasRoom = all.every((rank, index) => index === 0 || rank > (all[index - 1] ?? rank));
  if (hasRoom) return fine.flatMap(({ id, before, rank }) => (rank === before ? [] : [{ id, rank }]));
  return [...front, ...going, ...back].map(({ id }, index) => ({ id, rank: index + 1 }));
}
