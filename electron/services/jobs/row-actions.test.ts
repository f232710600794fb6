import { expect, it } from 'vitest';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { newJobMemory, pausedJobRecord } from '../../../shared/domain/jobs/job-state.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { changeLanguage, type QueueContext } from './row-actions.ts';

it('a row whose disk refuses gets no second row in another language, which would be sent too', () => {
  const job = { id: 'one', kind: 'transcribe', language: 'uz', includeSpeakers: false, memory: newJobMemory };
  const added: unknown[] = [];
  const context = {
    ports: { store: { addJobs: (jobs: readonly unknown[]) => ok(void added.push(...jobs)) }, clock: { now: () => 0 } },
    newJob: () => ({ ...job, id: 'two', language: 'ru' }),
    feed: { changed: () => undefined },
    runner: {
      liveJobs: { get: () => ({ job }), add: (live: unknown) => added.push(live) },
      apply: () => err(localFailure('disk-full')),
      resume: () => ok(null),
      schedule: () => undefined,
    },
  } as unknown as QueueContext;
  expect(changeLanguage(context, 'one', 'ru')).toMatchObject({ ok: false, error: { kind: 'disk-full' } });
  expect(added).toEqual([]);
});

it('a row that was paused stays paused in another language', () => {
  const job = { id: 'one', kind: 'transcribe', language: 'uz', includeSpeakers: false, memory: pausedJobRecord };
  const added: { readonly memory: unknown }[] = [];
  const context = {
    ports: {
      store: { addJobs: (jobs: readonly { readonly memory: unknown }[]) => ok(void added.push(...jobs)) },
      clock: { now: () => 0 },
    },
    newJob: () => ({ ...job, id: 'two', language: 'ru', memory: newJobMemory }),
    feed: { changed: () => undefined },
    runner: {
      liveJobs: { get: () => ({ job }), add: () => null, hide: () => null },
      apply: () => ok(null),
      resume: () => ok(null),
      schedule: () => undefined,
    },
  } as unknown as QueueContext;
  try {
    changeLanguage(context, 'one', 'ru');
  } catch {
    // Hiding the former row needs more of the queue than there is here.
  }
  expect(added.map(({ memory }) => memory)).toEqual([pausedJobRecord]);
});
