import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../shared/domain/diagnostics/log-entry.ts';
import { settingsVersion } from '../../services/settings/stored-settings.ts';
import { locateDataFolder, prepareDataFolder } from './data-folder.ts';
import { formatLogLine, openJsonLog } from './json-log.ts';
import { openPeaksFolder } from './audio-folder.ts';
import { openSettingsForTerminal } from './settings-conf.ts';
import { folderOfTest } from '../../../tests/support/test-folders.ts';

let folder = '';
beforeEach(() => (folder = folderOfTest()));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const neverUnsaved = () => expect.unreachable('the disk took it');

describe('the data folder', () => {
  it('is the system’s place, the same for the window and the terminal', () => {
    const at = (platform: NodeJS.Platform, env = {}) =>
      locateDataFolder(null, { platform, env, home: '/home/me' }).root;
    expect([
      at('linux'),
      at('linux', { XDG_CONFIG_HOME: '/cfg' }),
      at('darwin'),
      at('win32', { APPDATA: '/roaming' }),
    ]).toEqual([
      '/home/me/.config/Ovoz Studio',
      '/cfg/Ovoz Studio',
      '/home/me/Library/Application Support/Ovoz Studio',
      '/roaming/Ovoz Studio',
    ]);
  });

  it('is made for its owner only, and repaired when others got in', () => {
    const place = locateDataFolder(join(folder, 'deep', 'data'));
    prepareDataFolder(place);
    chmodSync(place.logs, 0o755);
    prepareDataFolder(place);
    expect(new Set(Object.values(place).map((path) => modeOf(path as string)))).toEqual(new Set(['700']));
  });
});

describe('the settings file', () => {
  const path = () => join(folder, 'settings.json');
  const inFile = () => JSON.parse(readFileSync(path(), 'utf8')) as Record<string, unknown>;
  const open = () => openSettingsForTerminal(folder, neverUnsaved);

  it.each([
    ['half of it', '{"mode":"serv'],
    ['nothing', ''],
    ['wrong types', '{"mode":3,"interfaceLanguage":"ru"}'],
  ])('with %s in it is put aside, reported, and replaced by safe values (settings-reset)', (_name, text) => {
    writeFileSync(path(), text);
    const settings = open();
    expect([settings.wasReset, settings.get().mode]).toEqual([true, 'unset']);
    const aside = readdirSync(folder).filter((name) => name.includes('damaged'));
    expect(aside).toHaveLength(1);
    expect([readFileSync(join(folder, aside[0]!), 'utf8'), modeOf(join(folder, aside[0]!))]).toEqual([text, '600']);
    const again = open();
    expect([again.wasReset, again.get()]).toEqual([false, settings.get()]);
  });

  it('of version 1 is written back with the number of this version and every choice', () => {
    writeFileSync(path(), JSON.stringify({ mode: 'practice', interfaceLanguage: 'ru' }));
    expect(open().wasReset).toBe(false);
    expect(inFile()).toMatchObject({ version: settingsVersion, mode: 'practice', interfaceLanguage: 'ru' });
  });

  it('of a newer app keeps its number and unknown fields', () => {
    writeFileSync(path(), JSON.stringify({ version: 99, mode: 'practice', something: { new: 1 } }));
    open().update({ interfaceLanguage: 'en' });
    expect(inFile()).toEqual({ version: 99, mode: 'practice', something: { new: 1 }, interfaceLanguage: 'en' });
  });

  it('has a number from the first on, and a log that was refused stays refused after damage', () => {
    open().update({ keepsLog: false });
    expect(inFile()).toEqual({ version: settingsVersion, keepsLog: false });
    writeFileSync(path(), JSON.stringify(inFile()).slice(0, -4));
    const damaged = open();
    expect([damaged.wasReset, damaged.get().keepsLog]).toEqual([true, false]);
    expect(open().get().keepsLog).toBe(false);
  });

  it('is made with its folder by the first change, for this user alone (S-37)', () => {
    const fresh = join(folder, 'not yet there');
    const settings = openSettingsForTerminal(fresh, neverUnsaved);
    expect([settings.get().mode, existsSync(fresh)]).toEqual(['unset', false]);
    settings.update({ mode: 'practice' });
    expect([modeOf(fresh), modeOf(join(fresh, 'settings.json'))]).toEqual(['700', '600']);
  });

  it('that can’t be written holds until the end of the run', () => {
    let unsaved = 0;
    const settings = openSettingsForTerminal(folder, () => (unsaved += 1));
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file in place of the folder');
    settings.update({ mode: 'practice' });
    expect([unsaved, settings.get().mode]).toEqual([1, 'practice']);
  });
});

describe('the log', () => {
  const path = () => join(folder, 'logs', 'studio.log');
  const lines = () =>
    readFileSync(path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('holds the listed fields and nothing else, whatever an entry was made of', () => {
    const careless = {
      event: 'ipc-call',
      route: 'jobs.add',
      ms: 1.6,
      status: Number.NaN,
      path: '/home/me',
      key: 'sk_live_1',
      code: 'has spaces: sk_live_2',
    };
    expect(JSON.parse(formatLogLine(careless as LogEntry, 'T'))).toEqual({
      time: 'T',
      level: 'info',
      event: 'ipc-call',
      route: 'jobs.add',
      code: '[unsafe]',
      ms: 2,
    });
  });

  it('is readable by its owner only and starts anew when it is full, keeping the previous file', () => {
    const log = openJsonLog(path(), () => new Date(0), 200);
    for (let count = 0; count < 6; count += 1) log.write({ event: 'tick', count });
    expect([modeOf(path()), existsSync(`${path()}.1`), log.lostLines]).toEqual(['600', true, 0]);
    expect(lines().at(-1)).toEqual({ time: '1970-01-01T00:00:00.000Z', level: 'info', event: 'tick', count: 5 });
    expect(statSync(path()).size).toBeLessThan(400);
  });

  it('counts what it could not write and reports it later, and never throws', () => {
    const log = openJsonLog(path());
    rmSync(join(folder, 'logs'), { recursive: true });
    log.write({ event: 'lost' });
    log.write({ event: 'lost' });
    expect(log.lostLines).toBe(2);
    prepareDataFolder(locateDataFolder(folder));
    log.write({ event: 'found' });
    expect(lines().map(({ event, count }) => [event, count])).toEqual([
      ['log-lines-lost', 2],
      ['found', undefined],
    ]);
  });
});

it('peaks are stored by content, and a name that is no hash is never a path', async () => {
  const peaks = openPeaksFolder(folder);
  const sha256 = 'ab'.repeat(32);
  expect([await peaks.read(sha256), await peaks.write(sha256, new Uint8Array([1, 2]))]).toEqual([null, true]);
  expect([...((await peaks.read(sha256)) ?? [])]).toEqual([1, 2]);
  expect(modeOf(join(folder, `${sha256}.peaks`))).toBe('600');
  expect([await peaks.write('../../x', new Uint8Array(1)), await peaks.read('../x')]).toEqual([false, null]);
});
