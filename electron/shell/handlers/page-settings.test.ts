import { expect, it } from 'vitest';
import { defaultSettings } from '../../services/settings/stored-settings.ts';
import { pageSettings } from './app-handlers.ts';

it('a page learns the last part of a chosen folder, never where it is (S-14)', () => {
  const stored = { ...defaultSettings, copyFolder: '/home/me/Hujjatlar/Matnlar', watchFolder: '/media/disk/Yozuvlar/' };
  const shown = pageSettings(stored, '');
  expect([shown.copyFolderName, shown.watchFolderName]).toEqual(['Matnlar', 'Yozuvlar']);
  expect(JSON.stringify(shown)).not.toMatch(/home|media|disk|Hujjatlar/);
});
