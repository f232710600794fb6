import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync, chmodSync, chownSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import { cliEntry, compileCache, jsonLines, type CliResult } from '../support/cli-run.ts';
import { sendJson, startScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
import { proveBatch } from '../support/batch-proof.ts';
import { openRunRig, type RunRig } from '../support/run-rig.ts';
import { openQueueRig, type QueueRig } from '../support/queue-rig.ts';
import { folderOfFile } from '../support/test-folders.ts';

const root = folderOfFile();
const works = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;
const canTrace = works('strace', '-qq', '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO', 'true');
const canMount = works('unshare', '-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt');
if (!canTrace) console.warn('Skipped: strace may not be used here, so a disk that fails is not tried.');
if (!canMount)
  console.warn('Skipped: nobody may mount here, so a full disk, or one that takes no writes, is not tried.');

// Only one recording: nothing else in the queue would notice that the disk is full.
it.skipIf(!canMount).each([3, 1])(
  'a full disk stops the run of %d with a message; with free space the same command finishes, and no file was paid twice',
  async (count) => {
    const place = join(root, String(count));
    const text = 'Juda uzun matn. '.repeat(40_000);
    const accepted = new Map<string, number>();
    const server = await startScriptedServer((request, response, at) => {
      const key = String(request.headers['idempotency-key']);
      // Like the service: a known key gets the first answer again.
      const number = accepted.get(key) ?? at.number;
      accepted.set(key, number);
      sendJson(response, 200, { id: `tr_${number}`, status: 'completed', text });
    });
    const recordings = join(place, 'recordings');
    const disk = join(place, 'disk');
    mkdirSync(recordings, { recursive: true });
    mkdirSync(disk);
    for (let number = 0; number < count; number++)
      writeFileSync(join(recordings, `${number}.wav`), toneWav(200 + number * 13, 0.1));
    const run = (name: string) =>
      `"$NODE" --disable-warning=ExperimentalWarning "$ENTRY" transcribe "$RECORDINGS" --language uz --json --out "$ROOT/out" >"$ROOT/${name}.out" 2>"$ROOT/${name}.err"; echo $? >"$ROOT/${name}.code"`;
    const script = `mount -t tmpfs -o size=1500k tmpfs "$DISK"; ${run('first')}; mount -o remount,size=64m "$DISK"; ${run('second')}`;
    await promisify(execFile)('unshare', ['-Urm', 'sh', '-c', script], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE: process.execPath,
        ENTRY: cliEntry,
        ...compileCache,
        RECORDINGS: recordings,
        ROOT: place,
        DISK: disk,
        HOME: root,
        LANG: 'en_US.UTF-8',
        OVOZ_DATA_DIR: join(disk, 'data'),
        OVOZ_SERVICE_URL: server.url,
        OVOZ_API_KEY: 'sk-full-disk-0001',
      },
    });
    await server.close();
    const read = (name: string) => readFileSync(join(place, name), 'utf8');
    expect(read('first.err')).not.toMatch(/\bat .*\.ts|Error:/);
    expect([read('first.code').trim(), read('first.err')]).toEqual(['1', expect.stringContaining('disk is full')]);
    const first = jsonLines(read('first.out'));
    expect(first.some(({ error }) => error?.code === 'disk_full')).toBe(true);
    expect([read('second.code').trim(), read('second.err')]).toEqual(['0', '']);
    expect(jsonLines(read('second.out')).at(-1)).toEqual({ summary: { done: count, failed: 0, skipped: 0 } });
    expect(accepted.size).toBe(count);
  },
);

const fileCount = 3;

const doneIn = (rig: RunRig): ReadonlySet<unknown> => {
  const library = new DatabaseSync(rig.libraryPath, { readOnly: true });
  // A library whose first write failed has no table.
  const isBegun = library.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'jobs'").get() !== undefined;
  const rows = isBegun ? library.prepare("SELECT path FROM jobs WHERE tag = 'done'").all() : [];
  library.close();
  return new Set(rows.map(({ path }) => path));
};

const doneLines = ({ out }: CliResult) => jsonLines(out).filter(({ state }) => state === 'done');
const errorCodes = ({ out }: CliResult) => new Set(jsonLines(out).flatMap(({ error }) => (error ? [error.code] : [])));

/** Of about fifty calls of a run, opening and closing of the library included: once, or for good. */
const failing =
  process.env['OVOZ_LONG'] === undefined
    ? ['20+']
    : Array.from({ length: 80 }, (_, at) => `${1 + (at >> 1)}${at % 2 ? '+' : ''}`);

