import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../result/failure.ts';
import { makeFailure } from '../failures/make-failure.ts';
import {
  isFinal,
  newJobMemory,
  type AnswerFacts,
  type Intent,
  type JobEvent,
  type JobMemory,
  type JobState,
} from './job-state.ts';
import { recover, transition } from './machine.ts';
import { keyLifeMs, missingGraceMs, patienceMs } from './pace.ts';
import { parseJobMemory } from './stored-job.ts';

const now = 1_800_000_000_000;
const keyA = 'b4a1c0de-0000-4000-8000-000000000001';
const sha = 'a'.repeat(64);
const network = makeFailure('E-012', { outcome: 'unknown' });
const credits = makeFailure('E-034', { status: 402 });

const intent: Intent = {
  idempotencyKey: keyA,
  sha256: sha,
  sizeBytes: 10,
  mtimeMs: 1,
  firstSentAtMs: now - 1000,
  isUnsettled: true,
  boundTo: 'here',
  remoteId: null,
  acceptedAtMs: null,
};
const answer = (change: Partial<AnswerFacts> = {}): AnswerFacts => ({
  remoteId: 'tr_1',
  status: 'queued',
  rawStatus: 'queued',
  hasRawAnswer: true,
  errorCode: null,
  requestId: 'req_1',
  text: null,
  ...change,
});
const job = (state: JobState, change: Partial<JobMemory> = {}): JobMemory => ({
  ...newJobMemory,
  intent,
  attempt: 7,
  ...change,
  state,
});

const states: Record<JobState['tag'], JobMemory> = {
  queued: job({ tag: 'queued' }, { intent: null }),
  prepared: job({ tag: 'prepared' }),
  sending: job({ tag: 'sending', wasUnsettled: false }),
  looking: job({ tag: 'looking' }),
  polling: job(
    { tag: 'polling', isProcessing: false, rawStatus: 'queued' },
    { intent: { ...intent, remoteId: 'tr_1', acceptedAtMs: now, isUnsettled: false } },
  ),
  fetching: job(
    { tag: 'fetching' },
    { intent: { ...intent, remoteId: 'tr_1', acceptedAtMs: now, isUnsettled: false } },
  ),
  done: job({ tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: now }),
  waiting: job({ tag: 'waiting', resume: 'send', untilMs: now, failure: network }),
  blocked: job({ tag: 'blocked', resume: 'send', by: 'credits', failure: credits }),
  paused: job({ tag: 'paused', resume: 'send', sentBytes: 5 }),
  'needs-user': job({ tag: 'needs-user', failure: makeFailure('E-041') }),
  failed: job({ tag: 'failed', failure: makeFailure('E-160'), hasRawAnswer: false }),
  cancelled: job({ tag: 'cancelled', isAcceptedByService: false }),
};

const attempt = 7;
const events: Record<JobEvent['type'], JobEvent> = {
  hashed: { type: 'hashed', attempt, sha256: sha, sizeBytes: 10, mtimeMs: 1, freshKey: keyA, duplicate: null },
  'prepare-failed': { type: 'prepare-failed', attempt, failure: makeFailure('E-211', { code: 'empty' }), roll: 0 },
  pause: { type: 'pause', sentBytes: 5 },
  unpause: { type: 'unpause' },
  hold: { type: 'hold' },
  copied: { type: 'copied', text: { transcriptId: 't', speakerCount: 1 } },
  go: { type: 'go', boundTo: 'here' },
  answered: { type: 'answered', attempt, answer: answer() },
  'send-failed': { type: 'send-failed', attempt, failure: network, roll: 0 },
  polled: { type: 'polled', attempt, answer: answer({ text: { transcriptId: 't', speakerCount: 2 } }) },
  'poll-failed': { type: 'poll-failed', attempt, failure: network, roll: 0 },
  looked: { type: 'looked', attempt, remoteId: null },
  'look-failed': { type: 'look-failed', attempt, failure: network, roll: 0 },
  exported: { type: 'exported', attempt, text: { transcriptId: 't', speakerCount: 0 } },
  'export-failed': { type: 'export-failed', attempt, failure: network, roll: 0 },
  woke: { type: 'woke', attempt },
  unblock: { type: 'unblock' },
  cancel: { type: 'cancel' },
  retry: { type: 'retry', consent: true },
};

