import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../shared/result/result.ts';
import { writeWholeFile } from './place-file.ts';
import { exportDisk } from './export-disk.ts';
import { hashFile, peekFile } from './hash-file.ts';
import { walkFiles } from './walk-files.ts';
import { folderOfTest } from '../../../tests/support/test-folders.ts';

let folder = '';
beforeEach(() => {
  folder = folderOfTest();
});
const never = new AbortController().signal;

describe('a ZIP', () => {
  it('is never written through a link that somebody placed under a name it might use', async () => {
    const other = join(folder, 'other.txt');
    writeFileSync(other, 'not ours');
    symlinkSync(other, join(folder, 'all.zip.part'));
    const zip = await exportDisk.openArchive(join(folder, 'all.zip'));
    if (!zip.ok) throw new Error(zip.error.kind);
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

  it('that fails leaves the old file whole and removes its own (disk-space-short)', () => {
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'old');
    const script = `
      const { writeWholeFile } = await import(${JSON.stringify(fileURLToPath(new URL('place-file.ts', import.meta.url)))});
      process.on('SIGXFSZ', () => {});
      const done = await writeWholeFile(process.argv[1], 'n'.repeat(2_000_000), 0o600);
      console.log(done.ok ? 'ok' : done.error.kind);`;
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
    expect(run.stdout.trim()).toBe('disk-space-short');
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['a.txt']]);
  });
});

describe('reading files', () => {
  it('hashes it all and says what was hashed; written to meanwhile, it counts as changed (file-changed)', async () => {
    const bytes = Buffer.alloc(700_001, 'x');
    const path = join(folder, 'big');
    writeFileSync(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { mtimeMs } = statSync(path);
    expect(await hashFile(path, never)).toEqual(ok({ sha256, sizeBytes: 700_001, mtimeMs }));
    /** Asked before each block. */
    const touching = {
      get aborted() {
        utimesSync(path, new Date(1_000_000), new Date(1_000_000));
        return false;
      },
    } as AbortSignal;
    expect(await hashFile(path, touching)).toMatchObject({ ok: false, error: { kind: 'file-changed' } });
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
});
