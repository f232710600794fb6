import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, it } from 'vitest';
import { longestReadHere, openReader } from '../../electron/workers/reading/open-reader.ts';
import { readRequest, writtenIn } from '../../electron/workers/reading/reading-work.ts';
import { mostWordsShown } from '../../electron/services/transcripts/transcript-service.ts';
import type { UnreadAnswer } from '../../electron/api/stt-api.ts';
import { readSegments } from '../../shared/domain/transcript/packed.ts';
import type { WrittenText } from '../../electron/services/library/store.ts';
import { openQueueRig, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-long-answers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let rig: QueueRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const ownWorker = new URL('../../electron/entries/library-worker.ts', import.meta.url);
const known = { language: 'uz', durationMs: null } as const;
const { signal: never } = new AbortController();
const answerOf = (body: unknown, status = 200): UnreadAnswer => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  location: '/v1/stt/transcriptions/tr_9',
  requestId: 'req_1',
});
/** A scripted worker in place of the app's own. */
function workerThat(name: string, onMessage: string): URL {
  const path = join(folder, `${name}.mjs`);
  const imports = "import { parentPort } from 'node:worker_threads'; import { appendFileSync } from 'node:fs';";
  writeFileSync(path, `${imports} parentPort.on('message', async () => { ${onMessage} });`);
  return pathToFileURL(path);
}
const textOf = (written: WrittenText | null): unknown =>
  written === null ? null : { ...written, body: Buffer.from(written.body).toString('utf8') };

const words = ['Salom,', 'oʻzbek', 'дунё', '👋', 'dedi'];
const longBody = {
  data: {
    id: 'tr_1',
    status: 'completed',
    segments: Array.from({ length: 8_000 }, (_, at) => ({
      start: at * 2,
      end: at * 2 + 1.5,
      speaker: `SPEAKER_0${at % 3}`,
      text: words.join(' '),
      words: words.map((word, place) => ({ word, start: at * 2 + place / 4, end: at * 2 + (place + 1) / 4 })),
    })),
  },
};

it.each<readonly [string, UnreadAnswer]>([
  ['segments with words and speakers', answerOf(longBody)],
  ['a text alone', answerOf({ text: 'Bir gap. \ud800 Ikki gap!\n'.repeat(500), state: 'done' })],
  ['words alone', answerOf({ result: { words: words.map((text, at) => ({ text, start_ms: at * 100 })) } })],
  [
    'segments with turns beside them',
    answerOf({ id: 7, segments: [{ text: 'a b', start: 0, end: 2 }], diarization: [{ start: 0, end: 3, speaker: 2 }] }),
  ],
  ['nobody spoke', answerOf({ id: 'tr_2', status: 'completed', text: '' })],
  ['a receipt', answerOf({}, 202)],
  ['a failure', answerOf({ id: 'tr_3', status: 'failed', error: { code: 'no_speech' } })],
  ['no JSON', answerOf('{"cut')],
])('a thread reads %s exactly as main does', async (_what, answer) => {
  const read = await openReader(ownWorker, {}).answer(answer, known, never);
  const here = readRequest({ kind: 'answer', answer, known, aliases: {} });
  expect(here.kind === 'answer' ? here.reading.answer : null).toEqual(read?.answer);
  expect(textOf(read?.written ?? null)).toEqual(textOf(writtenIn(here)));
});

it('an export of the service is read the same, short or long, and one of another shape is rejected', async () => {
  const reader = openReader(ownWorker, {});
  const long = JSON.stringify(longBody.data.segments);
  expect(long.length).toBeGreaterThan(longestReadHere);
  const exports = [
    ['json', long],
    ['json', '[{"text":"Salom","start":1,"end":2}]'],
    ['txt', 'Salom dunyo. '.repeat(50_000)],
    ['txt', 'Salom'],
    ['txt', '<!doctype html><p>Salom'],
    ['json', '{"nothing":1}'],
  ] as const;
  const found: boolean[] = [];
  for (const [format, body] of exports) {
    const read = await reader.exported(format, body, known, never);
    const here = readRequest({ kind: 'exported', format, body, known, aliases: {} });
    expect(textOf(read?.written ?? null)).toEqual(textOf(writtenIn(here)));
    found.push(read !== null && read.written !== null);
  }
  expect(found).toEqual([true, true, true, true, false, false]);
});

