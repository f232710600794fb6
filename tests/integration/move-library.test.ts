import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { libraryRootOf, rememberLibraryRoot } from '../../electron/storage/library-folder.ts';
import { judgeTarget, moveLibrary, type MoveProgress } from '../../electron/storage/storage-folder.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { openApp, openStore } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const base = folderOfFile();
let root = '';
let disk = '';
let number = 0;
beforeEach(() => {
  number += 1;
  root = join(base, String(number), 'data');
  disk = join(base, String(number), 'disk');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  mkdirSync(disk);
  const file = openLibraryFile(join(root, 'library.db'), Date.now());
  if (!file.ok) throw new Error(file.error.kind);
  file.value.database.prepare("INSERT INTO meta (key, value) VALUES ('note-queue', ?)").run('kept '.repeat(50_000));
  file.value.close();
  for (const inside of ['prepared', 'audio', 'speech', 'voices', 'dictation']) {
    mkdirSync(join(root, inside));
    writeFileSync(join(root, inside, `${'a'.repeat(64)}.wav`), Buffer.alloc(inside === 'prepared' ? 3_000_000 : 9, 7));
  }
  writeFileSync(join(root, 'settings.json'), '{}');
  writeFileSync(join(root, 'holiday.txt'), 'somebody else’s');
});

const noSignal = new AbortController().signal;
const target = () => join(disk, 'Ovoz Studio Library');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
const noteIn = (folder: string) => {
  const file = openLibraryFile(join(folder, 'library.db'), Date.now());
  if (!file.ok) return file.error.kind;
  const note = file.value.database.prepare("SELECT length(value) AS size FROM meta WHERE key = 'note-queue'").get();
  file.value.close();
  return note?.['size'];
};

it('the whole library is moved, is complete in its new folder, and other files stay', async () => {
  expect(await judgeTarget(root, disk)).toMatchObject({ ok: true, value: { path: target(), isNetwork: false } });
  const told: MoveProgress[] = [];
  const [all, others] = [filesIn(root), ['holiday.txt', 'library.lock', 'settings.json']];
  expect(await moveLibrary(root, target(), (progress) => told.push(progress), noSignal)).toEqual({
    ok: true,
    value: { leftBytes: 0 },
  });
  expect(libraryRootOf(root)).toBe(target());
  const moved = filesIn(target()).filter((name) => !/-(wal|shm)$/.test(name));
  expect(moved).toEqual(all.filter((name) => !others.includes(name)));
  expect(filesIn(root)).toEqual([...others, 'library-place'].toSorted());
  expect(noteIn(target())).toBe(250_000);
  expect([statSync(target()).mode & 0o077, statSync(join(target(), 'library.db')).mode & 0o077]).toEqual([0, 0]);
  expect(told.at(-1)).toEqual({ step: 'checking', copiedBytes: told[0]?.totalBytes, totalBytes: told[0]?.totalBytes });
  expect(told.length).toBeGreaterThan(3);
});

it('cancelled in the middle, the library is where it was and nothing is left in the new folder', async () => {
  const stop = new AbortController();
  const moved = await moveLibrary(
    root,
    target(),
    ({ copiedBytes }) => copiedBytes > 1_000_000 && stop.abort(),
    stop.signal,
  );
  expect(moved).toMatchObject({ ok: false, error: { kind: 'library-not-moved', code: 'move_cancelled' } });
  expect([readdirSync(disk), libraryRootOf(root), noteIn(root)]).toEqual([[], root, 250_000]);
});

const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

it.skipIf(!canMount)(
  'a move to a disk that fills up is refused with a message; the library stays where it was and nothing is left there',
  () => {
    const module = fileURLToPath(new URL('../../electron/storage/storage-folder.ts', import.meta.url));
    const script = `
    const [module, root, target] = process.argv.slice(1);
    const { moveLibrary } = await import(module);
    const { readdirSync, writeFileSync } = await import('node:fs');
    const { dirname } = await import('node:path');
    const moved = await moveLibrary(root, target, () => undefined, new AbortController().signal);
    console.log(JSON.stringify({ moved, left: readdirSync(dirname(target)) }));`;
    const run = spawnSync(
      'unshare',
      [
        '-Urm',
        'sh',
        '-c',
        'mount -t tmpfs -o size=1m tmpfs "$DISK" && exec "$NODE" --input-type=module -e "$SCRIPT" "$MODULE" "$ROOT" "$TARGET"',
      ],
      {
        env: { NODE: process.execPath, DISK: disk, SCRIPT: script, MODULE: module, ROOT: root, TARGET: target() },
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(run.stdout)).toMatchObject({ moved: { ok: false, error: { code: 'move_no_room' } }, left: [] });
    expect(libraryRootOf(root)).toBe(root);
    expect(noteIn(root)).toBe(250_000);
  },
);

it('a library that is damaged during the copy is rejected', async () => {
  const moved = await moveLibrary(
    root,
    target(),
    ({ step }) => {
      if (step !== 'checking') return;
      const copy = join(`${target()}.part`, 'library.db');
      const bytes = readFileSync(copy);
      bytes.fill(0, 8192, 8300);
      writeFileSync(copy, bytes);
    },
    noSignal,
  );
  expect(moved).toMatchObject({ ok: false, error: { kind: 'library-not-moved', code: 'move_failed' } });
  expect([readdirSync(disk), libraryRootOf(root), noteIn(root)]).toEqual([[], root, 250_000]);
});

it('its own folder, a folder in use and a missing one are refused; checking writes nothing', async () => {
  mkdirSync(join(root, 'inside'));
  const codeOf = async (folder: string) => {
    const judged = await judgeTarget(root, folder);
    return judged.ok ? 'good' : judged.error.code;
  };
  expect([await codeOf(root), await codeOf(join(root, 'inside'))]).toEqual(['move_inside', 'move_inside']);
  expect(await codeOf(join(disk, 'nowhere'))).toBe('move_not_writable');
  mkdirSync(target());
  expect(await codeOf(disk)).toBe('good');
  writeFileSync(join(target(), 'x'), '');
  expect(await codeOf(disk)).toBe('move_not_empty');
});

it('a library that another program has open is not moved', async () => {
  const open = openStore(root);
  expect(await moveLibrary(root, target(), () => undefined, noSignal)).toMatchObject({
    ok: false,
    error: { kind: 'library-not-moved' },
  });
  open.close();
  expect([existsSync(target()), noteIn(root)]).toEqual([false, 250_000]);
});

it('a missing disk never counts as a new library', async () => {
  rememberLibraryRoot(root, join(disk, 'gone'));
  await expect(openApp(root, () => null)).rejects.toThrow('data-folder-unwritable');
  expect(existsSync(join(disk, 'gone'))).toBe(false);
  writeFileSync(join(root, 'library-place'), 'not/absolute');
  expect(existsSync(libraryRootOf(root))).toBe(false);
  rememberLibraryRoot(root, root);
  expect(libraryRootOf(root)).toBe(root);
});
