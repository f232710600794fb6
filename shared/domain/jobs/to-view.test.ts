import { expect, it } from 'vitest';
import { makeFailure } from '../failures/make-failure.ts';
import { openGate } from './gate.ts';
import { newJobMemory, type Intent, type JobState } from './job-state.ts';
import { toJobView } from './to-view.ts';

const intent: Intent = {
  idempotencyKey: '0b9f3c52-6a9c-4c1e-9d0e-6a1f0c8f1a11',
  sha256: 'a'.repeat(64),
  sizeBytes: 1,
  mtimeMs: 1,
  firstSentAtMs: 1,
  isUnsettled: false,
  boundTo: 'here',
  remoteId: null,
  acceptedAtMs: null,
};
const unreached = makeFailure('E-002');
const waits: JobState = { tag: 'waiting', resume: 'send', untilMs: 9, failure: unreached };
const blocked: JobState = { tag: 'blocked', resume: 'poll', by: 'offline', failure: makeFailure('E-001') };

const outcomeOf = (state: JobState, change: Partial<Intent>, gate = openGate) => {
  const row = {
    id: 'a',
    seq: 1,
    name: 'a.wav',
    sizeBytes: 1,
    durationMs: 1,
    kind: 'transcribe',
    language: 'uz',
    rank: 1,
  } as const;
  const view = toJobView(
    {
      ...row,
      includeSpeakers: false,
      addedAtMs: 1,
      memory: { ...newJobMemory, state, intent: { ...intent, ...change } },
    },
    { placeInQueue: 1, sinceMs: 1, upload: null, audioShare: null, heard: null, gate, pause: null },
  );
  return 'failure' in view.state ? view.state.failure.outcome : view.state.tag;
};

it('a row that the service has says so, although the last poll got no answer', () => {
  expect(outcomeOf(waits, { remoteId: 'tr_1' })).toBe('accepted');
  expect(outcomeOf(blocked, { remoteId: 'tr_1' })).toBe('accepted');
  expect(outcomeOf({ tag: 'needs-user', failure: unreached }, { remoteId: 'tr_1' })).toBe('accepted');
  const full = { ...openGate, block: { by: 'disk', failure: makeFailure('E-180') } } as const;
  expect(outcomeOf({ tag: 'fetching' }, { remoteId: 'tr_1' }, full)).toBe('accepted');
});

it('a row whose first answer was lost may be at the service, although the next attempt got no answer', () => {
  expect(outcomeOf(waits, { isUnsettled: true })).toBe('unknown');
  const closed = { ...openGate, block: { by: 'offline', failure: makeFailure('E-001') } } as const;
  expect(outcomeOf({ tag: 'prepared' }, { isUnsettled: true }, closed)).toBe('unknown');
  expect(outcomeOf(waits, {})).toBe('not_sent');
});
