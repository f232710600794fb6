import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportDisk } from '../../electron/platform/node/export-disk.ts';
import { copyFolder, createWatchPort } from '../../electron/platform/node/watch-folder.ts';
import {
  createAutoExport,
  createFolderWatch,
  type AutoExportSettings,
  type FolderWatch,
} from '../../electron/services/automation/automation.ts';
import { systemClientClock } from '../../electron/service/transport.ts';
import { openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { toneWav } from '../support/wav-files.ts';

let folder = '';
let rig: QueueRig;

beforeEach(async () => {
  rig = await openQueueRig(takesAll, { clock: systemClientClock });
  ({ folder } = rig);
  mkdirSync(join(folder, 'out'));
  mkdirSync(join(folder, 'in'));
});
afterEach(async () => {
  await rig.close();
});

describe('automatic exports', () => {
  const requests = (change: Partial<AutoExportSettings> = {}): AutoExportSettings => ({
    isOn: true,
    folder: join(folder, 'out'),
    formats: ['txt', 'srt'],
    template: '{name} {language}',
    collision: 'number',
    options: () => ({}),
    sinceMs: 0,
    ...change,
  });
  const saver = (change: Partial<AutoExportSettings> = {}) =>
    createAutoExport({ settings: () => requests(change), folders: copyFolder, disk: exportDisk });
  const follow = async (copies: ReturnType<typeof saver>) => {
    copies.follow(rig.library, rig.library.jobs.list().jobs);
    await copies.settled();
  };
  const written = () => readdirSync(join(folder, 'out')).toSorted();

  it('each is saved once in every format, even when the app is restarted', async () => {
    await rig.add(rig.record('Suhbat.wav', 300), rig.record('Maʼruza.wav', 340));
    await rig.until(['done', 'done']);
    const options = { lineEnds: 'crlf', byteOrderMark: true };
    const copies = saver({ options: (format) => (format === 'srt' ? options : {}) });
    await follow(copies);
    const names = ['Maʼruza uz.srt', 'Maʼruza uz.txt', 'Suhbat uz.srt', 'Suhbat uz.txt'];
    expect(written()).toEqual(names);
    expect(readFileSync(join(folder, 'out', 'Suhbat uz.txt'), 'utf8')).toContain('Salom dunyo.');
    // With the last options of the format.
    expect(readFileSync(join(folder, 'out', 'Suhbat uz.srt'), 'utf8')).toMatch(/^\ufeff1\r\n/u);
    rmSync(join(folder, 'out', 'Suhbat uz.txt'));
    await follow(copies);
    await rig.reopen();
    await follow(saver());
    expect(written()).toEqual(names.filter((name) => name !== 'Suhbat uz.txt'));
  });

  it('an existing file is numbered around, left alone, or overwritten, as the user chose', async () => {
    const there = join(folder, 'out', 'Suhbat.txt');
    for (const [at, collision] of (['skip', 'number', 'overwrite'] as const).entries()) {
      writeFileSync(there, 'mine');
      await rig.add(rig.record('Suhbat.wav', 500 + at * 31));
      await rig.until(Array.from({ length: at + 1 }, () => 'done'));
      await follow(saver({ collision, formats: ['txt'], template: '{name}' }));
      expect(readFileSync(there, 'utf8') === 'mine').toBe(collision !== 'overwrite');
    }
    expect(written()).toEqual(['Suhbat (2).txt', 'Suhbat.txt']);
    const outcomes = rig.library.automation.list(10).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['done', 'done', 'skipped']);
  });
});

describe('watched folders', () => {
  let watch: FolderWatch;
  let mayTake: boolean | 'waits' = true;
  let byLegacy = false;
  let watched = ['in'];
  const start = () => {
    watch = createFolderWatch({
      settings: () => ({
        folders: watched.map((name) => join(folder, name)),
        language: 'ru',
        includeSpeakers: true,
        isLegacy: byLegacy,
      }),
      port: createWatchPort(300),
      library: () => rig.library,
      mayTake: async () => mayTake,
      now: Date.now,
    });
    watch.refresh();
    return watch.settled();
  };
  const log = () => rig.library.automation.list(20).map(({ name, outcome }) => `${name}: ${outcome}`);

  it('a growing file is added once, when it is complete; older files are left alone', async () => {
    rig.record(join('in', 'old.wav'), 300);
    await start();
    const growing = join(folder, 'in', 'new.wav');
    const bytes = toneWav(440, 0.5);
    writeFileSync(growing, bytes.subarray(0, 5000));
    appendFileSync(growing, bytes.subarray(5000));
    await rig.until(['done']);
    expect(rig.library.jobs.list().jobs).toMatchObject([
      { name: 'new.wav', kind: 'transcribe', language: 'ru', includeSpeakers: true },
    ]);
    expect(rig.library.jobs.list().jobs[0]?.sizeBytes).toBe(bytes.length);
    expect(log()).toEqual(['new.wav: done']);
    await watch.close();
  });

  it('a restart adds nothing twice, and adds what arrived in the meantime', async () => {
    await start();
    rig.record(join('in', 'a.wav'), 440);
    await rig.until(['done']);
    await watch.close();
    await rig.reopen(() => {
      rig.record(join('in', 'b.wav'), 550);
    });
    await start();
    await rig.until(['done', 'done']);
    expect(log().toSorted()).toEqual(['a.wav: done', 'b.wav: done']);
    expect(rig.server.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
    await watch.close();
  });

  it('of several, one can be left without the others', async () => {
    mkdirSync(join(folder, 'more'));
    watched = ['in', 'more'];
    await start();
    rig.record(join('in', 'a.wav'), 440);
    rig.record(join('more', 'b.wav'), 550);
    await rig.until(['done', 'done']);
    watched = ['more'];
    watch.refresh();
    await watch.settled();
    rig.record(join('in', 'c.wav'), 660);
    rig.record(join('more', 'd.wav'), 770);
    await rig.until(['done', 'done', 'done']);
    await watch.close();
    watched = ['in'];
    expect(log().toSorted()).toEqual(['a.wav: done', 'b.wav: done', 'd.wav: done']);
  });

  it('partial, locked and hidden files are ignored, and what is no recording is reported once', async () => {
    await start();
    for (const name of ['x.wav.part', '.hidden.wav', '~$doc.wav', 'y.crdownload']) rig.record(join('in', name), 300);
    writeFileSync(join(folder, 'in', 'notes.txt'), 'just words, no sound');
    rig.record(join('in', 'real.wav'), 660);
    await rig.until(['done']);
    await expect.poll(() => log().toSorted(), { timeout: 15_000 }).toEqual(['notes.txt: failed', 'real.wav: done']);
    await watch.close();
  });

  it('files beyond the limit of an hour stay in the folder and are reported; those that wait for the user are added as paused', async () => {
    mayTake = false;
    await start();
    rig.record(join('in', 'a.wav'), 440);
    await expect.poll(log, { timeout: 15_000 }).toEqual(['a.wav: skipped']);
    expect(rig.tags()).toEqual([]);
    mayTake = 'waits';
    rig.record(join('in', 'b.wav'), 440);
    await rig.until(['paused']);
    expect(log()).toContain('b.wav: done');
    await watch.close();
    mayTake = true;
  });
});
