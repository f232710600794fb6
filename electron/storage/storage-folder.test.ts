import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openStorageFolder, type StorageFiles } from './storage-folder.ts';
import { locateDataFolder, prepareDataFolder } from '../platform/node/data-folder.ts';
import { lockLibrary, rememberLibraryRoot } from './library-folder.ts';
import { backUp } from './library-backups.ts';
import { openLibraryFile } from './open-library-file.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

let root: string;
let files: StorageFiles;
beforeEach(() => {
  root = folderOfTest();
  const folder = locateDataFolder(root);
  prepareDataFolder(folder);
  files = openStorageFolder(folder);
});

const put = (name: string, bytes: number) => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(bytes));
  return path;
};
const there = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
const hash = 'a'.repeat(64);

function fill() {
  put('library.db', 1000);
  put('library.db-wal', 60);
  put('ledger.db', 40);
  put('open-requests.json', 5);
  put('library.corrupt-20261120T175901234Z', 50);
  put('backups/library-20261118T100000000Z.db', 7);
  put('backups/library-20261119T100000000Z.db', 20);
  put('practice/library.db', 300);
  put('practice/library.lock', 0);
  put('practice/backups/library-20261119T100000000Z.db', 30);
  put('practice/service/uploads/1.audio', 400);
  put(`peaks/${hash}.peaks`, 60);
  put('logs/studio.log', 8);
  put('logs/cli.log.1', 2);
  put('settings.json', 40);
  put('settings.json.damaged-17', 11);
  put('browser/Cache/data', 500);
  put('reserve.bin', 9);
}
const somebodyElses = ['notes.txt', 'peaks/mine.wav', 'logs/diary.txt', 'backups/photo.jpg'];

it('measures every part, and what of it can be deleted', async () => {
  fill();
  symlinkSync('/', join(root, 'practice', 'everything'));
  const { parts, freeBytes } = await files.measure(null);
  expect(Object.fromEntries(parts.map(({ part, ...sizes }) => [part, sizes]))).toEqual({
    library: { bytes: 1155, removableBytes: 0 },
    prepared: { bytes: 0, removableBytes: 0 },
    backups: { bytes: 27, removableBytes: 7 },
    practice: { bytes: 730, removableBytes: 730 },
    peaks: { bytes: 60, removableBytes: 60 },
    log: { bytes: 10, removableBytes: 10 },
    app: { bytes: 560, removableBytes: 0 },
  });
  expect(freeBytes).toBeGreaterThan(0);
});

it.each([
  ['peaks', [`peaks/${hash}.peaks`]],
  ['log', ['logs/cli.log.1', 'logs/studio.log']],
  ['backups', ['backups/library-20261118T100000000Z.db']],
  [
    'practice',
    ['practice/backups/library-20261119T100000000Z.db', 'practice/library.db', 'practice/service/uploads/1.audio'],
  ],
] as const)('removes %s and nothing else', async (part, gone) => {
  fill();
  for (const name of somebodyElses) put(name, 1);
  const before = there();
  expect((await files.remove(part, null)).ok).toBe(true);
  expect(before.filter((name) => !there().includes(name))).toEqual(gone);
  const use = (await files.measure(null)).parts.find((one) => one.part === part);
  expect(use?.removableBytes).toBe(0);
});

it('of extracted audio removes only what is not needed, and nothing when nothing is known about it', async () => {
  const [needed, loose, part] = [`${hash}.ogg`, `${'b'.repeat(64)}.wav`, `${'c'.repeat(64)}.m4a.part`];
  for (const name of [needed, loose, part, 'song.ogg']) put(`prepared/${name}`, 10);
  const measured = async (kept: ReadonlySet<string> | null) =>
    (await files.measure(kept)).parts.find((one) => one.part === 'prepared');
  expect(await measured(null)).toEqual({ part: 'prepared', bytes: 30, removableBytes: 0 });
  expect(await measured(new Set([needed]))).toEqual({ part: 'prepared', bytes: 30, removableBytes: 20 });
  await files.remove('prepared', null);
  expect((await measured(null))?.bytes).toBe(30);
  await files.remove('prepared', new Set([needed]));
  expect(there()).toEqual([`prepared/${needed}`, 'prepared/song.ogg']);
});

it('returns the name of the folder that the library was moved to, and nothing about its path', async () => {
  expect((await files.measure(null)).movedTo).toBeNull();
  rememberLibraryRoot(root, join(root, 'Disk', 'My speech', 'Ovoz Studio Library'));
  expect((await files.measure(null)).movedTo).toBe('My speech');
});

it('erases all files of the app, and leaves the settings, the locks and files of others', async () => {
  fill();
  for (const name of somebodyElses) put(name, 1);
  const elsewhere = mkdtempSync(join(tmpdir(), 'ovoz-elsewhere-'));
  const outside = join(elsewhere, 'outside.txt');
  writeFileSync(outside, 'kept');
  symlinkSync(outside, join(root, 'library.db-shm'));
  expect((await files.removeEverything()).ok).toBe(true);
  expect(there()).toEqual(
    [
      ...somebodyElses,
      'browser/Cache/data',
      'library.db-shm',
      'library.lock',
      'practice/library.lock',
      'settings.json',
    ].toSorted(),
  );
  expect(existsSync(outside)).toBe(true);
  rmSync(elsewhere, { recursive: true });
});

it('removes nothing while another program has the library open (already-open)', async () => {
  fill();
  rmSync(join(root, 'practice', 'library.lock'));
  const lock = lockLibrary(join(root, 'practice'));
  const before = there();
  const refused = await files.removeEverything();
  expect(!refused.ok && refused.error.kind).toBe('already-open');
  expect(there().filter((name) => before.includes(name))).toEqual(before);
  lock.release();
  expect((await files.remove('practice', null)).ok).toBe(true);
});

it('an erased library starts empty, and does not count as lost', async () => {
  const path = join(root, 'library.db');
  const open = () => {
    const opened = openLibraryFile(path, Date.now());
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const library = open();
  backUp(library.database, path, Date.now());
  library.close();
  expect(readdirSync(join(root, 'backups')).length).toBeGreaterThan(0);
  expect((await files.removeEverything()).ok).toBe(true);
  const fresh = open();
  expect(fresh.notice).toBeNull();
  fresh.close();
});
