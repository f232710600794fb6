import { expect, it } from 'vitest';
import { intent } from '../../tests/support/job-samples.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { openGate } from '../../shared/domain/jobs/gate.ts';
import {
  newJobRecord,
  pausedJobRecord,
  type JobState,
  type PreparedUpload,
} from '../../shared/domain/jobs/job-state.ts';
import { transition } from '../../shared/domain/jobs/machine.ts';
import { viewOf } from './queue.ts';

const unreached = makeFailure('address-not-found');
const waits: JobState = { tag: 'waiting', resume: 'send', untilMs: 9, failure: unreached };
const blocked: JobState = { tag: 'blocked', resume: 'poll', by: 'offline', failure: makeFailure('offline') };

const viewAs = (state: JobState, change: Partial<PreparedUpload> = {}, gate = openGate) => {
  const row = { id: 'a', seq: 1, name: 'a.wav', sizeBytes: 1, durationMs: 1, language: 'uz', rank: 1 } as const;
  const memory = { ...newJobRecord, state, intent: { ...intent, isUnsettled: false, ...change } };
  const job = { ...row, path: '/a.wav', kind: 'transcribe', includeSpeakers: false, addedAtMs: 1, memory } as const;
  const entry = { job, sinceMs: 1, progress: null, heard: null };
  return viewOf(entry, { placeInQueue: 1, gate, pause: null }).state;
};
const outcomeOf = (...of: Parameters<typeof viewAs>) => {
  const state = viewAs(...of);
  return 'failure' in state ? state.failure.outcome : state.tag;
};

it('a row that the service has says so, although the last poll got no answer', () => {
  expect(outcomeOf(waits, { remoteId: 'tr_1' })).toBe('accepted');
  expect(outcomeOf(blocked, { remoteId: 'tr_1' })).toBe('accepted');
  expect(outcomeOf({ tag: 'needs-user', failure: unreached }, { remoteId: 'tr_1' })).toBe('accepted');
  const full = { ...openGate, block: { by: 'disk', failure: makeFailure('disk-full') } } as const;
  expect(outcomeOf({ tag: 'fetching' }, { remoteId: 'tr_1' }, full)).toBe('accepted');
});

it('a row whose first answer was lost may be at the service, although the next attempt got no answer', () => {
  expect(outcomeOf(waits, { isUnsettled: true })).toBe('unknown');
  const closed = { ...openGate, block: { by: 'offline', failure: makeFailure('offline') } } as const;
  expect(outcomeOf({ tag: 'prepared' }, { isUnsettled: true }, closed)).toBe('unknown');
  expect(outcomeOf(waits, {})).toBe('not_sent');
});

it('a row that waits for an answer of the user is told apart from one that the user paused', () => {
  expect(viewAs(pausedJobRecord.state)).toMatchObject({ tag: 'paused', isAwaitingAnswer: true });
  const paused = transition(newJobRecord, { type: 'pause', sentBytes: 0 }, 1).job.state;
  expect(viewAs(paused)).toMatchObject({ tag: 'paused', isAwaitingAnswer: false });
});
