/** Anything with a position in the order of the queue. */
export interface Ranked {
  readonly id: string;
  /** Smaller goes first. */
  readonly rank: number;
}

/** The order of the queue: by rank, and by id where ranks are equal. */
export const byRank = (left: Ranked, right: Ranked): number =>
  left.rank - right.rank || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);

/**
 * New ranks that put `moved` (in their present order) in front of `beforeId`, or at the end when it is null. Only the
 * moved rows get a new rank as long as there is room between their neighbours; when numbers grow too fine, all rows get
 * whole numbers. Ids that are not in `rows` are ignored; a target that is itself moved counts as the first row after
 * the moved ones.
 */
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
