import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkThread } from './work-thread.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

/** Answers with its first word, unless that asks for a malfunction; the second is a file that tells how often it tried. */
const strangeWorker = `
  import { appendFileSync, readFileSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (request) => {
    const [how, tries] = request.split(' ');
    if (how === 'crash') throw new Error('crash');
    if (tries !== undefined) appendFileSync(tries, 'x');
    if (how === 'loop' || (how === 'once' && readFileSync(tries, 'utf8') === 'x')) for (;;);
    if (how !== 'slow') return parentPort.postMessage({ outcome: how });
    const timer = setInterval(() => {
      const isDone = readFileSync(tries, 'utf8') === 'done';
      if (isDone) clearInterval(timer);
      parentPort.postMessage({ outcome: isDone ? how : null, share: 0 });
    }, 5);
  });
`;
const silenceLimitMs = 20_000;

let folder = '';
let tries = '';
let thread: WorkThread<string, 'closed' | 'stopped working'>;
beforeEach(() => {
  // The silence is counted by an interval of this side.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = folderOfTest();
  tries = join(folder, 'tries');
  thread = new WorkThread({
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(strangeWorker)}`),
    workerData: { role: 'strange' },
    silenceLimitMs,
    lost: (reason) => reason,
  });
});
afterEach(async () => {
  await thread.close();
  vi.useRealTimers();
});

const tried = (times: number) =>
  expect.poll(() => (existsSync(tries) ? readFileSync(tries, 'utf8') : '')).toBe('x'.repeat(times));

it('work that hangs twice or crashes is lost, and the next is done', async () => {
  const outcomes = Promise.all([`loop ${tries}`, 'good', 'crash', 'fine'].map((request) => thread.run(request)));
  await tried(1);
  vi.advanceTimersByTime(silenceLimitMs);
  await tried(2);
  vi.advanceTimersByTime(silenceLimitMs);
  expect(await outcomes).toEqual(['stopped working', 'good', 'stopped working', 'fine']);
});

it('a thread is waited for as long as there are signs of life', async () => {
  let signs = 0;
  const outcome = thread.run(`slow ${tries}`, () => (signs += 1));
  for (let round = 0; round < 3; round += 1) {
    const before = signs;
    await expect.poll(() => signs).toBeGreaterThan(before);
    // Polling advances these timers a little too.
    vi.advanceTimersByTime(silenceLimitMs / 2);
  }
  writeFileSync(tries, 'done');
  expect(await outcome).toBe('slow');
});

it('all waiting work is lost when the thread is closed', async () => {
  const outcomes = Promise.all([thread.run(`loop ${tries}`), thread.run('good')]);
  await tried(1);
  await thread.close();
  expect(await outcomes).toEqual(['stopped working', 'closed']);
});
