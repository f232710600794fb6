import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import type { Failure } from '../../result/failure.ts';
import { makeFailure } from '../failures/make-failure.ts';
import { isFinal, newJobRecord, type AnswerFacts, type JobEvent, type JobRecord, type JobState } from './job-state.ts';
import { recover, transition } from './machine.ts';
import { parseJobRecord } from './stored-job.ts';
import {
  now,
  sha,
  network,
  credits,
  states,
  attempt,
  events,
  intent,
  job,
} from '../../../tests/support/job-samples.ts';

/** Only transitions are listed; every other pair leaves the job as the same object without commands. */
const table: { readonly [S in JobState['tag']]: { readonly [E in JobEvent['type']]?: JobState['tag'] } } = {
  queued: { hashed: 'prepared', 'prepare-failed': 'needs-user', pause: 'paused', cancel: 'cancelled' },
  prepared: { go: 'sending', pause: 'paused', cancel: 'cancelled' },
  sending: { answered: 'polling', 'send-failed': 'waiting', pause: 'paused', cancel: 'cancelled' },
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

it('a repeat of a request that may have been accepted keeps the time of its first send, by which its key ages', () => {
  const fresh = { ...intent, firstSentAtMs: null, isUnsettled: false };
  const sent = transition(job({ tag: 'prepared' }, { intent: fresh }), { type: 'go', boundTo: 'here' }, 1000).job;
  const lost = { type: 'send-failed', attempt: sent.attempt, failure: network, roll: 0 } as const;
  const waiting = transition(sent, lost, 2000).job;
  const woken = transition(waiting, { type: 'woke', attempt: waiting.attempt }, 3000).job;
  const again = transition(woken, { type: 'go', boundTo: 'here' }, 4000).job;
  expect([again.state.tag, sent.intent?.firstSentAtMs, again.intent?.firstSentAtMs]).toEqual(['sending', 1000, 1000]);
});

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

  it('rejects a stored row with a missing value or one of another type', () => {
    const spoil = (value: unknown): unknown => (typeof value === 'object' && value !== null ? 7 : { not: 'this' });
    // Earlier versions did not count HTML answers.
    const mayMiss = new Set(['pages']);
    const spoilt = (parent: object, rebuild: (changed: object) => object): object[] =>
      Object.entries(parent).flatMap(([name, value]) => [
        rebuild({ ...parent, [name]: spoil(value) }),
        ...(mayMiss.has(name)
          ? []
          : [rebuild(Object.fromEntries(Object.entries(parent).filter(([other]) => other !== name)))]),
      ]);
    for (const memory of Object.values(states)) {
      const broken = [
        ...spoilt(memory, (changed) => changed),
        ...spoilt(memory.state, (state) => ({ ...memory, state })),
        ...(memory.intent === null ? [] : spoilt(memory.intent, (intent) => ({ ...memory, intent }))),
      ];
      for (const one of broken) expect(parseJobRecord(JSON.stringify(one)), JSON.stringify(one)).toBeNull();
    }
  });

  it('survives storing and reading back in every state', () => {
    for (const memory of Object.values(states)) expect(parseJobRecord(JSON.stringify(memory))).toEqual(memory);
    expect(parseJobRecord('{')).toBeNull();
    expect(parseJobRecord('{"state":{"tag":"flying"}}')).toBeNull();
  });
});

