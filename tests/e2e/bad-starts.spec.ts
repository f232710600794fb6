import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { processTree } from '../support/process-scan.ts';
import { ask } from './support/ask.ts';
import { test } from './support/journey.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const electron = createRequire(import.meta.url)('electron') as unknown as string;

/** A data folder in practice mode; returns the place of its library. */
function practiceFolder(dataDir: string): string {
  mkdirSync(join(dataDir, 'practice'), { recursive: true });
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'practice' }));
  return join(dataDir, 'practice', 'library.db');
}

test('the app opens on an invalid library: the file is put aside as it was, and a new one replaces it (F-49, library-damaged)', async ({
  journey,
}) => {
  const { dataDir } = journey;
  const letter = 'a letter to a friend who is far away, where a library should be';
  writeFileSync(practiceFolder(dataDir), letter);
  const { page } = await journey.start();
  expect(await ask(page, 'jobs.list', {})).toMatchObject({ ok: true, value: { jobs: [] } });
  const folder = join(dataDir, 'practice');
  const aside = readdirSync(folder).filter((name) => name.includes('.corrupt-'));
  expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([letter]);
  expect(readFileSync(join(dataDir, 'logs', 'studio.log'), 'utf8')).toContain('"library-restored"');
  // In the page, not in a system dialog; and no path is sent there.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const told = await ask(page, 'recovery.describe', {});
  expect(told).toMatchObject({
    ok: true,
    value: { library: { notice: { kind: 'library-damaged', code: 'library_new' }, isDamagedFileKept: true } },
  });
  expect(JSON.stringify(told)).not.toContain('corrupt');
  await page.getByRole('main').getByRole('button').first().click();
  await expect(page.getByRole('navigation')).toBeVisible();
});

test('a folder in place of the library, then a read-only disk: the window opens and says so (F-48, F-49, data-folder-unwritable)', async ({
  journey,
}) => {
  const library = practiceFolder(journey.dataDir);
  mkdirSync(library);
  const refused = { ok: false, error: { kind: 'data-folder-unwritable' } };
  const studio = await journey.start();
  const { page } = studio;
  expect(await ask(page, 'jobs.list', {})).toMatchObject(refused);
  expect(existsSync(library)).toBe(true);
  await expect(page.getByRole('main')).toContainText('E-185');
  // Once the obstacle is removed, trying again opens the studio.
  rmdirSync(library);
  await page.getByRole('main').getByRole('button').first().click();
  await expect(page.getByRole('navigation')).toBeVisible();
  await studio.quit();

  const namespace = process.getuid?.() === 0 ? '-m' : '-Urm';
  const canMount = spawnSync('unshare', [namespace, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
  if (!canMount) return;
  const folder = join(journey.dataDir, 'practice');
  const executable = join(journey.dataDir, 'read-only.sh');
  const script = [
    '#!/bin/sh',
    `exec unshare ${namespace} sh -c 'mount --bind "${folder}" "${folder}" && mount -o remount,bind,ro "${folder}" && exec "${electron}" "$@"' sh "$@"`,
  ];
  writeFileSync(executable, script.join('\n'), { mode: 0o700 });
  const again = await journey.start({ executable });
  expect(await ask(again.page, 'jobs.list', {})).toMatchObject(refused);
  await expect(again.page.getByRole('main')).toContainText('E-185');
});

function startCopy(dataDir: string): ChildProcess & { readonly ended: Promise<number | null> } {
  const child = spawn(electron, [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '.'], {
    cwd: root,
    env: { ...process.env, OVOZ_DATA_DIR: dataDir, ELECTRON_HOST_HEADLESS: '1' },
    stdio: 'ignore',
  });
  return Object.assign(child, {
    ended: new Promise<number | null>((tell) => child.once('exit', (code) => tell(code))),
  });
}

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

/** Which of the processes has the file open; files of a process that ends meanwhile can't be read. */
const holders = (pids: readonly number[], path: string) =>
  pids.filter((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === path);
    } catch {
      return false;
    }
  });

test('of two instances started 50 ms apart one owns the library, and the other exits with 0 (F-06)', async ({
  journey,
}) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const rounds = process.env['OVOZ_LONG'] === undefined ? 1 : 100;
  test.setTimeout(rounds * 30_000 + 30_000);
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = journey.newFolder();
    const library = practiceFolder(dataDir);
    const first = startCopy(dataDir);
    await new Promise((later) => setTimeout(later, 50));
    const second = startCopy(dataDir);
    const copies = [first, second];
    const log = join(dataDir, 'logs', 'studio.log');
    try {
      const opened = new Set<number>();
      const look = () => {
        for (const [number, copy] of copies.entries()) {
          if (isAlive(copy) && holders(processTree(copy.pid ?? 0), library).length > 0) opened.add(number);
        }
        return [copies.filter(isAlive).length, opened.size];
      };
      await expect.poll(look, { timeout: 20_000, intervals: [20] }).toEqual([1, 1]);
      const gone = copies.find((copy) => !isAlive(copy));
      expect(await gone?.ended).toBe(0);
      const owner = copies.find(isAlive);
      expect(opened).toEqual(new Set([copies.indexOf(owner ?? first)]));
      expect(readFileSync(log, 'utf8').match(/"app-start"/g)).toHaveLength(1);
    } catch (error) {
      // The data is deleted in the end, so the error quotes the log, which is the only evidence of a cause.
      const said = existsSync(log) ? readFileSync(log, 'utf8') : 'there is none';
      throw new Error(`round ${round + 1} of ${rounds}; the log says:\n${said}`, { cause: error });
    } finally {
      for (const copy of copies) if (isAlive(copy)) copy.kill('SIGTERM');
      await Promise.all(copies.map(({ ended }) => ended));
    }
  }
});