it('long answers are read one at a time', async () => {
  const log = join(folder, 'turns.txt');
  const note = (what: string) => `appendFileSync(${JSON.stringify(log)}, '${what}\\n');`;
  const outcome = "parentPort.postMessage({ outcome: { kind: 'exported', written: null } });";
  const worker = workerThat(
    'turns',
    `${note('begins')} await new Promise((go) => setImmediate(go)); ${note('ends')} ${outcome}`,
  );
  const reader = openReader(worker, {});
  const body = ' '.repeat(longestReadHere + 1);
  await Promise.all(Array.from({ length: 3 }, () => reader.exported('json', body, known, never)));
  expect(readFileSync(log, 'utf8')).toBe('begins\nends\n'.repeat(3));
});

it('a thread that hangs, dies or is stopped returns nothing, and the next answer is read', async () => {
  const hangs = openReader(workerThat('hangs', 'for (;;);'), {}, { silenceLimitMs: 200 });
  expect(await hangs.answer(answerOf({}), known, never)).toBeNull();
  const dies = openReader(workerThat('dies', 'process.exit(1);'), {});
  expect(await dies.answer(answerOf({}), known, never)).toBeNull();
  const waits = openReader(workerThat('waits', ''), {});
  const stopped = new AbortController();
  const waiting = waits.answer(answerOf({}), known, stopped.signal);
  stopped.abort();
  expect(await waiting).toBeNull();
  expect(await openReader(ownWorker, {}).answer(answerOf(longBody), known, never)).not.toBeNull();
});

it('an unreadable answer is stored and the user is asked (E-024); nothing is sent again', async () => {
  const text = JSON.stringify(longBody);
  rig = await openQueueRig(
    (request, response) =>
      request.method === 'POST'
        ? sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } })
        : void response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    { clock: new TestClock(1000), readingWorker: workerThat('dies-too', 'process.exit(1);') },
  );
  await rig.add(rig.record('long.wav'));
  await rig.until(['needs-user']);
  expect(rig.states()).toMatchObject([{ failure: { row: 'E-024' } }]);
  expect(rig.posts()).toHaveLength(1);
  const [job] = rig.library.jobs.list().jobs;
  const kept = await rig.library.jobs.rawAnswer(job?.id ?? '');
  expect(kept).toMatchObject({ ok: true, value: { text } });
});

it('a text with more words than are shown says so when it is opened, and its export contains every one of them', async () => {
  const text = 'a '.repeat(mostWordsShown + 1).trim();
  rig = await openQueueRig((_request, response) => sendJson(response, 200, { data: { id: 'tr_1', text } }), {
    clock: new TestClock(1000),
  });
  await rig.add(rig.record('days.wav'));
  await rig.until(['done'], 30_000);
  const [state] = rig.states();
  const id = state?.tag === 'done' ? (state.transcriptId ?? '') : '';
  expect(await rig.library.transcripts.open(id)).toMatchObject({
    ok: false,
    error: { row: 'E-211', code: 'transcript_too_long' },
  });
  expect(rig.library.exports.nameFor(id, 'txt')).toEqual({ ok: true, value: 'days.txt' });
  const rendered = await rig.library.exports.show({ transcriptId: id, format: 'txt', options: {} }, null);
  const words = rendered.ok && rendered.value.kind === 'text' ? rendered.value.text.match(/\ba\b/gu) : null;
  expect(words).toHaveLength(mostWordsShown + 1);
});

it('a long answer that came with the upload is read under the same key, with all its words', async () => {
  rig = await openQueueRig((_request, response) => sendJson(response, 200, longBody), { clock: new TestClock(1000) });
  await rig.add(rig.record('long.wav'));
  await rig.until(['done'], 30_000);
  const [state] = rig.states();
  const opened = state?.tag === 'done' ? await rig.library.transcripts.open(state.transcriptId ?? '') : null;
  const text = opened?.ok === true ? opened.value : null;
  const segments = (text?.parts ?? []).flatMap((part) => readSegments(new TextDecoder().decode(part)));
  expect(segments).toHaveLength(8_000);
  expect(segments.at(-1)?.words.map((word) => word.text)).toEqual(words);
  expect(text?.transcript.speakers).toHaveLength(3);
  expect(rig.posts()).toHaveLength(1);
});
