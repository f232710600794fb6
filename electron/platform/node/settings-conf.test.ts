import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsVersion } from '../../services/settings/settings-migrations.ts';
import { openSettingsForTerminal } from './settings-conf.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovoz-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'settings.json');
const inFile = () => JSON.parse(readFileSync(path(), 'utf8')) as Record<string, unknown>;
const open = () => openSettingsForTerminal(folder, () => expect.unreachable());

it('a file of version 1 is written back with the number of this version and every choice', () => {
  writeFileSync(path(), JSON.stringify({ mode: 'practice', interfaceLanguage: 'ru' }));
  expect(open().wasReset).toBe(false);
  expect(inFile()).toMatchObject({ version: settingsVersion, mode: 'practice', interfaceLanguage: 'ru' });
});

it('a file of a newer app keeps its number and unknown fields', () => {
  writeFileSync(path(), JSON.stringify({ version: 99, mode: 'practice', something: { new: 1 } }));
  open().update({ interfaceLanguage: 'en' });
  expect(inFile()).toEqual({ version: 99, mode: 'practice', something: { new: 1 }, interfaceLanguage: 'en' });
});

it('the first file has a number, and a log that was refused stays refused after damage', () => {
  open().update({ keepsLog: false });
  expect(inFile()).toEqual({ version: settingsVersion, keepsLog: false });
  writeFileSync(path(), JSON.stringify(inFile()).slice(0, -4));
  const damaged = open();
  expect([damaged.wasReset, damaged.get().keepsLog]).toEqual([true, false]);
  expect(open().get().keepsLog).toBe(false);
});

it('reading creates no folder, and a change creates one for this user alone (S-37)', () => {
  const fresh = join(folder, 'not yet there');
  const settings = openSettingsForTerminal(fresh, () => expect.unreachable());
  expect([settings.get().mode, existsSync(fresh)]).toEqual(['unset', false]);
  settings.update({ mode: 'practice' });
  expect(statSync(fresh).mode & 0o077).toBe(0);
});
