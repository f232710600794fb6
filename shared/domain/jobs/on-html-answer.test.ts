import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { events, keyA, now, states } from '../../../tests/support/job-samples.ts';
import { makeFailure } from '../failures/make-failure.ts';
import type { JobMemory, Step } from './job-state.ts';
import { recover, transition } from './machine.ts';
import { parseJobMemory } from './stored-job.ts';

const page = makeFailure('E-009', { status: 200, envelope: 'html', params: { name: 'a.wav' } });

/** Sent once more, and answered with HTML. */
function meetPage(job: JobMemory, isItsOwn: boolean, atMs: number, roll = 0): Step {
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

/** The number of HTML answers until the user is asked; `owns`: whether other recordings got through in between. */
function untilAsked(owns: readonly boolean[], rolls: readonly number[]): readonly JobMemory[] {
  const met: JobMemory[] = [];
  let job = states.prepared;
  for (const [at, isItsOwn] of owns.entries()) {
    job = meetPage(job, isItsOwn, now, rolls[at] ?? 0).job;
    met.push(job);
    if (job.state.tag === 'needs-user') break;
  }
  return met;
}

describe('a recording that gets HTML answers', () => {
  it('waits with all others as long as none gets through, however often', () => {
    const met = untilAsked(
      Array.from({ length: 50 }, () => false),
      [],
    );
    expect(met).toHaveLength(50);
    expect(new Set(met.map(({ state }) => state.tag))).toEqual(new Set(['blocked']));
  });

  it('waits alone from the second answer on, 15 s, one minute and twice five, and asks the user at the sixth', () => {
    const met = untilAsked(
      Array.from({ length: 50 }, () => true),
      [],
    );
    expect(met.map(({ state }) => (state.tag === 'waiting' ? state.untilMs - now : state.tag))).toEqual([
      'blocked',
      15_000,
      60_000,
      300_000,
      300_000,
      'needs-user',
    ]);
    expect(met.at(-1)?.state).toMatchObject({ failure: { row: 'E-240', params: { name: 'a.wav' } } });
  });

  it('is not sent again when the network is open for others, and is when the user says so', () => {
    const own = meetPage(states.prepared, true, now).job;
    const alone = meetPage(own, true, now).job;
    const blocked = meetPage(alone, false, now).job;
    expect(blocked.state.tag).toBe('blocked');
    expect(transition(blocked, { type: 'unblock', isItsOwn: true }, now).job).toMatchObject({
      state: { tag: 'waiting', untilMs: now + 60_000, failure: { row: 'E-240' } },
      pages: 3,
    });
    expect(transition(blocked, { type: 'unblock' }, now).job.state.tag).toBe('prepared');
  });

  it('starts counting anew when the user says so, and when it was accepted', () => {
    const asked =
      untilAsked(
        Array.from({ length: 6 }, () => true),
        [],
      ).at(-1) ?? states.prepared;
    const again = transition(asked, { type: 'retry', consent: false }, now).job;
    expect([again.state.tag, again.pages, again.intent?.idempotencyKey]).toEqual(['queued', 0, keyA]);
    const met = meetPage(states.prepared, true, now).job;
    const sending = transition(transition(met, { type: 'unblock' }, now).job, events.go, now).job;
    const taken = transition(sending, { ...events.answered, attempt: sending.attempt } as typeof events.answered, now);
    expect(taken.job.pages).toBe(0);
  });

  it('keeps its key and its count through any order of HTML answers, even across restarts, and never asks before six', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 40 }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 40 }),
        (steps, rolls) => {
          let job = states.prepared;
          let own = 0;
          let pause = 0;
          for (const [at, [isItsOwn, restarts]] of steps.entries()) {
            if (job.state.tag === 'needs-user') break;
            own += isItsOwn || own === 0 ? 1 : 0;
            job = meetPage(job, isItsOwn, now, rolls[at]).job;
            expect([job.pages, job.intent?.idempotencyKey, job.intent?.isUnsettled]).toEqual([own, keyA, true]);
            expect(job.state.tag === 'needs-user').toBe(own >= 6 && isItsOwn);
            if (job.state.tag === 'waiting') {
              // The jitter removes a fifth at most, so no pause is shorter than four fifths of the previous one.
              expect(job.state.untilMs - now).toBeGreaterThanOrEqual(pause * 0.8);
              pause = job.state.untilMs - now;
            }
            if (!restarts) continue;
            const stored = parseJobMemory(JSON.stringify(job));
            expect(stored?.pages).toBe(own);
            const taken = recover(stored ?? job).job;
            job = taken.state.tag === 'queued' ? { ...taken, state: { tag: 'prepared' } } : taken;
          }
        },
      ),
    );
  });

  it('of a library from before HTML answers were counted has none', () => {
    const { pages: _none, ...before } = states.prepared;
    expect(parseJobMemory(JSON.stringify(before))?.pages).toBe(0);
  });
});
