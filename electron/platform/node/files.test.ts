import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeFailure } from '../../../shared/domain/failures/describe-failure.ts';
import { writeWholeFile } from './atomic-file.ts';
import { setPermissions } from './users-files.ts';
import { exportDisk } from './export-disk.ts';
import { hashFile } from './hash-file.ts';
import { peekFile } from './peek-file.ts';
import { writeFailure } from './storage-failure.ts';
import { walkFiles } from './walk-files.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
let number = 0;
beforeEach(() => {
  number += 1;
  folder = join(root, String(number));
  mkdirSync(folder);
});
const never = new AbortController().signal;

describe('what is saved for the user', () => {
  it('is saved on a disk without permissions too; other errors are reported', async () => {
    const refusing = (code: string) => ({ chmod: () => Promise.reject(Object.assign(new Error(code), { code })) });
    for (const code of ['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM']) await setPermissions(refusing(code), 0o644);
    await expect(setPermissions(refusing('EIO'), 0o644)).rejects.toThrow('EIO');
  });

  it('gets folders that are all as open as the user’s others, whatever the umask of the app is', async () => {
    const usual = process.umask(0o077);
    try {
      expect(await exportDisk.makeFolder(join(folder, 'one', 'two', 'three'))).toEqual({ ok: true, value: null });
    } finally {
      process.umask(usual);
    }
    const modes = ['one', 'one/two', 'one/two/three'].map((path) => statSync(join(folder, path)).mode & 0o777);
    expect(modes).toEqual(Array(3).fill(0o777 & ~usual));
  });
});

describe('a ZIP', () => {
  it('is never written through a link that somebody placed under a name it might use', async () => {
    const other = join(folder, 'other.txt');
    writeFileSync(other, 'not ours');
    symlinkSync(other, join(folder, 'all.zip.part'));
    const zip = await exportDisk.openArchive(join(folder, 'all.zip'));
    if (!zip.ok) throw new Error(zip.error.row);
    await zip.value.add('a.txt', Buffer.from('a'));
    expect(await zip.value.finish()).toMatchObject({ ok: true });
    expect(readFileSync(other, 'utf8')).toBe('not ours');
    expect(statSync(join(folder, 'all.zip')).isFile()).toBe(true);
  });

  it('that the disk does not take leaves neither an open file nor a part of it', async () => {
    const probe = await open(join(folder, 'probe'), 'w');
    const handles = Object.getPrototypeOf(probe) as typeof probe;
    await probe.close();
    const archives: (typeof probe)[] = [];
    const sync = vi.spyOn(handles, 'sync').mockImplementation(function (this: typeof probe) {
      archives.push(this);
      return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    });
    const zip = await exportDisk.openArchive(join(folder, 'all.zip'));
    const finished = zip.ok && (await zip.value.finish());
    sync.mockRestore();
    expect(finished).toMatchObject({ ok: false });
    expect(archives.map(({ fd }) => fd)).toEqual([-1]);
    expect(readdirSync(folder)).toEqual(['probe']);
  });
});

describe('writing a whole file', () => {
  it('replaces the old one at once, with the rights asked for, and leaves nothing else behind', async () => {
    const path = join(folder, 'oʻzbekcha nom.srt');
    writeFileSync(path, 'old');
    expect(await writeWholeFile(path, 'new', 0o640)).toEqual({ ok: true, value: null });
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
      'new',
      0o640,
      ['oʻzbekcha nom.srt'],
    ]);
  });

  it('works for the longest names', async () => {
    const path = join(folder, `${'й'.repeat(125)}.txt`);
    expect((await writeWholeFile(path, 'x', 0o600)).ok).toBe(true);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('that fails leaves the old file whole and removes its own (E-175)', () => {
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'old');
    const script = `
      const { writeWholeFile } = await import(${JSON.stringify(fileURLToPath(new URL('atomic-file.ts', import.meta.url)))});
      process.on('SIGXFSZ', () => {});
      const done = await writeWholeFile(process.argv[1], 'n'.repeat(2_000_000), 0o600);
      console.log(done.ok ? 'ok' : done.error.row);`;
    const run = spawnSync(
      'bash',
      [
        '-c',
        'ulimit -f 100; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1" "$2"',
        process.execPath,
        script,
        path,
      ],
      { encoding: 'utf8' },
    );
    expect(run.stdout.trim()).toBe('E-175');
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['a.txt']]);
  });

  it('on a full disk is said to have failed for that, and never where a file is only too large for its place', () => {
    // The queue adds the name of the recording, which is no folder.
    const sentence = (code: string) =>
      describeFailure({ ...writeFailure({ code }), params: { name: 'suhbat.mp3' } }).textKey;
    expect(['ENOSPC', 'EDQUOT'].map(sentence)).toEqual(Array(2).fill('errors.codes.disk_full.text'));
    expect(sentence('EFBIG')).toBe('errors.E-175.textPlain');
  });

  it('into a missing folder is reported', async () => {
    const written = await writeWholeFile(join(folder, 'no', 'a.txt'), 'x', 0o600);
    expect(written.ok ? null : [written.error.row, written.error.code]).toEqual(['E-214', 'export_not_writable']);
  });
});

