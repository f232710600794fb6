import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ok } from '../../shared/result/result.ts';
import { defaultSettings } from '../services/settings/stored-settings.ts';
import type { App } from './context.ts';
import { isolationProcedures, isolationStreams } from './isolate.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

vi.mock('electron', () => ({ dialog: {}, shell: {}, BrowserWindow: {} }));

function openFolder() {
  const folder = folderOfTest();
  const audio = { title: 'Suhbat', sourceName: 'Suhbat.mp3', createdAtMs: 0 };
  /** While this one is made, another file gets its name. */
  const copyResult = (_audio: unknown, _format: unknown, target: string) => {
    writeFileSync(join(folder, taken), 'other');
    writeFileSync(target, 'mine');
    return ok(null);
  };
  const isolation = { find: () => ok(audio), extensionOf: () => '.wav', copyResult };
  const workspaces = { opened: () => ok({ isolation }) };
  const fileTokens = { resolve: () => folder, issue: (_id: number, path: string) => path };
  const app = { workspaces, fileTokens, settings: { get: () => defaultSettings } } as unknown as App;
  const found = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return { app, folder, found };
}
const taken = 'Suhbat (tozalangan).wav';
const both = [
  ['Suhbat (tozalangan) (2).wav', 'mine'],
  [taken, 'other'],
];
const window = { windowId: 1, activation: null } as never;

it('what is mixed into a folder never takes the place of a file that came there meanwhile', async () => {
  const { app, folder, found } = openFolder();
  async function* incoming() {
    writeFileSync(join(folder, taken), 'other');
    yield await Promise.resolve(Buffer.from('mine'));
  }
  const stream = { incoming: incoming(), signal: new AbortController().signal, send: vi.fn() };
  const wanted = { audioId: 'a', format: 'wav', content: 'isolated', percent: 100, placeToken: 'place' } as const;
  const ended = await isolationStreams(app)['isolation.saveMix'].handle(wanted, stream as never, window);
  expect(ended.ok).toBe(true);
  expect(found()).toEqual(both);
  expect(stream.send.mock.lastCall).toMatchObject([{ kind: 'saved', savedAs: both[0]?.[0] }]);
});

it('nor does what is saved as the service made it', async () => {
  const { app, found } = openFolder();
  const wanted = { audioId: 'a', format: 'wav', placeToken: 'place' } as const;
  const saved = await isolationProcedures(app)['isolation.save'].handle(wanted, window);
  expect(saved).toMatchObject({ ok: true, value: { savedAs: both[0]?.[0] } });
  expect(found()).toEqual(both);
});
