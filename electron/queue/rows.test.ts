import { expect, it } from 'vitest';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { newJobRecord, pausedJobRecord } from '../../shared/domain/jobs/job-state.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { Engine } from './engine.ts';
import type { QueueEntry } from './entries.ts';
import { changeLanguage } from './rows.ts';

it('a row whose disk refuses gets no second row in another language, which would be sent too', () => {
  const job = { id: 'one', kind: 'transcribe', language: 'uz', includeSpeakers: false, memory: newJobRecord };
  const added: unknown[] = [];
  const engine = {
    deps: {
      store: { addJobs: (jobs: readonly unknown[]) => ok(void added.push(...jobs)) },
      clock: { now: () => 0 },
      newId: () => 'two',
    },
    changed: () => undefined,
    entries: { nextSeq: () => 2, add: (row: unknown) => added.push(row) },
    apply: () => err(localFailure('disk-full')),
    resume: () => ok(null),
    schedule: () => undefined,
  } as unknown as Engine;
  expect(changeLanguage(engine, { job } as unknown as QueueEntry, 'ru')).toMatchObject({
    ok: false,
    error: { kind: 'disk-full' },
  });
  expect(added).toEqual([]);
});

it('a row that was paused stays paused in another language', () => {
  const job = { id: 'one', kind: 'transcribe', language: 'uz', includeSpeakers: false, memory: pausedJobRecord };
  const added: { readonly memory: unknown }[] = [];
  const engine = {
    deps: {
      store: {
        addJobs: (jobs: readonly { readonly memory: unknown }[]) => ok(void added.push(...jobs)),
        hideJobs: () => ok(null),
      },
      clock: { now: () => 0 },
      newId: () => 'two',
    },
    changed: () => undefined,
    entries: { nextSeq: () => 2, add: () => null, remove: () => undefined },
    apply: () => ok(null),
    resume: () => ok(null),
    schedule: () => undefined,
  } as unknown as Engine;
  changeLanguage(engine, { job } as unknown as QueueEntry, 'ru');
  expect(added.map(({ memory }) => memory)).toEqual([pausedJobRecord]);
  const byUser = { tag: 'paused', resume: 'prepare', sentBytes: 0 } as const;
  changeLanguage(
    engine,
    { job: { ...job, memory: { ...newJobRecord, state: byUser } } } as unknown as QueueEntry,
    'ru',
  );
  expect(added[1]?.memory).toEqual({ ...newJobRecord, state: byUser });
});
