import { statSync } from 'node:fs';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { proveBatch } from '../support/batch-proof.ts';
import { openRunRig, type RunRig } from '../support/run-rig.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const seed = Number(process.env['OVOZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** A fifth of the uploads is accepted without an answer; answers are so slow that kills fall into them. */
const rules = (random: () => number): readonly Readonly<Record<string, unknown>>[] => {
  const upload = { route: '/v1/stt', method: 'POST' };
  const dropSeed = Math.floor(random() * 2 ** 31);
  return [
    { ...upload, fault: 'drop-answer-after-acceptance', probability: 0.2, seed: dropSeed },
    { ...upload, fault: 'delay', ms: isLong ? 120 : 350, when: 'after' },
  ];
};

/** How a run was ended: after how many milliseconds, and how long it then took to exit. */
interface Ended {
  readonly afterMs: number;
  readonly tookMs: number;
  readonly code: number | null;
}

const logSize = (rig: RunRig): number =>
  statSync(join(rig.root, 'data/logs/cli.log'), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Runs the command and ends it: killed at any moment from its start, half of the times after its work has begun; asked
 * to exit only then, because it does not listen before. Null if it exited by itself.
 */
async function endOnce(rig: RunRig, signal: 'SIGKILL' | 'SIGTERM', random: () => number): Promise<Ended | null> {
  const before = logSize(rig);
  const run = rig.start();
  let hasEnded = false;
  const ended = run.ended.finally(() => (hasEnded = true));
  const fallsIntoWork = signal === 'SIGTERM' || random() < 0.5;
  while (fallsIntoWork && !hasEnded && logSize(rig) === before) await delay(10);
  const afterMs = Math.round(random() * (fallsIntoWork ? 700 : 1300));
  await Promise.race([ended, delay(afterMs)]);
  if (hasEnded) return null;
  const sentAtMs = performance.now();
  run.kill(signal);
  const { code } = await ended;
  return { afterMs, tookMs: performance.now() - sentAtMs, code };
}

/** Batches that are ended this often, each checked at its end. */
async function endAtRandom(signal: 'SIGKILL' | 'SIGTERM', count: number, fileCount: number): Promise<readonly Ended[]> {
  const random = seededRandom(seed);
  const ends: Ended[] = [];
  let uploads = 0;
  let batches = 0;
  while (ends.length < count) {
    const rig = await openRunRig(fileCount, rules(random));
    const moments: number[] = [];
    while (ends.length < count) {
      const ended = await endOnce(rig, signal, random);
      if (ended === null) break;
      ends.push(ended);
      moments.push(ended.afterMs);
    }
    batches += 1;
    const told = `batch ${batches}, kept in ${rig.root}, ended after (ms) ${moments.join(', ')}`;
    uploads += await proveBatch(rig, fileCount, told);
    await rig.dispose();
  }
  console.log(`${signal} ${ends.length} times in ${batches} batches of ${fileCount}, ${uploads} uploads begun`);
  // More uploads than files: answers were lost and kills hit the work, otherwise this proves nothing.
  expect(uploads).toBeGreaterThan(batches * fileCount);
  return ends;
}

describe(`a run that is ended at random moments, with a part of the answers lost (repeat with OVOZ_SEED=${seed})`, () => {
  const timeout = isLong ? 3_600_000 : 120_000;

  test('F-01: killed outright, each file is transcribed once under one idempotency key', { timeout }, async () => {
    await endAtRandom('SIGKILL', isLong ? 200 : 7, isLong ? 100 : 10);
  });

  test(
    'F-44: asked to end, it exits by itself and loses and repeats nothing either',
    { timeout, tags: ['long'] },
    async () => {
      const ends = await endAtRandom('SIGTERM', isLong ? 100 : 3, isLong ? 50 : 6);
      // A run that has just finished exits as usual.
      expect(ends.filter(({ code }) => code !== 130 && code !== 0)).toEqual([]);
      expect(ends.some(({ code }) => code === 130)).toBe(true);
      const slowest = Math.max(...ends.map(({ tookMs }) => tookMs));
      console.log(`the slowest end took ${Math.round(slowest)} ms`);
      if (isLong) expect(slowest).toBeLessThan(3_000);
    },
  );
});
