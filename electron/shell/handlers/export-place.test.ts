import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeFailure } from '../../../shared/domain/failures/describe-failure.ts';
import { writeWholeFile } from '../../platform/node/atomic-file.ts';
import { writeFailure } from '../../platform/node/storage-failure.ts';
import { defaultSettings } from '../../services/settings/stored-settings.ts';
import { placeFailure, placeForExport, replaceExport, savedPlace } from './export-place.ts';

// Only the dialogs need Electron. Each is cancelled.
const suggested: string[] = [];
vi.mock('electron', () => ({
  app: { getPath: () => '/documents' },
  dialog: {
    showSaveDialog: ({ defaultPath }: { readonly defaultPath: string }) => {
      suggested.push(defaultPath);
      return Promise.resolve({ canceled: true, filePath: '' });
    },
  },
  shell: {},
}));

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'export-place-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The paths stand for themselves. */
const fileTokens = {
  issue: (_windowId: number, path: string) => path,
  resolve: (_windowId: number, token: string) => token,
  releaseWindow: () => undefined,
};

const exported = async (transcriptId: string, text: string) => {
  const place = await placeForExport(
    { ...defaultSettings, exportFolder: folder },
    undefined,
    'Meeting.txt',
    'txt',
    'last',
  );
  if (!place.ok || place.value === null) throw new Error('No place');
  writeFileSync(place.value.path, text);
  return savedPlace(fileTokens, 1, place.value, transcriptId);
};

it('an export replaces the earlier file of its own transcript, never that of another with the same name', async () => {
  const first = await exported('t1', 'one');
  const other = await exported('t2', 'two');
  expect(other.takenToken).toBeNull();
  expect(await replaceExport(other.revealToken, first.revealToken)).toMatchObject({ ok: false });
  const again = await exported('t1', 'three');
  expect(again.takenToken).toBe(first.revealToken);
  expect(await replaceExport(again.revealToken, first.revealToken)).toMatchObject({ ok: true });
  expect(readFileSync(first.revealToken, 'utf8')).toBe('three');
  expect(readFileSync(other.revealToken, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toHaveLength(2);
});

const placeIn = (exportFolder: string, place: 'ask' | 'last' | { readonly recent: number }) =>
  placeForExport(
    { ...defaultSettings, exportFolder: folder, recentExports: [{ format: 'txt', options: {}, folder: exportFolder }] },
    undefined,
    'Meeting.txt',
    'txt',
    place,
  );

it('an export into a folder that is gone is refused with its name, and asks for no place by itself', async () => {
  const gone = join(folder, 'Subtitrlar');
  const refused = await placeIn(gone, { recent: 0 });
  if (refused.ok) throw new Error('A place was found');
  expect(describeFailure(refused.error)).toMatchObject({
    textKey: 'errors.variants.export_folder_gone.text',
    params: { name: 'Subtitrlar' },
  });
  expect(suggested).toEqual([]);
});

it('a place is asked for in the folder of the last export, and among the documents once that is gone', async () => {
  await placeIn(folder, 'ask');
  const before = folder;
  rmSync(folder, { recursive: true });
  await placeIn(folder, 'ask');
  expect(suggested.splice(0)).toEqual([join(before, 'Meeting.txt'), '/documents/Meeting.txt']);
});

it('what keeps an export from being written is said of its folder, by name', async () => {
  const inFolder = async (name: string, code: string) =>
    describeFailure(await placeFailure(writeFailure({ code }), join(folder, name, 'Meeting.txt')));
  mkdirSync(join(folder, 'Hujjatlar'));
  const params = { name: 'Hujjatlar' };
  expect(await inFolder('Hujjatlar', 'ENOSPC')).toMatchObject({
    textKey: 'errors.variants.export_disk_full.text',
    params,
  });
  expect(await inFolder('Hujjatlar', 'EROFS')).toMatchObject({
    textKey: 'errors.variants.export_folder_not_writable.text',
    params,
  });
  const path = join(folder, 'Subtitrlar', 'Meeting.txt');
  const written = await writeWholeFile(path, 'x', 0o600);
  if (written.ok) throw new Error('Written into a folder that is not there');
  expect(await placeFailure(written.error, path)).toMatchObject({
    code: 'export_folder_gone',
    params: { name: 'Subtitrlar' },
  });
});

it('a file that is there and cannot be replaced is named itself', async () => {
  writeFileSync(join(folder, 'Meeting.txt'), 'old');
  expect(await placeFailure(writeFailure({ code: 'EPERM' }), join(folder, 'Meeting.txt'))).toMatchObject({
    code: 'export_not_writable',
    params: { name: 'Meeting.txt' },
  });
});