describe('reading files', () => {
  it('hashes any size in one pass and says what was hashed', async () => {
    const bytes = Buffer.alloc(700_001, 'x');
    const path = join(folder, 'big');
    writeFileSync(path, bytes);
    const hashed = await hashFile(path, never);
    expect(hashed).toEqual({
      ok: true,
      value: {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        sizeBytes: 700_001,
        mtimeMs: statSync(path).mtimeMs,
      },
    });
  });

  it('looks at 64 KiB at most, at both ends', async () => {
    const path = join(folder, 'big');
    writeFileSync(path, Buffer.concat([Buffer.from('begin'), Buffer.alloc(500_000), Buffer.from('end')]));
    const peek = await peekFile(path);
    if (!peek.ok) throw new Error(peek.error.row);
    const { head, tail, sizeBytes } = peek.value;
    expect([head.length + tail.length, sizeBytes]).toEqual([65_536, 500_008]);
    expect([Buffer.from(head).toString('latin1', 0, 5), Buffer.from(tail).toString('latin1').slice(-3)]).toEqual([
      'begin',
      'end',
    ]);
  });

  it('never hangs on a pipe and says why a file cannot be read', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const codes = await Promise.all(
      [pipe, '/dev/zero', folder, join(folder, 'absent')].map(async (path) => {
        const found = await peekFile(path);
        return found.ok ? null : found.error.code;
      }),
    );
    expect(codes).toEqual(['not_a_file', 'not_a_file', 'not_a_file', 'file_missing']);
    const hashed = await hashFile(pipe, never);
    expect(hashed.ok ? null : hashed.error.code).toBe('not_a_file');
  });
});

describe('walking folders', () => {
  it('finds each regular file once, in order, and comes to an end in a loop of links', async () => {
    mkdirSync(join(folder, 'b', 'deep'), { recursive: true });
    for (const name of ['c.wav', 'a.wav', 'b/deep/d.wav', '.hidden.wav']) writeFileSync(join(folder, name), 'x');
    symlinkSync(folder, join(folder, 'b', 'deep', 'loop'));
    symlinkSync(join(folder, 'a.wav'), join(folder, 'z-same.wav'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'broken.wav'));
    execFileSync('mkfifo', [join(folder, 'pipe.wav')]);
    const { files, refused } = await walkFiles([folder, join(folder, 'a.wav')]);
    expect(files.map(({ path }) => path.slice(folder.length + 1))).toEqual(['a.wav', 'b/deep/d.wav', 'c.wav']);
    expect(refused.map(({ path, failure }) => [path.slice(folder.length + 1), failure.code])).toEqual([
      ['broken.wav', 'file_missing'],
      ['pipe.wav', 'not_a_file'],
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder it may not read and continues', async () => {
    mkdirSync(join(folder, 'closed'), { mode: 0 });
    writeFileSync(join(folder, 'open.wav'), 'x');
    const { files, refused } = await walkFiles([folder]);
    chmodSync(join(folder, 'closed'), 0o700);
    expect([files.length, refused.map(({ failure }) => failure.code)]).toEqual([1, ['folder_unreadable']]);
  });

  it('walks two thousand files within seconds', async () => {
    for (let index = 0; index < 2_000; index++) writeFileSync(join(folder, `${index}.wav`), '');
    const started = performance.now();
    const { files } = await walkFiles([folder]);
    expect(files).toHaveLength(2_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
