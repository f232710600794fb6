import { byRank, type Ranked } from '../../../shared/domain/jobs/rank.ts';

/** Rows waiting for an upload slot, in order; positions are found by binary search. */
export class RankedQueue {
  readonly #rows: Ranked[] = [];
  readonly #ranks = new Map<string, number>();

  get size(): number {
    return this.#rows.length;
  }

  has(id: string): boolean {
    return this.#ranks.has(id);
  }

  /** Inserts a row by its rank, or moves it there. */
  put(row: Ranked): void {
    if (this.#ranks.get(row.id) === row.rank) return;
    this.delete(row.id);
    this.#rows.splice(this.#indexOf(row), 0, { id: row.id, rank: row.rank });
    this.#ranks.set(row.id, row.rank);
  }

  delete(id: string): void {
    const rank = this.#ranks.get(id);
    if (rank === undefined) return;
    this.#rows.splice(this.#indexOf({ id, rank }), 1);
    this.#ranks.delete(id);
  }

  /** Position in the queue, from 1; 0 when it is not waiting. */
  placeOf(id: string): number {
    const rank = this.#ranks.get(id);
    return rank === undefined ? 0 : this.#indexOf({ id, rank }) + 1;
  }

  /** The first `count` ids. */
  first(count: number): readonly string[] {
    return this.#rows.slice(0, count).map(({ id }) => id);
  }

  /** A snapshot of all ids; later changes do not affect the caller's iteration. */
  ids(): readonly string[] {
    return this.#rows.map(({ id }) => id);
  }

  /** The first index whose row does not come before this one. */
  #indexOf(row: Ranked): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#rows[middle];
      if (other !== undefined && byRank(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
