import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeFeed } from '../../electron/services/jobs/change-feed.ts';
import { createJobChangePublisher } from '../../electron/shell/job-change-publisher.ts';
import { createListJobs } from '../../electron/shell/list-jobs.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { StudioClient } from './client.ts';
import { createJobsFeed, readJobs } from './jobs-feed.ts';
import type { JobsChange, JobsSnapshot } from './jobs-snapshot.ts';

const row = (id: number, seq: number): JobView => ({
  id: `job-${String(id)}`,
  seq,
  name: `${String(id)}.wav`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: id,
  state: { tag: 'waiting', placeInQueue: seq },
});

/** Main and a page with a lossy link controlled by the test, and no time that passes by itself. */
function build() {
  const rows = new Map<string, JobView>();
  const parts: JobsChange[] = [];
  const timers: (() => void)[] = [];
  const frames: (() => void)[] = [];
  const delivered: JobsChange[] = [];
  const main = { isOpen: true, reads: 0, whileReading: (): void => undefined, early: null as unknown };
  const later = (list: (() => void)[]) => (run: () => void) => {
    list.push(run);
    return () => void list.splice(list.indexOf(run), 1);
  };
  const publisher = createJobChangePublisher({
    emit: (_event, payload) => {
      parts.push(payload as JobsChange);
      delivered.push(payload as JobsChange);
    },
  });
  const changes = new ChangeFeed(
    { now: () => 0, monotonic: () => 0, after: (_ms, run) => later(timers)(run) },
    { queue: () => noQueue, front: () => [], viewOf: (id) => rows.get(id) ?? null },
  );
  changes.listen((change) => publisher.publish(change));
  const listJobs = createListJobs({
    list: () => ({ jobs: [...rows.values()], queue: noQueue }),
    lastNumber: publisher.lastNumber,
  });
  const client = {
    request: async (_method: string, { part }: { part?: { number: number; index: number } }) => {
      main.reads += 1;
      main.whileReading();
      if (!main.isOpen) return err(makeFailure('E-184'));
      const { early } = main;
      main.early = null;
      if (early !== null) return ok(early);
      const { jobs, ...about } = listJobs(part);
      return ok({ ...about, jobs: [...jobs] });
    },
  } as unknown as StudioClient;
  let shown: JobsSnapshot | undefined;
  const sets: JobsSnapshot[] = [];
  const feed = createJobsFeed(
    {
      get: () => shown,
      set: (snapshot) => {
        shown = snapshot;
        sets.push(snapshot);
      },
      read: async () => {
        const read = await readJobs(client);
        if (read.ok) shown = read.value;
      },
    },
    later(frames),
  );
  let seq = 0;
  const change = (ids: readonly number[], removedIds: readonly number[] = []) => {
    seq += 1;
    const jobs = ids.map((id) => row(id, seq));
    for (const job of jobs) rows.set(job.id, job);
    const gone = removedIds.map((id) => `job-${String(id)}`);
    for (const id of gone) rows.delete(id);
    for (const { id } of jobs) changes.changed(id);
    for (const id of gone) changes.removed(id);
  };
  const deliver = (count = Infinity, isLost = (_one: JobsChange): boolean => false) => {
    for (const change of delivered.splice(0, count)) if (!isLost(change)) feed.take(change);
  };
  const fire = () => timers.splice(0).forEach((run) => run());
  const drawFrame = () => frames.splice(0).forEach((run) => run());
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** Delivers, reads and renders everything. */
  const toTheEnd = async () => {
    for (let round = 0; round < 400; round += 1) {
      fire();
      deliver();
      drawFrame();
      await settle();
    }
  };
  /** The list is requested now and answered when it is read next, like a page's first request. */
  const askEarly = () => {
    const { jobs, ...about } = listJobs(undefined);
    main.early = { ...about, jobs: [...jobs] };
  };
  const shownRows = () => new Map(shown?.jobs.map((job) => [job.id, job]));
  return {
    rows,
    parts,
    sets,
    main,
    feed,
    publisher,
    fire,
    timers,
    change,
    deliver,
    drawFrame,
    settle,
    toTheEnd,
    askEarly,
    shownRows,
    shown: () => shown,
  };
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a storm of changed rows', () => {
  it('is published in parts of at most 100 rows with consecutive numbers, one after a pause each', async () => {
    const { change, fire, parts, timers, toTheEnd, shownRows, rows, feed } = build();
    await feed.readAnew();
    change(upTo(1000));
    fire();
    expect([parts.length, timers.length]).toEqual([1, 1]);
    await toTheEnd();
    expect(parts.map(({ number }) => number)).toEqual(upTo(10).map((index) => index + 1));
    expect(Math.max(...parts.map(({ jobs }) => jobs.length))).toBe(100);
    expect(shownRows()).toEqual(rows);
  });

  it('is published in parts of at most 64 KiB, whatever the rows contain', async () => {
    const { rows, change, fire, parts, timers } = build();
    change(upTo(50));
    for (const [id, one] of rows) rows.set(id, { ...one, name: 'x'.repeat(10_000) });
    while (timers.length > 0) fire();
    expect(parts.flatMap(({ jobs }) => jobs)).toHaveLength(50);
    for (const { jobs } of parts) expect(JSON.stringify(jobs).length).toBeLessThan(80_000);
  });

  it('is drawn once per frame, and a row that changed again meanwhile is drawn in its latest state', async () => {
    const { change, fire, parts, sets, deliver, drawFrame, toTheEnd, feed, shownRows, rows } = build();
    await feed.readAnew();
    change(upTo(300));
    fire();
    change([299, 5]);
    fire();
    deliver();
    drawFrame();
    expect(sets).toHaveLength(1);
    await toTheEnd();
    expect(parts.flatMap(({ jobs }) => jobs).filter(({ id }) => id === 'job-299')).toHaveLength(1);
    expect(shownRows()).toEqual(rows);
  });

  it('fetches the list again when a part is missing, when another library is open, and when the user asks', async () => {
    const { change, fire, deliver, toTheEnd, main, shownRows, rows, publisher, feed } = build();
    await feed.readAnew();
    change([1]);
    fire();
    change([2]);
    fire();
    deliver(1, () => true);
    await toTheEnd();
    // The next part reveals the lost one.
    change([3]);
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
    const readsBefore = main.reads;
    rows.clear();
    publisher.publish({ isWhole: true, jobs: [], removedIds: [], queue: noQueue });
    await toTheEnd();
    expect([main.reads, shownRows().size]).toEqual([readsBefore + 1, 0]);
  });

  it('is not lost between a list requested early and a page that subscribes late', async () => {
    const { askEarly, change, fire, deliver, toTheEnd, feed, main, shownRows, rows } = build();
    change([1, 2]);
    fire();
    // Sent before the page existed.
    deliver(1, () => true);
    askEarly();
    change([2, 3]);
    fire();
    deliver();
    await feed.readAnew();
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
    expect(main.reads).toBe(1);
  });

  it('keeps what it shows when fetching the list fails, and reads it when it can be read again', async () => {
    const { main, feed, shown, change, toTheEnd, shownRows, rows } = build();
    main.isOpen = false;
    await feed.readAnew();
    expect(shown()).toBeUndefined();
    main.isOpen = true;
    change([1, 2]);
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
  });

  it('never loses or mixes up a row, whatever is published, lost and read in whichever order', async () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 260 });
    const step = fc.oneof(
      fc.record({ what: fc.constant('change' as const), ids }),
      fc.record({ what: fc.constant('remove' as const), ids }),
      fc.record({ what: fc.constant('timer' as const) }),
      fc.record({ what: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ what: fc.constant('lose' as const) }),
      fc.record({ what: fc.constant('frame' as const) }),
      fc.record({ what: fc.constant('read' as const) }),
      fc.record({ what: fc.constant('settle' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { change, deliver, drawFrame, settle, feed, timers, toTheEnd, shownRows, rows } = build();
        const reading = [feed.readAnew()];
        for (const one of steps) {
          if (one.what === 'change') change(one.ids);
          else if (one.what === 'remove') change([], one.ids);
          else if (one.what === 'timer') timers.splice(0, 1).forEach((run) => run());
          else if (one.what === 'deliver') deliver(one.count);
          else if (one.what === 'lose') deliver(1, () => true);
          else if (one.what === 'frame') drawFrame();
          else if (one.what === 'read') reading.push(feed.readAnew());
          else await settle();
        }
        await Promise.all(reading);
        // Any loss is noticed at the latest by the next part that gets through.
        while (timers.length > 0) timers.splice(0).forEach((run) => run());
        deliver();
        change([0]);
        await toTheEnd();
        expect(shownRows()).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  it('a list of 10,000 rows is read in parts of one state, even while rows come and go', async () => {
    const { change, main, feed, toTheEnd, shownRows, rows } = build();
    change(upTo(10_000));
    let reads = 0;
    main.whileReading = () => {
      reads += 1;
      if (reads % 3 === 0) change([reads], [5000 + reads]);
    };
    await feed.readAnew();
    expect(main.reads).toBeGreaterThanOrEqual(20);
    main.whileReading = () => undefined;
    await toTheEnd();
    expect(shownRows()).toEqual(rows);
  });
});
