import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readAttempts } from '../../electron/practice/state.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { proveBatch } from '../support/batch-proof.ts';
import { jsonLines } from '../support/cli-run.ts';
import { openRunRig, type RunRig } from '../support/run-rig.ts';

const times = process.env['OVOZ_LONG'] === undefined ? 1 : 20;
const seed = Number(process.env['OVOZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const timeout = times * 150_000;
const upload = { route: '/v1/stt', method: 'POST' };

/** A fifth of the uploads is accepted without an answer; answers are so slow that kills fall into them. */
const rules = (random: () => number) => [
  { ...upload, fault: 'drop-answer-after-acceptance', probability: 0.2, seed: Math.floor(random() * 2 ** 31) },
  { ...upload, fault: 'delay', ms: 350, when: 'after' },
];
const logSize = (rig: RunRig): number =>
  statSync(join(rig.root, 'data/logs/cli.log'), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Runs the command and ends it: killed at any moment from its start, half of the times after its work has begun; asked
 * to exit only then, because it does not listen before. Null if it exited by itself.
 */
async function endOnce(rig: RunRig, signal: 'SIGKILL' | 'SIGTERM', random: () => number) {
  const before = logSize(rig);
  const run = rig.start();
  let hasEnded = false;
  const ended = run.ended.finally(() => (hasEnded = true));
  const fallsIntoWork = signal === 'SIGTERM' || random() < 0.5;
  while (fallsIntoWork && !hasEnded && logSize(rig) === before) await delay(10);
  const afterMs = Math.round(random() * (fallsIntoWork ? 700 : 1300));
  await Promise.race([ended, delay(afterMs)]);
  if (hasEnded) return null;
  run.kill(signal);
  const { code } = await ended;
  return { afterMs, code };
}

/** Batches that are ended this often, each checked at its end. Resolves with the exit codes. */
async function endAtRandom(signal: 'SIGKILL' | 'SIGTERM', count: number, fileCount: number) {
  const random = seededRandom(seed);
  const codes: (number | null)[] = [];
  let uploads = 0;
  let batches = 0;
  while (codes.length < count) {
    const rig = await openRunRig(fileCount, rules(random));
    const moments: number[] = [];
    while (codes.length < count) {
      const ended = await endOnce(rig, signal, random);
      if (ended === null) break;
      codes.push(ended.code);
      moments.push(ended.afterMs);
    }
    batches += 1;
    const told = `batch ${batches}, kept in ${rig.root}, ended after (ms) ${moments.join(', ')}`;
    uploads += await proveBatch(rig, fileCount, told);
    await rig.dispose();
  }
  // More uploads than files: answers were lost and kills hit the work, otherwise this proves nothing.
  expect(uploads).toBeGreaterThan(batches * fileCount);
  return codes;
}

test(
  `F-01: killed outright at random moments, each file is transcribed once under one idempotency key (OVOZ_SEED=${seed})`,
  async () => void (await endAtRandom('SIGKILL', 7 * times, 10)),
  timeout,
);

test(
  'F-44: asked to end, it exits by itself and loses and repeats nothing either',
  async () => {
    const codes = await endAtRandom('SIGTERM', 2 * times, 6);
    // A run that has just finished exits as usual.
    expect(codes.filter((code) => code !== 130 && code !== 0)).toEqual([]);
    expect(codes).toContain(130);
  },
  timeout,
);

/** In the long run every commit of the first dozen. */
const moments =
  times === 1
    ? ['3-after', '6-before']
    : Array.from({ length: 24 }, (_, at) => `${1 + (at >> 1)}-${at % 2 ? 'after' : 'before'}`);

test.each(moments)(
  'F-02: every file is transcribed once, though the process dies right before or after a commit (%s)',
  async (moment) => {
    const hook = fileURLToPath(new URL('../support/die-at-commit.ts', import.meta.url));
    const rig = await openRunRig(3, [{ ...upload, nth: 2, fault: 'drop-answer-after-acceptance' }]);
    const first = await rig.start({ hooks: { modules: [hook], env: { DIE_AT: moment } } }).ended;
    expect(first.signal).toBe('SIGKILL');
    const { out } = await rig.start().ended;
    const checked = await rig.check('--items', '3', '--done', '3');
    expect([jsonLines(out).at(-1)?.summary?.done, ...checked.lines.slice(0, -1)]).toEqual([3]);
    expect(checked.code).toBe(0);
    await rig.dispose();
  },
  timeout,
);

test(
  'F-05: the computer restarts while eight items are being sent, and its temporary folder is emptied: the same keys are sent again, nothing is done twice',
  async () => {
    const fileCount = 12;
    const lost = { ...upload, fault: 'never-answer' };
    // Half of the running uploads were accepted, the other half not received; no answer ever arrived.
    const rig = await openRunRig(
      fileCount,
      [
        { ...lost, nth: [1, 2, 3, 4], when: 'after' },
        { ...lost, nth: [5, 6, 7, 8], when: 'before' },
      ],
      { concurrency: 8 },
    );
    const attempts = () => readAttempts(rig.serviceDir).map(({ idempotencyKey }) => idempotencyKey);
    const temporary = join(rig.root, 'temporary');
    mkdirSync(temporary);
    const hooks = { modules: [], env: { TMPDIR: temporary, TMP: temporary, TEMP: temporary } };
    const run = rig.start({ hooks });
    await expect.poll(() => attempts().length, { timeout: 60_000 }).toBe(8);
    run.kill();
    await run.ended;
    const before = new Set(attempts());
    const library = new DatabaseSync(rig.libraryPath, { readOnly: true });
    expect(library.prepare("SELECT count(*) AS n FROM jobs WHERE tag = 'sending'").get()).toEqual({ n: 8 });
    library.close();
    expect(before.size).toBe(8);

    rmSync(temporary, { recursive: true });
    mkdirSync(temporary);
    const { code, out } = await rig.start({ hooks }).ended;
    expect(jsonLines(out).at(-1)).toEqual({ summary: { done: fileCount, failed: 0, skipped: 0 } });
    expect(code).toBe(0);
    const keys = attempts();
    expect(new Set(keys).size).toBe(fileCount);
    for (const key of before) expect(keys.filter((one) => one === key)).toHaveLength(2);
    // Only the library has what is needed to resume.
    expect(readdirSync(temporary)).toEqual([]);
    await rig.stopService();
    const checked = await rig.check('--items', String(fileCount), '--done', String(fileCount));
    expect(checked.lines.slice(0, -1)).toEqual([]);
    expect(checked.code).toBe(0);
    await rig.dispose();
  },
  timeout,
);
