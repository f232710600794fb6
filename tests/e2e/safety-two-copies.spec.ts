import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { processTree } from '../support/process-scan.ts';
import { newDataDir, removeDataDir } from './support/studio.ts';

test.skip(process.platform !== 'linux', 'reads /proc');

const root = fileURLToPath(new URL('../..', import.meta.url));
const rounds = process.env['OVOZ_LONG'] === undefined ? 2 : 100;
const apartMs = 50;

function startCopy(dataDir: string): ChildProcess & { readonly ended: Promise<number | null> } {
  const electron = createRequire(import.meta.url)('electron') as unknown as string;
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

/** Which of the processes has the file open. */
const holders = (pids: readonly number[], path: string) =>
  pids.filter((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`) === path;
        } catch {
          return false;
        }
      });
    } catch {
      return false;
    }
  });

test(`two instances started ${apartMs} ms apart, ${rounds} times: one owns the library, the other exits with 0 (F-06)`, async () => {
  test.setTimeout(rounds * 30_000);
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = newDataDir();
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'practice' }));
    const library = join(dataDir, 'practice', 'library.db');
    const first = startCopy(dataDir);
    await new Promise((later) => setTimeout(later, apartMs));
    const second = startCopy(dataDir);
    const copies = [first, second];
    try {
      const opened = new Set<number>();
      const look = () => {
        for (const [number, copy] of copies.entries()) {
          if (isAlive(copy) && holders(processTree(copy.pid ?? 0), library).length > 0) opened.add(number);
        }
      };
      await expect
        .poll(
          () => {
            look();
            return [copies.filter(isAlive).length, opened.size];
          },
          { timeout: 20_000, intervals: [20] },
        )
        .toEqual([1, 1]);
      const gone = copies.find((copy) => !isAlive(copy));
      expect(await gone?.ended).toBe(0);
      const owner = copies.find(isAlive);
      expect(opened).toEqual(new Set([copies.indexOf(owner ?? first)]));
      const log = readFileSync(join(dataDir, 'logs', 'studio.log'), 'utf8');
      expect(log.match(/"app-start"/g)).toHaveLength(1);
    } catch (error) {
      // The data is deleted with the round, so the error quotes the log, which is the only evidence of a cause.
      const path = join(dataDir, 'logs', 'studio.log');
      const log = existsSync(path) ? readFileSync(path, 'utf8') : 'there is none';
      throw new Error(`round ${round + 1} of ${rounds}; the log says:\n${log}`, { cause: error });
    } finally {
      for (const copy of copies) if (isAlive(copy)) copy.kill('SIGTERM');
      await Promise.all(copies.map(({ ended }) => ended));
      removeDataDir(dataDir);
    }
  }
});