/** Only what moves; every pair that is not named leaves the job as the same object without commands. */
const table: { readonly [S in JobState['tag']]: { readonly [E in JobEvent['type']]?: JobState['tag'] } } = {
  queued: { hashed: 'prepared', 'prepare-failed': 'needs-user', pause: 'paused', cancel: 'cancelled' },
  prepared: { go: 'sending', pause: 'paused', cancel: 'cancelled' },
  sending: { answered: 'polling', 'send-failed': 'waiting', pause: 'paused', hold: 'prepared', cancel: 'cancelled' },
  looking: { looked: 'needs-user', 'look-failed': 'waiting', cancel: 'cancelled' },
  polling: { polled: 'done', 'poll-failed': 'waiting', cancel: 'cancelled' },
  fetching: {
    polled: 'done',
    'poll-failed': 'waiting',
    exported: 'done',
    'export-failed': 'waiting',
    cancel: 'cancelled',
  },
  done: {},
  waiting: { woke: 'prepared', pause: 'paused', cancel: 'cancelled', retry: 'prepared' },
  blocked: { unblock: 'prepared', pause: 'paused', cancel: 'cancelled', retry: 'prepared' },
  paused: { unpause: 'prepared', cancel: 'cancelled', retry: 'prepared' },
  'needs-user': { cancel: 'cancelled', retry: 'queued' },
  failed: { retry: 'queued' },
  cancelled: { retry: 'queued' },
};

describe('the table of a job', () => {
  for (const [tag, memory] of Object.entries(states)) {
    for (const [type, event] of Object.entries(events)) {
      const expected = table[tag as JobState['tag']][type as JobEvent['type']];
      it(`${tag} + ${type} -> ${expected ?? 'unchanged'}`, () => {
        const step = transition(memory, event, now);
        if (expected === undefined) {
          expect(step).toEqual({ job: memory, commands: [] });
          expect(step.job).toBe(memory);
        } else {
          expect(step.job.state.tag).toBe(expected);
          expect(step.job.attempt).toBeGreaterThan(memory.attempt);
        }
      });
    }
  }

  it('ignores every report of an older attempt, in every state', () => {
    for (const memory of Object.values(states)) {
      for (const event of Object.values(events)) {
        if (!('attempt' in event)) continue;
        expect(transition(memory, { ...event, attempt: attempt - 1 }, now).job).toBe(memory);
      }
    }
  });

  it('does not take a stored row in which anything is of another kind or missing', () => {
    const spoil = (value: unknown): unknown => (typeof value === 'object' && value !== null ? 7 : { not: 'this' });
    const spoilt = (parent: object, rebuild: (changed: object) => object): object[] =>
      Object.entries(parent).flatMap(([name, value]) => [
        rebuild({ ...parent, [name]: spoil(value) }),
        rebuild(Object.fromEntries(Object.entries(parent).filter(([other]) => other !== name))),
      ]);
    for (const memory of Object.values(states)) {
      const broken = [
        ...spoilt(memory, (changed) => changed),
        ...spoilt(memory.state, (state) => ({ ...memory, state })),
        ...(memory.intent === null ? [] : spoilt(memory.intent, (intent) => ({ ...memory, intent }))),
      ];
      for (const one of broken) expect(parseJobMemory(JSON.stringify(one)), JSON.stringify(one)).toBeNull();
    }
  });

  it('survives storing and reading back in every state', () => {
    for (const memory of Object.values(states)) expect(parseJobMemory(JSON.stringify(memory))).toEqual(memory);
    expect(parseJobMemory('{')).toBeNull();
    expect(parseJobMemory('{"state":{"tag":"flying"}}')).toBeNull();
  });
});

