import { expect, it } from 'vitest';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { newJobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { QueueContext } from './add-jobs.ts';
import { changeLanguage } from './row-actions.ts';

it('a row whose disk refuses gets no second row in another language, which would be sent too', () => {
  const job = { id: 'one', kind: 'transcribe', language: 'uz', includeSpeakers: false, memory: newJobMemory };
  const added: unknown[] = [];
  const context = {
    ports: { store: { addJobs: (jobs: readonly unknown[]) => ok(void added.push(...jobs)) }, clock: { now: () => 0 } },
    newJob: () => ({ ...job, id: 'two', language: 'ru' }),
    feed: { changed: () => undefined },
    runner: {
      liveJobs: { get: () => ({ job }), add: (live: unknown) => added.push(live) },
      apply: () => err(localFailure('E-180')),
      resume: () => ok(null),
      schedule: () => undefined,
    },
  } as unknown as QueueContext;
  expect(changeLanguage(context, 'one', 'ru')).toMatchObject({ ok: false, error: { row: 'E-180' } });
  expect(added).toEqual([]);
});
