import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { makeFailure } from '../failures/make-failure.ts';
import type { JobEvent, JobRecord, Step } from './job-state.ts';
import { recover, transition } from './machine.ts';
import { keyLifeMs, missingGraceMs, patienceMs } from './pace.ts';
import {
  answer,
  attempt,
  credits,
  events,
  intent,
  job,
  keyA,
  now,
  states,
} from '../../../tests/support/job-samples.ts';
import fc from 'fast-check';
import { parseJobRecord } from './stored-job.ts';

describe('an unknown outcome', () => {
  it('is resumed after a crash by hashing again and sending under the same key', () => {
    const again = recover(states.sending);
    expect(again.job.state.tag).toBe('queued');
    const hashed = { ...events.hashed, attempt: again.job.attempt, freshKey: 'never' } as JobEvent;
    const ready = transition(again.job, hashed, now);
    expect(ready.job.state.tag).toBe('prepared');
    const sent = transition(ready.job, events.go, now);
    expect(sent.job.intent?.idempotencyKey).toBe(keyA);
    expect(sent.commands).toEqual([{ type: 'send' }]);
  });

  it('keeps what the service answered to a repeat, when its list has nothing', () => {
    const facts = { status: 409, code: 'idempotency_conflict', requestId: 'req_409' };
    const event = { type: 'send-failed', attempt: states.sending.attempt, roll: 0 } as const;
    const looking = transition(states.sending, { ...event, failure: makeFailure('already-sent', facts) }, now).job;
    const told = transition(looking, { type: 'looked', attempt: looking.attempt, remoteId: null }, now).job;
    expect(told.state).toMatchObject({ tag: 'needs-user', failure: { kind: 'job-not-found', ...facts } });
  });

  it('is looked for first when the key is older than 20 hours or belongs to another account', () => {
    expect(transition(states.prepared, events.go, now + keyLifeMs + 1).job.state.tag).toBe('looking');
    expect(transition(states.prepared, events.go, now - 24 * 3_600_000).job.state.tag).toBe('looking');
    const other = transition(states.prepared, { type: 'go', boundTo: 'elsewhere' }, now);
    expect(other.job.state.tag).toBe('looking');
    expect(other.job.fallbackFailure?.kind).toBe('other-key');
  });

  it('continues under its own key when the account it belongs to is back, and asks again until then', () => {
    const asked = { ...states.prepared, state: { tag: 'needs-user', failure: makeFailure('other-key') } } as const;
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
});

describe('a missing receipt', () => {
  it('that could not be read never counts as a failure: the user is asked, and the answer is stored', () => {
    const last = { ...states.sending, answersWithoutId: 2 };
    const odd = answer({ remoteId: null, status: 'unknown', rawStatus: null, hasRawAnswer: true });
    const looking = transition(last, { type: 'answered', attempt, answer: odd }, now).job;
    const end = transition(looking, { type: 'looked', attempt: looking.attempt, remoteId: null }, now).job;
    expect(end.state).toMatchObject({ tag: 'needs-user', failure: { kind: 'answer-unreadable', requestId: 'req_1' } });
  });
});

describe('a job the service does not find', () => {
  const failure = makeFailure('deleted-at-service', { status: 404 });
  const gone = (memory: JobRecord, at: number) =>
    transition(memory, { type: 'poll-failed', attempt: memory.attempt, failure, roll: 0 }, at).job;

  it('is polled for a minute, then looked up, then reported; never uploaded again automatically', () => {
    let memory = gone(states.polling, now);
    expect(memory.state.tag).toBe('polling');
    memory = gone(memory, now + missingGraceMs - 1);
    expect(memory.state.tag).toBe('polling');
    memory = gone(memory, now + missingGraceMs);
    expect(memory.state.tag).toBe('looking');
    const told = transition(memory, { type: 'looked', attempt: memory.attempt, remoteId: null }, now).job;
    expect(told.state).toMatchObject({ tag: 'needs-user', failure: { kind: 'job-not-found' } });
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
  it('that never ends is left to the user after a day', () => {
    const step = transition(states.polling, { type: 'polled', attempt, answer: answer() }, now + patienceMs + 1);
    expect(step.job.state).toMatchObject({ tag: 'needs-user', failure: { kind: 'unusually-long' } });
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
    const atService = { ...states.waiting, state: { ...states.waiting.state, resume: 'poll' } } as JobRecord;
    for (const memory of [states.polling, states.fetching, states.looking, atService]) {
      expect(transition(memory, events.pause, now).job).toBe(memory);
    }
  });
});

describe('a changed file', () => {
  const other: JobEvent = { ...events.hashed, sha256: 'b'.repeat(64) } as JobEvent;
  it('is never sent under the old key; what may have been sent is looked up first', () => {
    const asked = transition(job({ tag: 'queued' }, { intent: { ...intent, isUnsettled: false } }), other, now);
    expect(asked.job.state).toMatchObject({ tag: 'needs-user', failure: { kind: 'file-changed' } });
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

const page = makeFailure('web-page-answered', { status: 200, envelope: 'html', params: { name: 'a.wav' } });

/** Sent once more, and answered with HTML. */
function meetPage(job: JobRecord, isItsOwn: boolean, atMs: number, roll = 0): Step {
  const { state } = job;
  const ready =
    state.tag === 'waiting'
      ? transition(job, { type: 'woke', attempt: job.attempt }, atMs).job
      : state.tag === 'blocked'
        ? transition(job, { type: 'unblock' }, atMs).job
        : job;
  const sending = transition(ready, events.go, atMs).job;
  expect(sending.state.tag).toBe('sending');
  const event = { type: 'send-failed', attempt: sending.attempt, failure: page, roll, isItsOwn } as const;
  return transition(sending, event, atMs);
}

/** The number of HTML answers until the user is asked; `isItsOwn`: whether other recordings got through in between. */
function untilAsked(isItsOwn: boolean): readonly JobRecord[] {
  const met: JobRecord[] = [];
  let job = states.prepared;
  while (met.length < 50 && job.state.tag !== 'needs-user') {
    job = meetPage(job, isItsOwn, now).job;
    met.push(job);
  }
  return met;
}

describe('a recording that gets HTML answers', () => {
  it('waits with all others as long as none gets through, however often', () => {
    const met = untilAsked(false);
    expect(met).toHaveLength(50);
    expect(new Set(met.map(({ state }) => state.tag))).toEqual(new Set(['blocked']));
  });

  it('waits alone from the second answer on, 15 s, one minute and twice five, and asks the user at the sixth', () => {
    const met = untilAsked(true);
    expect(met.map(({ state }) => (state.tag === 'waiting' ? state.untilMs - now : state.tag))).toEqual([
      'blocked',
      15_000,
      60_000,
      300_000,
      300_000,
      'needs-user',
    ]);
    expect(met.at(-1)?.state).toMatchObject({ failure: { kind: 'refused-by-proxy', params: { name: 'a.wav' } } });
  });

  it('is not sent again when the network is open for others, and is when the user says so', () => {
    const own = meetPage(states.prepared, true, now).job;
    const alone = meetPage(own, true, now).job;
    const blocked = meetPage(alone, false, now).job;
    expect(blocked.state.tag).toBe('blocked');
    expect(transition(blocked, { type: 'unblock', isItsOwn: true }, now).job).toMatchObject({
      state: { tag: 'waiting', untilMs: now + 60_000, failure: { kind: 'refused-by-proxy' } },
      pages: 3,
    });
    expect(transition(blocked, { type: 'unblock' }, now).job.state.tag).toBe('prepared');
  });

  it('starts counting anew when the user says so, and when it was accepted', () => {
    const asked = untilAsked(true).at(-1) ?? states.prepared;
    const again = transition(asked, { type: 'retry', consent: false }, now).job;
    expect([again.state.tag, again.pages, again.intent?.idempotencyKey]).toEqual(['queued', 0, keyA]);
    const met = meetPage(states.prepared, true, now).job;
    const sending = transition(transition(met, { type: 'unblock' }, now).job, events.go, now).job;
    const taken = transition(sending, { ...events.answered, attempt: sending.attempt } as typeof events.answered, now);
    expect(taken.job.pages).toBe(0);
  });

  it('keeps its key and its count through any order of HTML answers, even across restarts, and never asks before six', () => {
    const roll = fc.double({ min: 0, max: 0.999, noNaN: true });
    forAll(fc.array(fc.tuple(fc.boolean(), fc.boolean(), roll), { maxLength: 40 }), (steps) => {
      let job = states.prepared;
      let own = 0;
      let pause = 0;
      for (const [isItsOwn, restarts, chance] of steps) {
        if (job.state.tag === 'needs-user') break;
        own += isItsOwn || own === 0 ? 1 : 0;
        job = meetPage(job, isItsOwn, now, chance).job;
        expect([job.pages, job.intent?.idempotencyKey, job.intent?.isUnsettled]).toEqual([own, keyA, true]);
        expect(job.state.tag === 'needs-user').toBe(own >= 6 && isItsOwn);
        if (job.state.tag === 'waiting') {
          // The jitter removes a fifth at most, so no pause is shorter than four fifths of the previous one.
          expect(job.state.untilMs - now).toBeGreaterThanOrEqual(pause * 0.8);
          pause = job.state.untilMs - now;
        }
        if (!restarts) continue;
        const stored = parseJobRecord(JSON.stringify(job));
        expect(stored?.pages).toBe(own);
        const taken = recover(stored ?? job).job;
        job = taken.state.tag === 'queued' ? { ...taken, state: { tag: 'prepared' } } : taken;
      }
    });
  });

  it('of a library from before HTML answers were counted has none', () => {
    const { pages: _none, ...before } = states.prepared;
    expect(parseJobRecord(JSON.stringify(before))?.pages).toBe(0);
  });
});
