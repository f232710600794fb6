import { describe, expect, it } from 'vitest';
import { makeFailure } from '../failures/make-failure.ts';
import { type JobEvent, type JobMemory } from './job-state.ts';
import { recover, transition } from './machine.ts';
import { keyLifeMs, missingGraceMs, patienceMs } from './pace.ts';
import {
  now,
  keyA,
  credits,
  intent,
  answer,
  job,
  states,
  attempt,
  events,
} from '../../../tests/support/job-samples.ts';

describe('an unknown outcome', () => {
  it('is resumed after a crash by hashing again and sending under the same key', () => {
    const again = recover(states.sending);
    expect(again.job.state.tag).toBe('queued');
    const ready = transition(
      again.job,
      { ...events.hashed, attempt: again.job.attempt, freshKey: 'never' } as JobEvent,
      now,
    );
    expect(ready.job.state.tag).toBe('prepared');
    const sent = transition(ready.job, events.go, now);
    expect(sent.job.intent?.idempotencyKey).toBe(keyA);
    expect(sent.commands).toEqual([{ type: 'send' }]);
  });

  it('keeps what the service answered to a repeat, when its list has nothing', () => {
    const facts = { status: 409, code: 'idempotency_conflict', requestId: 'req_409' };
    const event = { type: 'send-failed', attempt: states.sending.attempt, roll: 0 } as const;
    const looking = transition(states.sending, { ...event, failure: makeFailure('E-045', facts) }, now).job;
    const told = transition(looking, { type: 'looked', attempt: looking.attempt, remoteId: null }, now).job;
    expect(told.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-041', ...facts } });
  });

  it('is looked for first when the key is older than 20 hours or belongs to another account', () => {
    expect(transition(states.prepared, events.go, now + keyLifeMs + 1).job.state.tag).toBe('looking');
    expect(transition(states.prepared, events.go, now - 24 * 3_600_000).job.state.tag).toBe('looking');
    const other = transition(states.prepared, { type: 'go', boundTo: 'elsewhere' }, now);
    expect(other.job.state.tag).toBe('looking');
    expect(other.job.fallbackFailure?.row).toBe('E-042');
  });

  it('continues under its own key when the account it belongs to is back, and asks again until then', () => {
    const asked = { ...states.prepared, state: { tag: 'needs-user', failure: makeFailure('E-042') } } as const;
    const { job, commands } = transition(asked, { type: 'retry', consent: false }, now);
    expect([job.state.tag, commands]).toEqual(['queued', [{ type: 'prepare' }]]);
    expect(job.intent).toEqual(states.prepared.intent);
  });

  it('stays unknown when a later attempt under the same key is refused', () => {
    const again = transition(states.prepared, events.go, now).job;
    const refused = transition(again, { type: 'send-failed', attempt: again.attempt, failure: credits, roll: 0 }, now);
    expect(refused.job.state.tag).toBe('blocked');
    expect(refused.job.intent?.isUnsettled).toBe(true);
  });

  it('keeps the backoff inside its limits and never earlier than Retry-After', () => {
    const slow = makeFailure('E-052', { status: 429, retryAfterMs: 9_000 });
    const step = transition(states.sending, { type: 'send-failed', attempt, failure: slow, roll: 0.99 }, now);
    if (step.job.state.tag !== 'waiting') throw new Error('not waiting');
    expect(step.job.state.untilMs - now).toBeGreaterThanOrEqual(9_000);
    expect(step.job.state.untilMs - now).toBeLessThanOrEqual(9_000 + 2_250);
  });
});

describe('a missing receipt', () => {
  it('is requested twice more under the same key, then looked up, then reported', () => {
    let memory = states.sending;
    const nothing = answer({ remoteId: null, status: 'unknown', rawStatus: null, hasRawAnswer: false });
    for (const expected of ['waiting', 'waiting', 'looking']) {
      memory = transition(memory, { type: 'answered', attempt: memory.attempt, answer: nothing }, now).job;
      expect(memory.state.tag).toBe(expected);
      expect(memory.intent?.idempotencyKey).toBe(keyA);
      if (expected === 'looking') break;
      memory = transition(memory, { type: 'woke', attempt: memory.attempt }, now).job;
      memory = transition(memory, events.go, now).job;
    }
    const told = transition(memory, { type: 'looked', attempt: memory.attempt, remoteId: null }, now).job;
    expect(told.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-022' } });
  });

  it('that could not be read never counts as a failure: the user is asked, and the answer is stored', () => {
    const last = { ...states.sending, answersWithoutId: 2 };
    const odd = answer({ remoteId: null, status: 'unknown', rawStatus: null, hasRawAnswer: true });
    const looking = transition(last, { type: 'answered', attempt, answer: odd }, now).job;
    const end = transition(looking, { type: 'looked', attempt: looking.attempt, remoteId: null }, now).job;
    expect(end.state).toMatchObject({
      tag: 'needs-user',
      failure: { row: 'E-024', requestId: 'req_1' },
    });
  });
});

describe('a job the service does not find', () => {
  const gone = (memory: JobMemory, at: number) =>
    transition(
      memory,
      { type: 'poll-failed', attempt: memory.attempt, failure: makeFailure('E-040', { status: 404 }), roll: 0 },
      at,
    ).job;

  it('is polled for a minute, then looked up, then reported; never uploaded again automatically', () => {
    let memory = gone(states.polling, now);
    expect(memory.state.tag).toBe('polling');
    memory = gone(memory, now + missingGraceMs - 1);
    expect(memory.state.tag).toBe('polling');
    memory = gone(memory, now + missingGraceMs);
    expect(memory.state.tag).toBe('looking');
    const told = transition(memory, { type: 'looked', attempt: memory.attempt, remoteId: null }, now).job;
    expect(told.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-041' } });
    expect(transition(told, { type: 'retry', consent: false }, now).job.state.tag).toBe('looking');
    expect(transition(told, { type: 'retry', consent: true }, now).job.intent).toBeNull();
  });

  it('is adopted when the list contains it', () => {
    const looking = gone(gone(states.polling, now), now + missingGraceMs);
    const found = transition(looking, { type: 'looked', attempt: looking.attempt, remoteId: 'tr_1' }, now);
    expect(found.job.state.tag).toBe('polling');
    expect(found.job.intent?.acceptedAtMs).toBe(now);
  });
});

describe('a finished job without text', () => {
  it('is read five times more, then exported, then the user is asked', () => {
    let memory = states.polling;
    const empty = answer({ status: 'completed', rawStatus: 'completed' });
    const exports: boolean[] = [];
    for (let read = 0; read < 8; read++) {
      const step = transition(memory, { type: 'polled', attempt: memory.attempt, answer: empty }, now);
      memory = step.job;
      for (const command of step.commands) if (command.type === 'fetch') exports.push(command.useExport);
      if (exports.at(-1) === true) break;
    }
    expect(exports).toEqual([false, false, false, false, false, true]);
    expect(
      transition(memory, { type: 'exported', attempt: memory.attempt, result: null }, now).job.state,
    ).toMatchObject({
      tag: 'needs-user',
      failure: { row: 'E-028' },
    });
  });

  it('that never ends is left to the user after a day', () => {
    const step = transition(states.polling, { type: 'polled', attempt, answer: answer() }, now + patienceMs + 1);
    expect(step.job.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-161' } });
  });

  it('and that the service no longer finds after a day is left to the user as it is, without another lookup', () => {
    const failure = makeFailure('E-041', { status: 404 });
    const step = transition(states.polling, { type: 'poll-failed', attempt, failure, roll: 0 }, now + patienceMs + 1);
    expect(step.job.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-161' } });
  });

  it('that reports nothing new writes nothing', () => {
    const step = transition(states.polling, { type: 'polled', attempt, answer: answer() }, now + 10_000);
    expect(step.job).toBe(states.polling);
    expect(step.commands).toEqual([{ type: 'poll', delayMs: 6_000 }]);
  });
});

describe('a pause', () => {
  it('stops an upload and keeps its key; resuming sends the same bytes under it again', () => {
    const stopped = transition(states.sending, { type: 'pause', sentBytes: 4 }, now);
    expect(stopped.job.state).toEqual({ tag: 'paused', resume: 'send', sentBytes: 4 });
    expect(stopped.commands).toEqual([{ type: 'abort' }]);
    const again = transition(transition(stopped.job, events.unpause, now).job, events.go, now).job;
    expect(again.state).toEqual({ tag: 'sending', wasUnsettled: true });
    expect(again.intent?.idempotencyKey).toBe(keyA);
  });

  it('survives a crash and ends only on request', () => {
    expect(recover(states.paused)).toEqual({ job: states.paused, commands: [] });
    expect(transition(states.paused, { type: 'woke', attempt }, now).job).toBe(states.paused);
  });

  it('never touches what the service already has', () => {
    const atService = { ...states.waiting, state: { ...states.waiting.state, resume: 'poll' } } as JobMemory;
    for (const memory of [states.polling, states.fetching, states.looking, atService]) {
      expect(transition(memory, events.pause, now).job).toBe(memory);
    }
  });
});

describe('the copy of an earlier transcript', () => {
  it('resolves the question about a duplicate as done, without sending', () => {
    const asked = { ...states.prepared, state: { tag: 'needs-user', failure: makeFailure('E-212') } } as const;
    const step = transition(asked, events.copied, now);
    expect(step.job.state).toMatchObject({ tag: 'done', transcriptId: 't' });
    expect(step.commands).toEqual([]);
  });

  it('is asked about again after the row was cancelled and restored: that is no consent to send it', () => {
    const unsent = { ...intent, isUnsettled: false, firstSentAtMs: null, remoteId: null };
    const asked = job({ tag: 'needs-user', failure: makeFailure('E-212') }, { intent: unsent });
    const off = transition(asked, { type: 'cancel' }, now).job;
    const back = transition(off, { type: 'retry', consent: false }, now).job;
    const duplicate = { jobId: 'a', name: 'a.wav', addedAtMs: 1, isDone: true, transcriptId: 't' };
    const hashed = { ...events.hashed, attempt: back.attempt, duplicate } as JobEvent;
    expect(transition(back, hashed, now).job.state).toMatchObject({
      tag: 'needs-user',
      failure: { row: 'E-212', code: 'duplicate', params: { name: 'a.wav', transcriptId: 't' } },
    });
  });
});

describe('a changed file', () => {
  const other: JobEvent = { ...events.hashed, sha256: 'b'.repeat(64) } as JobEvent;
  it('is never sent under the old key; what may have been sent is looked up first', () => {
    const asked = transition(job({ tag: 'queued' }, { intent: { ...intent, isUnsettled: false } }), other, now);
    expect(asked.job.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-011' } });
    expect(transition(job({ tag: 'queued' }), other, now).job.state.tag).toBe('looking');
  });

  it('gets a new key only after consent', () => {
    const asked = transition(job({ tag: 'queued' }, { intent: { ...intent, isUnsettled: false } }), other, now).job;
    expect(transition(asked, { type: 'retry', consent: false }, now).job).toBe(asked);
    expect(transition(asked, { type: 'retry', consent: true }, now).job.intent).toBeNull();
  });
});

it('that a result is still there to be downloaded does not shorten the pauses between failed downloads', () => {
  const failed = { ...states.fetching, tries: 3 };
  const polled = { type: 'polled', attempt: failed.attempt, answer: answer({ isToDownload: true }) } as const;
  expect(transition(failed, polled, now).job.tries).toBe(3);
});
