import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { answerMedia } from './media-answer.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-media-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'a.wav');
writeFileSync(path, Buffer.alloc(1000));

const ask = (target: string, method = 'GET', range?: string) =>
  answerMedia(
    target,
    new Request('https://x.invalid/', { method, ...(range === undefined ? {} : { headers: { range } }) }),
    {},
  );
const isLinux = process.platform === 'linux';
/** How many times this process has the file open. */
const handles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;

it('only a regular file is served', async () => {
  expect((await ask(folder)).status).toBe(404);
  if (process.platform !== 'win32') expect((await ask('/dev/zero')).status).toBe(404);
});

it.runIf(isLinux)(
  'a pipe in place of a recording is refused at once and blocks nothing',
  async () => {
    const pipe = join(folder, 'pipe.wav');
    execFileSync('mkfifo', [pipe]);
    expect((await ask(pipe)).status).toBe(404);
  },
  5000,
);

it.runIf(isLinux)('an answer without a body leaves no handle open', async () => {
  expect((await ask(path, 'HEAD')).status).toBe(200);
  expect((await ask(path, 'GET', 'bytes=5000-')).status).toBe(416);
  expect(handles()).toBe(0);
});
