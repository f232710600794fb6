import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { UnreadAnswer } from '../../electron/service/read-transcription.ts';
import { mostWordsReadHere } from '../../electron/services/transcripts/text-in-parts.ts';
import { readStoredText } from '../../electron/storage/read-stored-text.ts';
import { openReader } from '../../electron/workers/reading.ts';
import { nameSpeaker } from '../../electron/workers/writing.ts';
import type { ExportDocument } from '../../shared/domain/exports/exporter.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { writeBeginning, writeDocument } from '../../shared/domain/exports/write-export.ts';
import { openQueueRig, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';
import { valueOf } from './open-library.ts';

const ownWorker = new URL('../../electron/entries/library-worker.ts', import.meta.url);
/** A worker that is not the app's own. */
const workerThat = (onMessage: string): URL => {
  const script = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${onMessage} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
};
let rig: QueueRig;
afterEach(() => rig.close());

const words = ['Salom,', 'oʻzbek', 'дунё', '👋', 'dedi'];
const segmentCount = 4_000;
const longBody = {
  data: {
    id: 'tr_1',
    status: 'completed',
    segments: Array.from({ length: segmentCount }, (_, at) => ({
      start: at * 2,
      end: at * 2 + 1.5,
      speaker: `SPEAKER_0${at % 3}`,
      text: words.join(' '),
      words: words.map((word, place) => ({ word, start: at * 2 + place / 4, end: at * 2 + (place + 1) / 4 })),
    })),
  },
};
/** The id of a long text that came with its upload. */
async function addLongText(): Promise<string> {
  rig = await openQueueRig((_request, response) => sendJson(response, 200, longBody), { clock: new TestClock(1000) });
  await rig.add(rig.record('days.wav'));
  await rig.until(['done'], 30_000);
  const [state] = rig.states();
  return state?.tag === 'done' ? (state.transcriptId ?? '') : '';
}
const libraryPath = () => join(rig.folder, 'data', 'library.db');

it('a thread that hangs, dies or is stopped is no answer: it is stored and the user is asked; nothing is sent again', async () => {
  const text = JSON.stringify(longBody);
  const known = { language: 'uz', durationMs: null } as const;
  const { signal: never } = new AbortController();
  const answer: UnreadAnswer = { status: 200, text, location: '/v1/stt/transcriptions/tr_9', requestId: 'req_1' };
  const hangs = openReader(workerThat('for (;;);'), { silenceLimitMs: 200 });
  expect(await hangs.answer(answer, known, never)).toBeNull();
  const stopped = new AbortController();
  const waiting = openReader(workerThat('')).answer(answer, known, stopped.signal);
  stopped.abort();
  expect(await waiting).toBeNull();
  expect(await openReader(ownWorker).answer(answer, known, never)).not.toBeNull();

  rig = await openQueueRig(
    (request, response) =>
      request.method === 'POST'
        ? sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } })
        : void response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    { clock: new TestClock(1000), readingWorker: workerThat('process.exit(1);') },
  );
  await rig.add(rig.record('long.wav'));
  await rig.until(['needs-user']);
  expect(rig.states()).toMatchObject([{ failure: { kind: 'answer-unreadable' } }]);
  expect(rig.posts()).toHaveLength(1);
  const [job] = rig.library.jobs.list().jobs;
  expect(await rig.library.jobs.rawAnswer(job?.id ?? '')).toMatchObject({ ok: true, value: { text } });
});

it('a file of a long text is letter for letter what main would write, whole or its preview', async () => {
  const id = await addLongText();
  const stored = valueOf(readStoredText(libraryPath(), id));
  if (stored === null) throw new Error('the text is not there');
  const { transcript } = stored;
  const facts = { title: 'days', nameSpeaker, madeAtMs: 0, media: null };
  const textOf = (document: ExportDocument): string => (document.kind === 'text' ? document.text : '');
  expect(segmentCount * words.length).toBeGreaterThan(mostWordsReadHere);
  for (const format of ['txt', 'srt', 'json'] as const) {
    const path = join(rig.folder, `days.${format}`);
    writeFileSync(path, 'as it was');
    const request = { transcriptId: id, format, options: { script: 'cyrillic' } } as const;
    const written = textOf(writeDocument(exporters[format], transcript, request.options, facts));
    const sizeBytes = Buffer.byteLength(written);
    expect(await rig.library.exports.save(request, path)).toEqual({ ok: true, value: { path, sizeBytes } });
    expect(readFileSync(path, 'utf8')).toBe(written);
    const { document, isShortened } = writeBeginning(exporters[format], transcript, {}, facts, 5_000);
    const shown = await rig.library.exports.show({ transcriptId: id, format, options: {} }, 5_000);
    expect(shown).toEqual({ ok: true, value: { ...document, isShortened } });
  }
});
