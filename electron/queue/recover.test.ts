import { expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { QueueDeps } from './effects.ts';
import { createBacklog, createTimers, watchMissingFiles } from './recover.ts';

it('a result that a full disk refused stays on the list until the disk has taken it', () => {
  const backlog = createBacklog();
  let room = 0;
  const stored: string[] = [];
  for (const name of ['first', 'second'])
    backlog.add(() => {
      if (stored.length >= room) return err(localFailure('disk-full'));
      stored.push(name);
      return ok(null);
    });
  expect([backlog.tryAll(), backlog.tryAll()]).toEqual([false, false]);
  room = 2;
  expect([backlog.tryAll(), stored, backlog.isEmpty()]).toEqual([true, ['first', 'second'], true]);
});

it('a recording goes on when it returns, and one that is there and cannot be read is left to the user', async () => {
  const due: (() => void)[] = [];
  const clock = { after: (_ms: number, run: () => void) => (due.push(run), () => undefined) };
  let isThere = true;
  const deps = { files: { isThere: async () => isThere }, extractor: { placeOf: (path: string) => path } };
  const failure = makeFailure('file-unreadable');
  const live = { job: { id: 'a', path: '/a.wav', memory: { state: { tag: 'needs-user', failure } } } } as never;
  const resumed: unknown[] = [];
  const note = watchMissingFiles(
    deps as unknown as QueueDeps,
    createTimers(clock, () => true),
    { get: () => live } as never,
    (entry) => resumed.push(entry),
  );
  note(live);
  const look = async () => {
    due.shift()?.();
    await expect.poll(() => due.length + resumed.length).toBe(1);
  };
  await look();
  await look();
  expect(resumed).toEqual([]);
  isThere = false;
  await look();
  isThere = true;
  await look();
  expect(resumed).toEqual([live]);
});
