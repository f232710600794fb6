import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { applyJobsChange, type JobsSnapshot } from './jobs-snapshot.ts';

const job = (id: string, seq: number): JobView => ({
  id,
  seq,
  name: `${id}-${String(seq)}`,
  sizeBytes: 1,
  durationMs: null,
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state: { tag: 'preparing' },
});

const held = { ...noQueue, isHeld: true };

describe('a change of the queue', () => {
  const shown: JobsSnapshot = { seq: 5, jobs: [job('a', 5), job('b', 4)], queue: noQueue };

  it('replaces rows, adds new ones at the end and takes removed ones out', () => {
    const change = { seq: 6, jobs: [job('b', 6), job('c', 6)], removedIds: ['a'], queue: held };
    expect(applyJobsChange(shown, change)).toEqual({ seq: 6, jobs: [job('b', 6), job('c', 6)], queue: held });
  });

  it('is ignored when it is not newer than what is shown', () => {
    expect(applyJobsChange(shown, { seq: 5, jobs: [job('a', 9)], removedIds: ['b'], queue: held })).toBe(shown);
  });

  it('does not put back a row that is older than the one shown', () => {
    expect(applyJobsChange(shown, { seq: 7, jobs: [job('a', 3)], removedIds: [], queue: noQueue }).jobs[0]).toEqual(
      job('a', 5),
    );
  });

  it('leaves the same rows whatever order it is told twice in', () => {
    const changes = fc.array(
      fc.record({ seq: fc.integer({ min: 1, max: 9 }), ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')) }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(changes, (list) => {
        const ordered = list.toSorted((left, right) => left.seq - right.seq);
        const apply = (snapshot: JobsSnapshot) =>
          ordered.reduce(
            (now, { seq, ids }) =>
              applyJobsChange(now, { seq, jobs: ids.map((id) => job(id, seq)), removedIds: [], queue: noQueue }),
            snapshot,
          );
        const once = apply({ seq: 0, jobs: [], queue: noQueue });
        expect(apply(once)).toEqual(once);
      }),
    );
  });
});