describe('properties (P-16)', () => {
  const failures: readonly Failure[] = [
    network,
    credits,
    makeFailure('offline'),
    makeFailure('service-unreachable'),
    makeFailure('web-page-answered', { status: 200, envelope: 'html' }),
    makeFailure('file-unreadable'),
    makeFailure('file-changed'),
    makeFailure('request-invalid', { status: 400 }),
    makeFailure('key-refused', { status: 401 }),
    makeFailure('deleted-at-service', { status: 404 }),
    makeFailure('already-sent', { status: 409 }),
    makeFailure('rate-limited-until', { status: 429, retryAfterMs: 5000 }),
    makeFailure('server-error', { status: 500 }),
    makeFailure('disk-full'),
  ];
  const failure = fc.constantFrom(...failures);
  const roll = fc.double({ min: 0, max: 0.999, noNaN: true });
  const status = fc.constantFrom('queued', 'processing', 'completed', 'failed', 'unknown');
  const result = fc.option(fc.constant({ transcriptId: 't', speakerCount: 1 }), { nil: null });
  const facts = fc.record({
    remoteId: fc.option(fc.constant('tr_1'), { nil: null }),
    status,
    rawStatus: fc.option(fc.constant('odd'), { nil: null }),
    hasRawAnswer: fc.boolean(),
    errorCode: fc.constant(null),
    requestId: fc.constant(null),
    result,
  }) as fc.Arbitrary<AnswerFacts>;
  const late = fc.constantFrom(0, 0, 0, 1);
  type Plan = (memory: JobRecord, freshKey: string) => JobEvent;
  const report =
    (make: (attempt: number, freshKey: string) => JobEvent, lateBy: number): Plan =>
    (memory, freshKey) =>
      make(memory.attempt - lateBy, freshKey);
  const failed = fc.constantFrom('prepare-failed', 'send-failed', 'poll-failed', 'look-failed', 'export-failed');
  const hashed = (attempt: number, freshKey: string, sha256: string): JobEvent => {
    const file = { sha256, sizeBytes: 1, mtimeMs: 1 };
    return { type: 'hashed', attempt, ...file, freshKey, duplicate: null };
  };
  const plan: fc.Arbitrary<Plan> = fc.oneof(
    fc
      .tuple(late, fc.constantFrom(sha, sha, 'b'.repeat(64)))
      .map(([by, sha256]) => report((at, freshKey) => hashed(at, freshKey, sha256), by)),
    fc.constantFrom('here', 'here', 'there').map((boundTo): Plan => () => ({ type: 'go', boundTo })),
    fc.tuple(late, facts).map(([by, a]) => report((at) => ({ type: 'answered', attempt: at, answer: a }), by)),
    fc.tuple(late, facts).map(([by, a]) => report((at) => ({ type: 'polled', attempt: at, answer: a }), by)),
    fc
      .tuple(late, failure, roll, failed)
      .map(([by, f, r, type]) =>
        report((at) => ({ type, attempt: at, failure: f, roll: r, isItsOwn: r > 0.5 }) as JobEvent, by),
      ),
    fc
      .tuple(late, fc.constantFrom(null, 'tr_1'))
      .map(([by, id]) => report((at) => ({ type: 'looked', attempt: at, remoteId: id }), by)),
    fc.tuple(late, result).map(([by, t]) => report((at) => ({ type: 'exported', attempt: at, result: t }), by)),
    late.map((by) => report((at) => ({ type: 'woke', attempt: at }), by)),
    fc.boolean().map((isItsOwn): Plan => () => ({ type: 'unblock', isItsOwn })),
    fc.constantFrom<Plan>(
      () => ({ type: 'pause', sentBytes: 1 }),
      () => ({ type: 'unpause' }),
      () => ({ type: 'cancel' }),
    ),
  );
  const runs = process.env['OVOZ_LONG'] ? 20_000 : 2_000;

  it('no path leaves a final state, the key never changes, and the attempt only grows, whatever happens', () => {
    forAllIn(runs, fc.array(fc.tuple(plan, fc.nat(40 * 3_600_000)), { maxLength: 60 }), (steps) => {
      let memory = newJobRecord;
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
        // A crash and a restart at this point keep the key, too.
        const restarted = recover(memory).job;
        expect(restarted.intent).toEqual(memory.intent);
      }
    });
  });

  it('without consent to a new charge there is never a second key while the first may have been accepted', () => {
    const retry = fc.constant<Plan>(() => ({ type: 'retry', consent: false }));
    forAllIn(runs, fc.array(fc.oneof(plan, retry), { maxLength: 60 }), (steps) => {
      let memory = newJobRecord;
      for (const [index, make] of steps.entries()) {
        const before = memory;
        memory = transition(before, make(before, `key-${index}`), now).job;
        const wasDropped = before.intent !== null && memory.intent === null;
        if (wasDropped) expect([before.intent?.isUnsettled, before.intent?.remoteId]).toEqual([false, null]);
      }
    });
  });
});
