import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { fixtureFolder, launchFixture, type Fixture } from './launch-fixture.ts';

const electron = createRequire(import.meta.url)('electron') as unknown as string;
const options = process.platform === 'linux' ? ['--no-sandbox'] : [];
let run: Fixture;
test.beforeAll(async () => {
  run = await launchFixture();
});
test.afterAll(() => run.close());

test('a second start notifies the first one and exits', async () => {
  const second = spawnSync(electron, [...options, '.', '--second'], {
    cwd: fixtureFolder,
    env: { ...process.env, FIXTURE_USER_DATA: `${run.folder}/data` },
    encoding: 'utf8',
    timeout: 15_000,
  });
  expect(second.status).toBe(0);
  expect(second.stdout).not.toContain('loaded');
  await expect.poll(() => run.app.evaluate(() => globalThis.fixture.second.length)).toBe(1);
  const [told] = await run.app.evaluate(() => globalThis.fixture.second);
  expect(told?.argv).toContain('--second');
  expect(told?.directory).toBe(fixtureFolder);
  expect(told?.data).toEqual({ from: 'fixture' });
});

test('quitting closes windows, emits its events in order, and takes less than a second', async () => {
  const ended = new Promise<number | null>((resolve) => run.app.process().once('exit', resolve));
  const started = Date.now();
  await run.app.close();
  expect(await ended).toBe(0);
  expect(Date.now() - started).toBeLessThan(process.platform === 'linux' ? 1500 : 5000);
  const events = run
    .output()
    .split('\n')
    .filter((line) => line.startsWith('event '));
  expect(events).toEqual(['event before-quit', 'event will-quit', 'event quit']);
});

/** Processes whose command line names the folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    });
}

test('a main process that is killed leaves nothing running', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const folder = mkdtempSync(join(tmpdir(), 'host-killed-'));
  const child = spawn(electron, [...options, '.'], {
    cwd: fixtureFolder,
    env: { ...process.env, FIXTURE_USER_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve) => child.stdout.on('data', (part: Buffer) => part.includes('loaded') && resolve()));
  expect(processesOf(folder).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await expect.poll(() => processesOf(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

test('a missing or throwing app exits with a plain line and code 1', () => {
  const absent = spawnSync(electron, [...options, join(fixtureFolder, 'no-such-app')], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect(absent.status).toBe(1);
  expect(absent.stderr).toContain('no-such-app');
});
