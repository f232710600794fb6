import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { proveBatch } from '../support/batch-proof.ts';
import { jsonLines, type CliResult } from '../support/cli-run.ts';
import { openRunRig, type RunRig } from '../support/run-rig.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const fileCount = 3;

const works = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;
const canTrace = works('strace', '-qq', '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO', 'true');
const canMount = works('unshare', '-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt');
if (!canTrace) console.warn('Skipped: strace may not be used here, so a disk that fails is not tried.');
if (!canMount) console.warn('Skipped: nobody may mount here, so a disk that takes no writes is not tried.');

/** Runs the command under a tracer that makes calls to flush data fail; `when` in the syntax of strace. */
const failingFlush = (rig: RunRig, when: string) =>
  rig.start({
    under: [
      'strace',
      '-fqq',
      `--output=${join(rig.root, 'trace')}`,
      '--trace=fsync,fdatasync',
      `--inject=fsync,fdatasync:error=EIO:when=${when}`,
    ],
  }).ended;

const doneIn = (rig: RunRig): ReadonlySet<unknown> => {
  const library = new DatabaseSync(rig.libraryPath, { readOnly: true });
  try {
    // A library whose first write failed has no rows, and no table for them.
    if (library.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'jobs'").get() === undefined) return new Set();
    return new Set(
      library
        .prepare("SELECT path FROM jobs WHERE tag = 'done'")
        .all()
        .map(({ path }) => path),
    );
  } finally {
    library.close();
  }
};

const doneLines = ({ out }: CliResult) => jsonLines(out).filter(({ state }) => state === 'done');
const errorCodes = ({ out }: CliResult) => new Set(jsonLines(out).flatMap(({ error }) => (error ? [error.code] : [])));

// The calls of one run, opening and closing of the library included, are about fifty.
const surelyMade = 40;
const once = isLong ? Array.from({ length: 60 }, (_, at) => String(at + 1)) : [];
const forGood = isLong ? Array.from({ length: 60 }, (_, at) => `${at + 1}+`) : ['20+'];

describe.skipIf(!canTrace)('F-47: the disk fails when data is flushed to it', () => {
  it.each([...once, ...forGood])(
    'nothing counts as done that is not, the run says why it stopped, and the same command finishes all of it (%s)',
    { timeout: 60_000 },
    async (when) => {
      const rig = await openRunRig(fileCount);
      const run = await failingFlush(rig, when);
      // The last positions may be beyond the calls of a run.
      if (Number.parseInt(when) <= surelyMade)
        expect(readFileSync(join(rig.root, 'trace'), 'utf8')).toContain('INJECTED');
      const stored = doneIn(rig);
      for (const { file, outputs } of doneLines(run)) {
        expect(stored).toContain(file);
        for (const path of outputs ?? []) readFileSync(path);
      }
      const isAllDone = doneLines(run).length === fileCount;
      expect([when, run.code, isAllDone ? [] : [...errorCodes(run)]]).toEqual([
        when,
        isAllDone ? 0 : 1,
        isAllDone ? [] : [expect.stringMatching(/^(disk_error|export_failed)$/)],
      ]);
      expect(run.error).not.toMatch(/\bat .*\.ts|Error:/);
      if (when === '20+') expect([...errorCodes(run)]).toEqual(['disk_error']);
      await proveBatch(rig, fileCount, when);
      await rig.dispose();
    },
  );
});

describe('F-48: the library can’t be written', () => {
  const refused = async (rig: RunRig, run: CliResult) => {
    expect([run.error, run.code, [...errorCodes(run)]]).toEqual([expect.any(String), 1, ['folder_not_writable']]);
    expect(run.error).not.toMatch(/\bat .*\.ts|Error:/);
    expect(readdirSync(join(rig.serviceDir, 'uploads'))).toEqual([]);
  };

  it.skipIf(!canMount)('on a read-only disk: E-185, nothing is sent', { timeout: 60_000 }, async () => {
    const rig = await openRunRig(1);
    const data = join(rig.root, 'data');
    const script = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`;
    await refused(rig, await rig.start({ under: ['unshare', '-Urm', 'sh', '-c', script, data] }).ended);
    await rig.dispose();
  });

  it.skipIf(process.platform === 'win32')(
    'in a folder without permissions: E-185, nothing is sent',
    { timeout: 60_000 },
    async () => {
      const rig = await openRunRig(1);
      const data = join(rig.root, 'data');
      const isRoot = process.getuid?.() === 0;
      const nobody = 65_534;
      const home = join(rig.root, 'home');
      mkdirSync(home);
      if (isRoot) for (const path of [rig.root, data, home]) chownSync(path, nobody, nobody);
      chmodSync(data, 0o000);
      const under = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
      const run = await rig.start({ under }).ended;
      chmodSync(data, 0o700);
      await refused(rig, run);
      await rig.dispose();
    },
  );
});