it.skipIf(!canTrace).each(failing)(
  'F-47: if the disk fails when data is flushed to it, nothing counts as done that is not, and the same command finishes (%s)',
  async (when) => {
    const rig = await openRunRig(fileCount);
    const inject = `--inject=fsync,fdatasync:error=EIO:when=${when}`;
    const trace = join(rig.root, 'trace');
    const under = ['strace', '-fqq', `--output=${trace}`, '--trace=fsync,fdatasync', inject];
    const run = await rig.start({ under }).ended;
    expect(readFileSync(trace, 'utf8')).toContain('INJECTED');
    const stored = doneIn(rig);
    for (const { file, outputs } of doneLines(run)) {
      expect(stored).toContain(file);
      for (const path of outputs ?? []) readFileSync(path);
    }
    const isAllDone = when !== '20+' && doneLines(run).length === fileCount;
    const codes = when === '20+' ? ['disk_error'] : [expect.stringMatching(/^(disk_error|export_failed)$/)];
    expect([run.code, [...errorCodes(run)]]).toEqual(isAllDone ? [0, []] : [1, codes]);
    expect(run.error).not.toMatch(/\bat .*\.ts|Error:/);
    await proveBatch(rig, fileCount, when);
    await rig.dispose();
  },
);

describe('F-48: the library can’t be written', () => {
  const refused = async (rig: RunRig, run: CliResult) => {
    expect([run.error, run.code, [...errorCodes(run)]]).toEqual([expect.any(String), 1, ['folder_not_writable']]);
    expect(run.error).not.toMatch(/\bat .*\.ts|Error:/);
    expect(readdirSync(join(rig.serviceDir, 'uploads'))).toEqual([]);
  };

  it.skipIf(!canMount)('on a read-only disk: data-folder-unwritable, nothing is sent', async () => {
    const rig = await openRunRig(1);
    const data = join(rig.root, 'data');
    const script = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`;
    await refused(rig, await rig.start({ under: ['unshare', '-Urm', 'sh', '-c', script, data] }).ended);
    await rig.dispose();
  });

  it.skipIf(process.platform === 'win32')(
    'in a folder without permissions: data-folder-unwritable, nothing is sent',
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

describe('a disk that is away', () => {
  let rig: QueueRig;
  beforeEach(async () => {
    rig = await openQueueRig();
  });
  afterEach(() => rig.close());

  it('F-42: its recordings are asked for, and go on by themselves when it is back, even across a restart', async () => {
    const [disk, elsewhere] = [join(rig.folder, 'disk'), join(rig.folder, 'elsewhere')];
    mkdirSync(disk);
    await rig.library.jobs.hold(true);
    await rig.add(...['a', 'b'].map((name, at) => rig.record(join('disk', `${name}.wav`), 200 + at * 20)));
    await rig.until(['waiting', 'waiting']);
    renameSync(disk, elsewhere);
    await rig.library.jobs.hold(false);
    await rig.until(['needs-user', 'needs-user']);
    const missing = (name: string) => ({
      failure: { kind: 'file-unreadable', code: 'file_missing', params: { name } },
    });
    expect(rig.states()).toMatchObject(['a.wav', 'b.wav'].map(missing));
    expect(rig.posts()).toEqual([]);
    await rig.reopen();
    expect(rig.tags()).toEqual(['needs-user', 'needs-user']);
    renameSync(elsewhere, disk);
    await rig.until(['done', 'done']);
    expect(rig.keys().size).toBe(2);
  });

  it('F-48: without the folder of the library nothing counts as stored that is not: the queue stops with data-folder-unwritable, and resumes when the folder is back', async () => {
    const data = join(rig.folder, 'data');
    const away = join(rig.folder, 'away');
    await rig.library.jobs.hold(true);
    await rig.add(rig.record('a.wav', 220));
    await rig.until(['waiting']);
    renameSync(data, away);
    expect((await rig.library.jobs.hold(false)).ok).toBe(false);
    const refused = await rig.add(rig.record('b.wav', 240));
    expect(refused).toMatchObject({ jobIds: [], refused: [{ failure: { kind: 'data-folder-unwritable' } }] });
    expect(rig.posts()).toHaveLength(0);
    renameSync(away, data);
    expect((await rig.library.jobs.hold(false)).ok).toBe(true);
    await rig.until(['done']);
    // Deleted for good, it takes nothing, and the next start makes a new one.
    rmSync(data, { recursive: true });
    expect(await rig.add(rig.record('c.wav', 260))).toMatchObject({ jobIds: [] });
    await rig.reopen();
    expect(rig.tags()).toEqual([]);
  });

  it('F-48: an answer that arrives while the folder is missing waits for it and is not requested twice', async () => {
    const data = join(rig.folder, 'data');
    const asked = Promise.withResolvers<() => void>();
    const { script } = rig.server;
    rig.server.script = (request, response, at) => {
      asked.resolve(() => void script(request, response, at));
    };
    await rig.add(rig.record('a.wav', 220));
    const answer = await asked.promise;
    expect(rig.posts()).toHaveLength(1);
    renameSync(data, join(rig.folder, 'away'));
    answer();
    await rig.until(['blocked']);
    expect(rig.states()).toMatchObject([{ by: 'disk', failure: { kind: 'data-folder-unwritable' } }]);
    renameSync(join(rig.folder, 'away'), data);
    await rig.until(['done']);
    await rig.reopen();
    expect(rig.tags()).toEqual(['done']);
    expect(rig.posts()).toHaveLength(1);
  });
});
