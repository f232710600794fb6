import { findOldRows } from '../../../shared/domain/jobs/old-rows.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { Library } from '../library/library.ts';

type QueueAndTexts = Pick<Library, 'jobs' | 'deletion'>;

/** Rows and the texts that came of them. */
export interface RowCount {
  readonly rowCount: number;
  readonly textCount: number;
}

export interface OldRowsOptions {
  /** The open library, or why there is none. */
  readonly library: () => Promise<Result<QueueAndTexts>>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface Removal {
  readonly owner: QueueAndTexts;
  readonly rowIds: readonly string[];
  readonly textIds: readonly string[];
}

/** Rows of the queue that ended long ago: counted, removed, and restored. */
export function createOldRows({ library, now }: OldRowsOptions) {
  let last: Removal | null = null;
  const find = ({ jobs, deletion }: QueueAndTexts, days: number) => {
    const { jobIds, transcriptIds } = findOldRows(jobs.list().jobs, days, now());
    return { jobIds, transcriptIds: transcriptIds.filter((id) => !deletion.isGone(id)) };
  };
  return {
    async count(days: number): Promise<Result<RowCount>> {
      const opened = await library();
      if (!opened.ok) return opened;
      const { jobIds, transcriptIds } = find(opened.value, days);
      return ok({ rowCount: jobIds.length, textCount: transcriptIds.length });
    },

    /**
     * With `withTexts` the texts are deleted for good in one request, with `atService` at the service too; without it
     * they stay.
     */
    async remove(days: number, withTexts: boolean, atService: boolean): Promise<Result<RowCount>> {
      const opened = await library();
      if (!opened.ok) return opened;
      const { jobs, deletion } = opened.value;
      const { jobIds, transcriptIds } = find(opened.value, days);
      const textIds = withTexts ? transcriptIds : [];
      if (textIds.length > 0) {
        const deleted = await deletion.removeAll(textIds, atService);
        if (!deleted.ok) return deleted;
      }
      // Rows of deleted texts have left the list together with them.
      const listed = new Set(jobs.list().jobs.map(({ id }) => id));
      const rowIds = jobIds.filter((id) => listed.has(id));
      const removed = rowIds.length === 0 ? ok(null) : await jobs.act(rowIds, 'remove');
      last = { owner: opened.value, rowIds: removed.ok ? rowIds : [], textIds };
      return removed.ok ? ok({ rowCount: jobIds.length, textCount: textIds.length }) : removed;
    },

    /** How many rows were restored; none when another library is open by now. */
    async restore(): Promise<Result<number>> {
      const opened = await library();
      if (!opened.ok) return opened;
      const wanted = last;
      last = null;
      if (wanted === null || wanted.owner !== opened.value) return ok(0);
      const { jobs, deletion } = opened.value;
      const texts = await deletion.restoreAll(wanted.textIds);
      if (!texts.ok) return texts;
      await jobs.bringBack(wanted.rowIds);
      return ok(texts.value + wanted.rowIds.length);
    },
  };
}

export type OldRowsService = ReturnType<typeof createOldRows>;
