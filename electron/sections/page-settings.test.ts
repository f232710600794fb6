import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { GivenOptions } from '../../shared/domain/exports/exporter.ts';
import { mostRecentExports, type StoredSettings } from '../../shared/domain/settings/settings.ts';
import { defaultSettings } from '../services/settings/stored-settings.ts';
import { pageSettings } from './app.ts';
import type { App } from './context.ts';
import { automationProcedures } from './storage.ts';
import { rememberExport } from '../services/exports/export-service.ts';

vi.mock('electron', () => ({ dialog: {}, shell: {}, BrowserWindow: {} }));

it('a page learns the last part of a chosen folder, never its path (S-14)', () => {
  const stored = {
    ...defaultSettings,
    copyFolder: '/home/me/Hujjatlar/Matnlar',
    watchFolders: ['/media/disk/Yozuvlar/'],
    recentExports: [{ format: 'srt' as const, options: {}, folder: '/home/me/Hujjatlar/Subtitrlar' }],
  };
  const shown = pageSettings(stored, '');
  expect([shown.copyFolderName, shown.watchedFolders[0]?.name]).toEqual(['Matnlar', 'Yozuvlar']);
  expect(shown.recentExports).toEqual([{ format: 'srt', options: {}, folderName: 'Subtitrlar' }]);
  expect(JSON.stringify(shown)).not.toMatch(/home|media|disk|Hujjatlar/);
});

it('the folder that a page showed is no longer watched, although the list changed meanwhile', async () => {
  let stored: StoredSettings = { ...defaultSettings, watchFolders: ['/a/Yozuvlar', '/b/Yozuvlar', '/c/Yozuvlar'] };
  const id = pageSettings(stored, '').watchedFolders[1]?.id;
  const settings = {
    get: () => stored,
    update: (patch: Partial<StoredSettings>) => (stored = { ...stored, ...patch }),
  };
  settings.update({ watchFolders: ['/b/Yozuvlar', '/c/Yozuvlar'] });
  const stop = automationProcedures({ settings } as unknown as App)['automation.stopWatching'];
  await stop.handle({ id: id ?? '' }, { windowId: 1, activation: null } as never);
  expect(stored.watchFolders).toEqual(['/c/Yozuvlar']);
});

it('an export is remembered with its folder, each format and folder once, without the part of one recording', () => {
  let stored: StoredSettings = defaultSettings;
  const settings = {
    get: () => stored,
    update: (patch: Partial<StoredSettings>) => (stored = { ...stored, ...patch }),
  };
  const remember = (folder: string, format: 'srt' | 'mp3', options: GivenOptions) =>
    rememberExport(settings, join(folder, `a.${format}`), { format, options });
  remember('one', 'srt', { lineEnds: 'crlf', second: 'other-id' });
  remember('two', 'mp3', { fromMs: 1000, toMs: 2000, bitRate: '64' });
  remember('one', 'srt', { lineEnds: 'lf', second: 'letters' });
  expect(stored.recentExports).toEqual([
    { format: 'srt', options: { lineEnds: 'lf', second: 'letters' }, folder: 'one' },
    { format: 'mp3', options: { bitRate: '64' }, folder: 'two' },
  ]);
  expect(stored).toMatchObject({
    exportFolder: 'one',
    lastExportFormat: 'srt',
    exportChoices: { mp3: { bitRate: '64' } },
  });
  remember('one', 'srt', { charactersPerLine: 37, speakers: 'none' });
  expect(stored.exportChoices).toMatchObject({
    srt: { charactersPerLine: 37, speakers: 'none' },
    ass: { charactersPerLine: 37 },
  });
  expect(stored.exportChoices.ass).not.toHaveProperty('speakers');
  for (let at = 0; at < 20; at += 1) remember(String(at), 'srt', {});
  expect(stored.recentExports).toHaveLength(mostRecentExports);
});
