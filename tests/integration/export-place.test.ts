import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../electron/services/settings/stored-settings.ts';
import { placeForExport, replaceExport, savedPlace } from '../../electron/sections/exports.ts';
import { folderOfTest } from '../support/test-folders.ts';

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
beforeEach(() => (folder = folderOfTest()));

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
