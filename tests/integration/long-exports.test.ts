import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { nameSpeaker } from '../../electron/workers/writing/writing-work.ts';
import { openWriter } from '../../electron/workers/writing/open-writer.ts';
import { readStoredText } from '../../electron/storage/read-stored-text.ts';
import { mostWordsReadHere } from '../../electron/services/transcripts/text-in-parts.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { textFormats } from '../../shared/domain/exports/formats.ts';
import type { ExportDocument } from '../../shared/domain/exports/exporter.ts';
import { writeBeginning, writeDocument } from '../../shared/domain/exports/write-export.ts';
import { readSegments } from '../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { cpuTimeMs } from '../support/measure-thread.ts';
import { openQueueRig, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

const segmentCount = 3_000;
const spoken = ['Salom,', 'oʻzbek', 'tilidagi', 'soʻzlar', 'va', 'gaplar', 'koʻp.'];
const longAnswer = {
  data: {
    id: 'tr_1',
    status: 'completed',
    segments: Array.from({ length: segmentCount }, (_, at) => ({
      start: at * 4,
      end: at * 4 + 3.5,
      speaker: `SPEAKER_0${String(at % 3)}`,
      text: spoken.join(' '),
      words: spoken.map((word, place) => ({ word, start: at * 4 + place / 2, end: at * 4 + (place + 1) / 2 })),
    })),
  },
};
const formats = ['txt', 'srt', 'vtt', 'json'] as const;
const ownWorker = new URL('../../electron/entries/library-worker.ts', import.meta.url);

let rig: QueueRig;
let id = '';
let transcript: Transcript;

beforeAll(async () => {
  rig = await openQueueRig((_request, response) => sendJson(response, 200, longAnswer), {
    clock: new TestClock(1000),
  });
  await rig.add(rig.record('days.wav'));
  await vi.waitFor(() => expect(rig.tags()).toEqual(['done']), { timeout: 30_000, interval: 20 });
  const [state] = rig.states();
  id = state?.tag === 'done' ? (state.transcriptId ?? '') : '';
  transcript = readHere();
}, 60_000);
afterAll(() => rig.close());

/**
 * The processor time of this thread meanwhile, in milliseconds, without waiting and other programs: nothing in main
 * waits longer than main works.
 */
async function timeOfThisThread(work: () => Promise<unknown>): Promise<number> {
  const before = cpuTimeMs();
  await work();
  return cpuTimeMs() - before;
}

const facts = { title: 'days', nameSpeaker, madeAtMs: 0, media: null };
const textOf = (document: ExportDocument): string => (document.kind === 'text' ? document.text : '');
const libraryPath = () => join(rig.folder, 'data', 'library.db');
/** All of it, read in the test's own thread. */
function readHere(): Transcript {
  const found = readStoredText(libraryPath(), id);
  if (!found.ok || found.value === null) throw new Error('the text is not there');
  return found.value.transcript;
}

it('it is opened in parts that together are the stored text; nothing is blocked for as long as reading it in main takes', async () => {
  // The first run also loads what it needs.
  await rig.library.transcripts.open(id);
  const held = await timeOfThisThread(() => rig.library.transcripts.open(id));
  const whole = await timeOfThisThread(() => Promise.resolve(structuredClone(readHere())));
  console.log(
    `${String(segmentCount * spoken.length)} words opened: main works ${held.toFixed(1)} ms; read here it were ${whole.toFixed(1)} ms`,
  );
  expect(held).toBeLessThan(whole / 2);

  const opened = await rig.library.transcripts.open(id);
  if (!opened.ok) throw new Error(opened.error.row);
  const { parts, transcript: head } = opened.value;
  expect(parts.length).toBeGreaterThan(5);
  const segments = parts.flatMap((part) => readSegments(new TextDecoder().decode(part)));
  expect({ ...head, segments }).toEqual(transcript);
}, 60_000);

it('its title is changed, and its details are returned, without a word of it being read', async () => {
  const beside = new DatabaseSync(libraryPath(), { timeout: 5_000 });
  const put = beside.prepare('UPDATE transcript_segments SET words = ? WHERE transcript_id = ? AND position = 65536');
  const { words = null } =
    beside.prepare('SELECT words FROM transcript_segments WHERE transcript_id = ? AND position = 65536').get(id) ?? {};
  put.run('no times any more', id);
  beside.prepare('UPDATE transcripts SET title = ? WHERE id = ?').run('days', id);
  expect(await rig.library.transcripts.open(id)).toMatchObject({ ok: false, error: { row: 'E-182' } });
  const facts = rig.library.transcripts.find(id);
  expect(facts).toMatchObject({ ok: true, value: { id, title: 'days', sourceName: 'days.wav' } });
  expect(await rig.library.transcripts.rename(id, 'nights')).toEqual({ ok: true, value: { title: 'nights' } });
  expect(rig.library.transcripts.find(id)).toMatchObject({ value: { title: 'nights' } });
  put.run(words, id);
  beside.prepare('UPDATE transcripts SET title = ? WHERE id = ?').run('days', id);
  beside.close();
});

it('a file of a long text is letter for letter what main would write, whole or its preview', async () => {
  expect(segmentCount * spoken.length).toBeGreaterThan(mostWordsReadHere);
  for (const format of formats) {
    const path = join(rig.folder, `days.${format}`);
    writeFileSync(path, 'as it was');
    const request = { transcriptId: id, format, options: { script: 'cyrillic' } } as const;
    const written = textOf(writeDocument(exporters[format], transcript, request.options, facts));
    expect(await rig.library.exports.save(request, path)).toEqual({
      ok: true,
      value: { path, sizeBytes: Buffer.byteLength(written) },
    });
    expect(readFileSync(path, 'utf8')).toBe(written);
    const { document, isShortened } = writeBeginning(exporters[format], transcript, {}, facts, 5_000);
    expect(await rig.library.exports.show({ transcriptId: id, format, options: {} }, 5_000)).toEqual({
      ok: true,
      value: { ...document, isShortened },
    });
  }
  const text = textOf(writeDocument(exporters.srt, transcript, {}, facts));
  expect(await rig.library.exports.render({ transcriptId: id, format: 'srt', options: {} })).toEqual({
    ok: true,
    value: { bytes: new TextEncoder().encode(text), suggestedName: 'days.srt' },
  });
}, 60_000);

it('while it is saved everything else continues: nothing is blocked for as long as writing it in main takes', async () => {
  const path = join(rig.folder, 'round.srt');
  const save = () => rig.library.exports.save({ transcriptId: id, format: 'srt', options: {} }, path);
  await save();
  const held = await timeOfThisThread(save);
  const whole = await timeOfThisThread(async () => {
    writeFileSync(path, textOf(writeDocument(exporters.srt, transcript, {}, facts)));
  });
  console.log(
    `${String(segmentCount * spoken.length)} words as srt: main works ${held.toFixed(1)} ms; written here it were ${whole.toFixed(1)} ms`,
  );
  expect(held).toBeLessThan(whole / 2);
}, 60_000);

it('a preview of hours is ready within 200 ms: only its start is read and written', async () => {
  const took: [string, number][] = [];
  for (const format of textFormats) {
    // Edit lists state the length of the whole recording first.
    if (exporters[format].group === 'editing') continue;
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const startedMs = performance.now();
      expect((await rig.library.exports.show({ transcriptId: id, format, options: {} }, 6_000)).ok).toBe(true);
      times.push(performance.now() - startedMs);
    }
    // The fastest of three: another program may take the processor in any one of them.
    took.push([format, Math.round(Math.min(...times))]);
  }
  console.log(
    `${String(segmentCount * spoken.length)} words, previews in ms: ${took.map((one) => one.join(' ')).join(', ')}`,
  );
  expect(took.filter(([, ms]) => ms > 200)).toEqual([]);
});

