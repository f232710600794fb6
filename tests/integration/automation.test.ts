import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportDisk } from '../../electron/platform/node/export-disk.ts';
import { copyFolder, createWatchPort } from '../../electron/platform/node/watch-folder.ts';
import { createAutoExport, type AutoExportSettings } from '../../electron/services/automation/auto-export.ts';
import { createFolderWatch, type FolderWatch } from '../../electron/services/automation/folder-watch.ts';
import { systemClock } from '../../electron/services/jobs/ports.ts';
import { ok } from '../../shared/result/result.ts';
import { openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { toneWav } from '../support/wav-files.ts';

let folder = '';
let rig: QueueRig;

const record = (path: string, hertz: number): string => {
  writeFileSync(path, toneWav(hertz, 0.2));
  return path;
};
const add = (...names: readonly string[]) =>
  rig.library.jobs.add(
    names.map((name, at) => ({
      path: record(join(folder, name), 300 + at * 40),
      kind: 'transcribe',
      language: 'uz',
      includeSpeakers: false,
    })),
  );

beforeEach(async () => {
  rig = await openQueueRig(takesAll, { clock: systemClock });
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
    await add('Suhbat.wav', 'Maʼruza.wav');
    await rig.until(['done', 'done']);
    const copies = saver();
    await follow(copies);
    const names = ['Maʼruza uz.srt', 'Maʼruza uz.txt', 'Suhbat uz.srt', 'Suhbat uz.txt'];
    expect(written()).toEqual(names);
    expect(readFileSync(join(folder, 'out', 'Suhbat uz.txt'), 'utf8')).toContain('Salom dunyo.');
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
      await rig.library.jobs.add([
        {
          path: record(join(folder, 'Suhbat.wav'), 500 + at * 31),
          kind: 'transcribe',
          language: 'uz',
          includeSpeakers: false,
        },
      ]);
      await rig.until(Array.from({ length: at + 1 }, () => 'done'));
      await follow(saver({ collision, formats: ['txt'], template: '{name}' }));
      expect(readFileSync(there, 'utf8') === 'mine').toBe(collision !== 'overwrite');
    }
    expect(written()).toEqual(['Suhbat (2).txt', 'Suhbat.txt']);
    expect(
      rig.library.automation
        .list(10)
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['done', 'done', 'skipped']);
  });

  it('a missing folder costs nothing: it is reported, and the export is made when it is back', async () => {
    await add('a.wav');
    await rig.until(['done']);
    rmSync(join(folder, 'out'), { recursive: true });
    await follow(saver({ formats: ['txt'] }));
    expect(rig.library.automation.list(10)).toMatchObject([{ outcome: 'failed', row: 'E-214', name: 'a uz.txt' }]);
    mkdirSync(join(folder, 'out'));
    await follow(saver({ formats: ['txt'] }));
    expect(written()).toEqual(['a uz.txt']);
    expect(rig.library.automation.list(10)).toMatchObject([{ outcome: 'done', row: null }]);
  });

  it('a failed export is repeated on request, even if its row is gone from the queue', async () => {
    await add('a.wav');
    await rig.until(['done']);
    rmSync(join(folder, 'out'), { recursive: true });
    const copies = saver({ formats: ['txt', 'srt'] });
    await follow(copies);
    const [job] = rig.library.jobs.list().jobs;
    await rig.library.jobs.remove(job?.id ?? '');
    mkdirSync(join(folder, 'out'));
    await copies.retry(rig.library);
    expect(written()).toEqual(['a uz.srt', 'a uz.txt']);
    expect(rig.library.automation.list(10).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    await copies.retry(rig.library);
    expect(written()).toEqual(['a uz.srt', 'a uz.txt']);
  });

  it('subtitles, documents, tables and audio are exported with their last options', async () => {
    await add('Suhbat.wav');
    await rig.until(['done']);
    const formats = ['srt', 'docx', 'csv', 'otio', 'wav'] as const;
    await follow(
      saver({
        formats,
        template: '{name}',
        options: (format) => (format === 'srt' ? { lineEnds: 'crlf', byteOrderMark: true } : {}),
      }),
    );
    expect(rig.library.automation.list(10).map(({ outcome, row }) => outcome + (row ?? ''))).toEqual(
      formats.map(() => 'done'),
    );
    expect(written()).toEqual(['Suhbat.csv', 'Suhbat.docx', 'Suhbat.otio', 'Suhbat.srt', 'Suhbat.wav']);
    const srt = readFileSync(join(folder, 'out', 'Suhbat.srt'), 'utf8');
    expect(srt).toMatch(/^\ufeff1\r\n/u);
    expect(
      readFileSync(join(folder, 'out', 'Suhbat.docx'))
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    expect(
      readFileSync(join(folder, 'out', 'Suhbat.wav'))
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF');
  });

  it('transcripts finished before exports were switched on are left alone', async () => {
    await add('a.wav');
    await rig.until(['done']);
    await follow(saver({ sinceMs: Date.now() + 1000 }));
    expect(written()).toEqual([]);
  });
});

describe('the watched folder', () => {
  let watch: FolderWatch;
  let mayTake = true;
  let byLegacy = false;
  const start = () => {
    watch = createFolderWatch({
      settings: () => ({ folder: join(folder, 'in'), language: 'ru', includeSpeakers: true, isLegacy: byLegacy }),
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
    record(join(folder, 'in', 'old.wav'), 300);
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

  it('is sent by the legacy API while that is chosen', async () => {
    byLegacy = true;
    await start();
    record(join(folder, 'in', 'new.wav'), 440);
    await expect.poll(() => rig.library.jobs.list().jobs).toMatchObject([{ name: 'new.wav', isLegacy: true }]);
    byLegacy = false;
    await watch.close();
  });

  it('a restart adds nothing twice, and adds what arrived in the meantime', async () => {
    await start();
    record(join(folder, 'in', 'a.wav'), 440);
    await rig.until(['done']);
    await watch.close();
    await rig.reopen(() => {
      record(join(folder, 'in', 'b.wav'), 550);
    });
    await start();
    await rig.until(['done', 'done']);
    expect(log().toSorted()).toEqual(['a.wav: done', 'b.wav: done']);
    expect(rig.server.seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
    await watch.close();
  });

  it('partial, locked and hidden files are ignored, and what is no recording is reported once', async () => {
    await start();
    for (const name of ['x.wav.part', '.hidden.wav', '~$doc.wav', 'y.crdownload'])
      record(join(folder, 'in', name), 300);
    writeFileSync(join(folder, 'in', 'notes.txt'), 'just words, no sound');
    record(join(folder, 'in', 'real.wav'), 660);
    await rig.until(['done']);
    await expect.poll(() => log().toSorted(), { timeout: 15_000 }).toEqual(['notes.txt: failed', 'real.wav: done']);
    await watch.close();
  });

  it('files beyond the limit of an hour stay in the folder and are reported', async () => {
    mayTake = false;
    await start();
    record(join(folder, 'in', 'a.wav'), 440);
    await expect.poll(log, { timeout: 15_000 }).toEqual(['a.wav: skipped']);
    expect(rig.tags()).toEqual([]);
    await watch.close();
    mayTake = true;
  });

  it('a library that closes while a file is looked at stops nothing: the next library takes it', async () => {
    const looked = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<boolean>();
    const file = { path: record(join(folder, 'in', 'a.wav'), 440), name: 'a.wav', identity: 'a' };
    const followed: ((found: typeof file) => void)[] = [];
    watch = createFolderWatch({
      settings: () => ({ folder: join(folder, 'in'), language: 'ru', includeSpeakers: true, isLegacy: false }),
      port: {
        list: async () => ok([]),
        watch: (_folder, onFile) => {
          followed.push(onFile);
          return { close: async () => undefined };
        },
      },
      library: () => rig.library,
      mayTake: () => {
        looked.resolve();
        return mayGoOn.promise;
      },
      now: Date.now,
    });
    watch.refresh();
    await watch.settled();
    followed[0]?.(file);
    await looked.promise;
    await rig.reopen();
    watch.refresh();
    mayGoOn.resolve(true);
    await watch.settled();
    followed[1]?.(file);
    await watch.settled();
    expect(log()).toEqual(['a.wav: done']);
    expect(rig.library.jobs.list().jobs).toMatchObject([{ name: 'a.wav' }]);
    await watch.close();
  });
});
