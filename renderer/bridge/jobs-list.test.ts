import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChangeFeed } from '../../electron/queue/queue.ts';
import { type JobView, noQueue } from '../../shared/domain/jobs/job-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import { someJob } from '../../tests/support/some-jobs.ts';
import type { StudioClient } from './client.ts';
import { followJobs, jobsQuery, type JobsChange } from './jobs-list.ts';

const row = (id: number, seq: number): JobView => ({
  ...someJob(`job-${String(id)}`, { tag: 'waiting', placeInQueue: seq }, { rank: id }),
  seq,
  name: `${String(id)}-${String(seq)}.wav`,
});

/** Main and a page with a link controlled by the test: what main sends arrives in order. No time passes by itself. */
function build() {
  const rows = new Map<string, JobView>();
  const changes: JobsChange[] = [];
  const timers: (() => void)[] = [];
  const link: (() => void)[] = [];
  const asked: (() => void)[] = [];
  const listeners = new Set<(change: JobsChange) => void>();
  const main = { isOpen: true, reads: 0 };
  const publish = (change: JobsChange) => {
    changes.push(change);
    link.push(() => {
      // As with an event emitter, who comes while it is told does not hear it.
      const present = [...listeners];
      for (const listen of present) listen(change);
    });
  };
  const feed = createChangeFeed(
    {
      after: (_ms, run) => {
        timers.push(run);
        return () => void timers.splice(timers.indexOf(run), 1);
      },
    },
    { queue: () => noQueue, front: () => [], viewOf: (id) => rows.get(id) ?? null },
  );
  feed.listen((change) => publish({ isWhole: false, ...change }));
  const studio = {
    subscribe: (_event: string, listen: (change: JobsChange) => void) => {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    request: () =>
      new Promise((resolve) => {
        asked.push(() => {
          main.reads += 1;
          const answer = main.isOpen
            ? ok({ jobs: [...rows.values()], queue: noQueue })
            : err(makeFailure('library-newer'));
          link.push(() => resolve(answer));
        });
      }),
  } as unknown as StudioClient;
  const queries = new QueryClient();
  const { queryKey } = jobsQuery(studio);
  followJobs(queries, studio);
  let seq = 0;
  const change = (ids: readonly number[], removedIds: readonly number[] = []) => {
    seq += 1;
    for (const job of ids.map((id) => row(id, seq))) {
      rows.set(job.id, job);
      feed.changed(job.id);
    }
    for (const id of removedIds.map((one) => `job-${String(one)}`)) {
      rows.delete(id);
      feed.changed(id);
    }
  };
  const fire = () => timers.splice(0).forEach((run) => run());
  const answer = () => asked.splice(0).forEach((run) => run());
  const deliver = (count = Infinity) => link.splice(0, count).forEach((run) => run());
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const toTheEnd = async () => {
    do {
      fire();
      answer();
      deliver();
      // oxlint-disable-next-line no-await-in-loop -- what arrived may lead to a request
      await settle();
    } while (timers.length + asked.length + link.length > 0);
  };
  return {
    rows,
    changes,
    main,
    change,
    fire,
    answer,
    deliver,
    settle,
    toTheEnd,
    read: () => void queries.prefetchQuery({ ...jobsQuery(studio), staleTime: 0 }),
    openOther: () => publish({ isWhole: true, jobs: [], removedIds: [], queue: noQueue }),
    shown: () => queries.getQueryData(queryKey),
    shownRows: () => new Map(queries.getQueryData(queryKey)?.jobs.map((job) => [job.id, job])),
  };
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a storm of changed rows', () => {
  it('is one event for all that changed within its time, with each row in its latest state', async () => {
    const { change, changes, read, toTheEnd, fire, shownRows, rows, main } = build();
    read();
    await toTheEnd();
    change(upTo(1000));
    change([5, 999], [7]);
    fire();
    expect(changes.map(({ jobs, removedIds }) => [jobs.length, removedIds])).toEqual([[999, ['job-7']]]);
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
    expect(main.reads).toBe(1);
  });

  it('keeps what it shows when fetching the list fails, and reads it when it can be read again', async () => {
    const { main, read, shown, change, openOther, toTheEnd, shownRows, rows } = build();
    main.isOpen = false;
    read();
    await toTheEnd();
    expect(shown()).toBeUndefined();
    main.isOpen = true;
    change([1, 2]);
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
    main.isOpen = false;
    openOther();
    change([3]);
    await toTheEnd();
    expect(shownRows().size).toBe(2);
    main.isOpen = true;
    change([4]);
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
  });

  it('never loses or mixes up a row, whatever is published, read and delivered in whichever order', async () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });
    const step = fc.oneof(
      fc.record({ what: fc.constant('change' as const), ids }),
      fc.record({ what: fc.constant('remove' as const), ids }),
      fc.record({ what: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ what: fc.constantFrom('timer', 'answer', 'read', 'settle', 'other library') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { change, fire, answer, read, deliver, settle, openOther, toTheEnd, shownRows, rows } = build();
        read();
        for (const one of steps) {
          if (one.what === 'change' && 'ids' in one) change(one.ids);
          else if ('ids' in one) change([], one.ids);
          else if ('count' in one) deliver(one.count);
          else if (one.what === 'timer') fire();
          else if (one.what === 'answer') answer();
          else if (one.what === 'read') read();
          else if (one.what === 'other library') {
            rows.clear();
            openOther();
          }
          // oxlint-disable-next-line no-await-in-loop -- the steps are in order
          else await settle();
        }
        await toTheEnd();
        expect(shownRows()).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });
});