it('a failed or missing target says why, and leaves the existing file', async () => {
  const missing = await rig.library.exports.save(
    { transcriptId: id, format: 'txt', options: {} },
    join(rig.folder, 'no', 'such', 'a.txt'),
  );
  expect(missing).toMatchObject({ ok: false, error: { row: 'E-214', code: 'export_not_writable' } });

  const library = libraryPath();
  const asked = { transcriptId: id, format: 'txt', options: {}, characters: null } as const;
  const unknown = await openWriter(ownWorker, library).write({ ...asked, transcriptId: 'nobody' });
  expect(unknown).toMatchObject({ ok: false, error: { row: 'E-040' } });
  expect(await openWriter(ownWorker, library).inParts('nobody')).toMatchObject({ ok: false, error: { row: 'E-040' } });
  const away = await openWriter(ownWorker, join(rig.folder, 'away.db')).write(asked);
  expect(away).toMatchObject({ ok: false, error: { row: 'E-185' } });

  const dies = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('dies')")}`);
  expect(await openWriter(dies, library).write(asked)).toMatchObject({ ok: false, error: { row: 'E-214' } });

  expect(await openWriter(dies, library).inParts(id)).toMatchObject({ ok: false, error: { code: 'text_not_read' } });

  const closed = openWriter(ownWorker, library);
  const waiting = [closed.write(asked), closed.write(asked)];
  await closed.close();
  for (const outcome of await Promise.all(waiting))
    expect(outcome).toMatchObject({ ok: false, error: { row: 'E-214' } });
}, 30_000);

it('a deleted text is no longer written, and nothing unfinished is left', async () => {
  const path = join(rig.folder, 'deleted.json');
  const saving = rig.library.exports.save({ transcriptId: id, format: 'json', options: {} }, path);
  expect(await rig.library.deletion.remove(id, false)).toMatchObject({ ok: true });
  await saving;
  const later = await rig.library.exports.save(
    { transcriptId: id, format: 'srt', options: {} },
    join(rig.folder, 'later.srt'),
  );
  expect(later).toMatchObject({ ok: false, error: { row: 'E-040' } });
  expect(await rig.library.transcripts.open(id)).toMatchObject({ ok: false, error: { row: 'E-040' } });
  expect(readdirSync(rig.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
