import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { applyJobsChanges, type JobsChange, type JobsSnapshot } from './jobs-snapshot.ts';

const job = (id: string, seq: number): JobView => ({
  id,
  seq,
  name: `${id}-${String(seq)}`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state: { tag: 'preparing' },
});
const held = { ...noQueue, isHeld: true };
const part = (number: number, jobs: readonly JobView[], removedIds: readonly string[] = []): JobsChange => ({
  number,
  isWhole: false,
  jobs,
  removedIds,
  queue: held,
});

describe('a change of the queue', () => {
  const shown: JobsSnapshot = { number: 5, jobs: [job('a', 5), job('b', 4)], queue: noQueue };

  it('replaces rows, adds new ones at the end and takes removed ones out', () => {
    expect(applyJobsChanges(shown, [part(6, [job('b', 6), job('c', 6)], ['a'])])).toEqual({
      number: 6,
      jobs: [job('b', 6), job('c', 6)],
      queue: held,
    });
  });

  it('is ignored when the list on the screen includes it already', () => {
    expect(applyJobsChanges(shown, [part(5, [job('a', 9)], ['b'])])).toBe(shown);
  });

  it('does not overwrite a row with an older one, but accepts one as new', () => {
    const moved = { ...job('b', 4), name: 'moved up the line' };
    expect(applyJobsChanges(shown, [part(6, [job('a', 3), moved])])?.jobs).toEqual([job('a', 5), moved]);
  });

  it('fetches the list again after a missing part, and when everything is replaced', () => {
    expect(applyJobsChanges(shown, [part(6, []), part(8, [])])).toBeNull();
    expect(applyJobsChanges(shown, [{ ...part(6, []), isWhole: true }])).toBeNull();
  });

  it('merged with others leaves the same rows as one after another', () => {
    const step = fc.record({
      changed: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
      removed: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const changes = steps.map(({ changed, removed }, index) =>
          part(
            index + 6,
            changed.filter((id) => !removed.includes(id)).map((id) => job(id, index + 6)),
            removed,
          ),
        );
        const oneByOne = changes.reduce<JobsSnapshot | null>(
          (now, change) => now && applyJobsChanges(now, [change]),
          shown,
        );
        const together = applyJobsChanges(shown, changes);
        const byId = (rows: readonly JobView[] | undefined) =>
          rows?.toSorted((one, other) => (one.id < other.id ? -1 : 1));
        expect(byId(together?.jobs)).toEqual(byId(oneByOne?.jobs));
        expect(together?.number).toBe(oneByOne?.number);
      }),
    );
  });
});