describe('an unknown outcome', () => {
  it('is taken up after a crash by hashing again and sending under the same key', () => {
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

  it('is looked for first when the key is older than 20 hours or belongs to another account', () => {
    expect(transition(states.prepared, events.go, now + keyLifeMs + 1).job.state.tag).toBe('looking');
    expect(transition(states.prepared, events.go, now - 24 * 3_600_000).job.state.tag).toBe('looking');
    const other = transition(states.prepared, { type: 'go', boundTo: 'elsewhere' }, now);
    expect(other.job.state.tag).toBe('looking');
    expect(other.job.otherwise?.row).toBe('E-042');
  });

  it('goes on under its own key when the account it belongs to is back, and asks again while it is not', () => {
    const asked = { ...states.prepared, state: { tag: 'needs-user', failure: makeFailure('E-042') } } as const;
    const { job, commands } = transition(asked, { type: 'retry', consent: false }, now);
    expect([job.state.tag, commands]).toEqual(['queued', [{ type: 'prepare' }]]);
    expect(job.intent).toEqual(states.prepared.intent);
  });

  it('stays unknown when a later try under the same key is refused', () => {
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

describe('a receipt that does not come', () => {
  it('is asked for twice more under the same key, then looked for, then told', () => {
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

  it('that could not be read is never said to have failed: a person is asked, and the answer is kept', () => {
    const last = { ...states.sending, noReceipts: 2 };
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

  it('is polled on for a minute, then looked for, then told; never uploaded again by itself', () => {
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

  it('is adopted when the list knows it', () => {
    const looking = gone(gone(states.polling, now), now + missingGraceMs);
    const found = transition(looking, { type: 'looked', attempt: looking.attempt, remoteId: 'tr_1' }, now);
    expect(found.job.state.tag).toBe('polling');
    expect(found.job.intent?.acceptedAtMs).toBe(now);
  });
});

describe('a finished job without text', () => {
  it('is read five times more, then exported, then a person is asked', () => {
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
    expect(transition(memory, { type: 'exported', attempt: memory.attempt, text: null }, now).job.state).toMatchObject({
      tag: 'needs-user',
      failure: { row: 'E-028' },
    });
  });

  it('that never ends is handed to a person after a day', () => {
    const step = transition(states.polling, { type: 'polled', attempt, answer: answer() }, now + patienceMs + 1);
    expect(step.job.state).toMatchObject({ tag: 'needs-user', failure: { row: 'E-161' } });
  });

  it('that says nothing new writes nothing', () => {
    const step = transition(states.polling, { type: 'polled', attempt, answer: answer() }, now + 10_000);
    expect(step.job).toBe(states.polling);
    expect(step.commands).toEqual([{ type: 'poll', delayMs: 6_000 }]);
  });
});

describe('a pause', () => {
  it('stops an upload and keeps its key; going on sends the same bytes under it again', () => {
    const stopped = transition(states.sending, { type: 'pause', sentBytes: 4 }, now);
    expect(stopped.job.state).toEqual({ tag: 'paused', resume: 'send', sentBytes: 4 });
    expect(stopped.commands).toEqual([{ type: 'abort' }]);
    const again = transition(transition(stopped.job, events.unpause, now).job, events.go, now).job;
    expect(again.state).toEqual({ tag: 'sending', wasUnsettled: true });
    expect(again.intent?.idempotencyKey).toBe(keyA);
  });

  it('outlives a crash and ends only by a wish', () => {
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

describe('the copy of an earlier text', () => {
  it('ends the question about a twin as done, without a send', () => {
    const asked = { ...states.prepared, state: { tag: 'needs-user', failure: makeFailure('E-212') } } as const;
    const step = transition(asked, events.copied, now);
    expect(step.job.state).toMatchObject({ tag: 'done', transcriptId: 't' });
    expect(step.commands).toEqual([]);
  });
});

describe('a changed file', () => {
  const other: JobEvent = { ...events.hashed, sha256: 'b'.repeat(64) } as JobEvent;
  it('is never sent under the old key; what may have been sent is looked for first', () => {
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

describe('properties (P-16)', () => {
  const failures: readonly Failure[] = [
    network,
    credits,
    makeFailure('E-001'),
    makeFailure('E-003'),
    makeFailure('E-010'),
    makeFailure('E-011'),
    makeFailure('E-030', { status: 400 }),
    makeFailure('E-032', { status: 401 }),
    makeFailure('E-040', { status: 404 }),
    makeFailure('E-045', { status: 409 }),
    makeFailure('E-052', { status: 429, retryAfterMs: 5000 }),
    makeFailure('E-056', { status: 500 }),
    makeFailure('E-180'),
  ];
  const failure = fc.constantFrom(...failures);
  const roll = fc.double({ min: 0, max: 0.999, noNaN: true });
  const status = fc.constantFrom('queued', 'processing', 'completed', 'failed', 'unknown');
  const text = fc.option(fc.constant({ transcriptId: 't', speakerCount: 1 }), { nil: null });
  const facts = fc.record({
    remoteId: fc.option(fc.constant('tr_1'), { nil: null }),
    status,
    rawStatus: fc.option(fc.constant('odd'), { nil: null }),
    hasRawAnswer: fc.boolean(),
    errorCode: fc.constant(null),
    requestId: fc.constant(null),
    text,
  }) as fc.Arbitrary<AnswerFacts>;
  const late = fc.constantFrom(0, 0, 0, 1);
  type Plan = (memory: JobMemory, freshKey: string) => JobEvent;
  const report =
    (make: (attempt: number, freshKey: string) => JobEvent, lateBy: number): Plan =>
    (memory, freshKey) =>
      make(memory.attempt - lateBy, freshKey);
  const plan: fc.Arbitrary<Plan> = fc.oneof(
    fc.tuple(late, fc.constantFrom(sha, sha, 'b'.repeat(64))).map(([by, sha256]) =>
      report(
        (at, freshKey) => ({
          type: 'hashed',
          attempt: at,
          sha256,
          sizeBytes: 1,
          mtimeMs: 1,
          freshKey,
          duplicate: null,
        }),
        by,
      ),
    ),
    fc.constantFrom('here', 'here', 'there').map((boundTo): Plan => () => ({ type: 'go', boundTo })),
    fc.tuple(late, facts).map(([by, a]) => report((at) => ({ type: 'answered', attempt: at, answer: a }), by)),
    fc.tuple(late, facts).map(([by, a]) => report((at) => ({ type: 'polled', attempt: at, answer: a }), by)),
    fc
      .tuple(
        late,
        failure,
        roll,
        fc.constantFrom('prepare-failed', 'send-failed', 'poll-failed', 'look-failed', 'export-failed'),
      )
      .map(([by, f, r, type]) => report((at) => ({ type, attempt: at, failure: f, roll: r }) as JobEvent, by)),
    fc
      .tuple(late, fc.constantFrom(null, 'tr_1'))
      .map(([by, id]) => report((at) => ({ type: 'looked', attempt: at, remoteId: id }), by)),
    fc.tuple(late, text).map(([by, t]) => report((at) => ({ type: 'exported', attempt: at, text: t }), by)),
    late.map((by) => report((at) => ({ type: 'woke', attempt: at }), by)),
    fc.constant<Plan>(() => ({ type: 'unblock' })),
    fc.constantFrom<Plan>(
      () => ({ type: 'pause', sentBytes: 1 }),
      () => ({ type: 'unpause' }),
      () => ({ type: 'hold' }),
    ),
    fc.constant<Plan>(() => ({ type: 'cancel' })),
  );
  const runs = process.env['OVOZ_LONG'] ? 20_000 : 2_000;

  it('no path leaves a final state, the key never changes, and the attempt only grows, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(plan, fc.nat(40 * 3_600_000)), { maxLength: 60 }), (steps) => {
        let memory = newJobMemory;
        let clock = now;
        const keys = new Set<string>();
        let minted = 0;
        for (const [make, passes] of steps) {
          clock += passes;
          const before = memory;
          const step = transition(before, make(before, `key-${minted++}`), clock);
          memory = step.job;
          if (isFinal(before.state)) expect(memory).toBe(before);
          expect(memory.attempt).toBeGreaterThanOrEqual(before.attempt);
          if (memory.intent) keys.add(memory.intent.idempotencyKey);
          expect(keys.size).toBeLessThanOrEqual(1);
          // Once the service's id is known nothing is uploaded again.
          if (before.intent && before.intent.remoteId !== null) {
            expect(step.commands.some((command) => command.type === 'send')).toBe(false);
          }
          if (step.commands.some((command) => command.type === 'send')) expect(memory.intent?.isUnsettled).toBe(true);
          // A crash here and a restart keep the key, too.
          const restarted = recover(memory).job;
          expect(restarted.intent).toEqual(memory.intent);
        }
      }),
      { numRuns: runs },
    );
  });

  it('a person who has not agreed to a new charge never gets a second key while the first may have been accepted', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            plan,
            fc.constant<Plan>(() => ({ type: 'retry', consent: false })),
          ),
          { maxLength: 60 },
        ),
        (steps) => {
          let memory = newJobMemory;
          for (const [index, make] of steps.entries()) {
            const before = memory;
            memory = transition(before, make(before, `key-${index}`), now).job;
            const wasDropped = before.intent !== null && memory.intent === null;
            if (wasDropped) expect([before.intent?.isUnsettled, before.intent?.remoteId]).toEqual([false, null]);
          }
        },
      ),
      { numRuns: runs },
    );
  });
});
