import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import type { AskWanted } from '../../electron/services/assistant/conversations.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';
import type { Workspace } from '../../electron/workspace/workspace.ts';

type Answer = (response: ServerResponse) => void;

let folder: string;
let server: Server;
let keys: string[];
/** The requests that were posted. */
let bodies: string[];
let isUploaded: boolean;
/** Requests to delete files, and whether the service accepts them. */
let detached: string[];
let detaches: boolean;
/** The answers to the next questions; the last one repeats. */
let answers: Answer[];
const open = new Set<Workspace>();

const piece = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-llm-request-id': 'llm_1' });
const whole: Answer = (response) => void stream(response).end(`${piece('It was said.')}data: [DONE]\n\n`);
const endless: Answer = (response) => void stream(response).write(piece('The beginning'));
const pending: Answer = (response) =>
  void response
    .writeHead(409, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { code: 'llm_usage_pending', message: 'x', type: 'request_error' } }));

let uploadedName = '';
const fileOf = () => ({
  id: 'f1',
  object: 'file',
  bytes: 41,
  filename: uploadedName,
  purpose: 'document',
  created_at: 1,
  expires_at: 2,
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'POST') {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(text);
      if (request.url?.includes('/v1/files')) {
        isUploaded = true;
        uploadedName = /filename="([^"]+)"/u.exec(text)?.[1] ?? '';
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(fileOf()));
        return;
      }
      keys.push(String(request.headers['idempotency-key']));
      (answers.length > 1 ? answers.shift() : answers[0])?.(response);
    });
    return;
  }
  request.resume();
  if (request.method === 'DELETE') {
    detached.push(request.url?.split('/').at(-1) ?? '');
    if (detaches) isUploaded = false;
    response
      .writeHead(detaches ? 200 : 403, { 'content-type': 'application/json' })
      .end(JSON.stringify(detaches ? { id: 'f1', object: 'file', deleted: true } : { error: { code: 'forbidden' } }));
    return;
  }
  if (request.url?.includes('/v1/files')) {
    const files = { object: 'list', data: isUploaded ? [fileOf()] : [], has_more: false, first_id: '', last_id: '' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(files));
    return;
  }
  const body = request.url?.includes('/v1/models')
    ? {
        data: ['m', 'blind'].map((id) => ({
          id,
          input_cents_per_million: '100',
          output_cents_per_million: '400',
          context_window: 10_000,
          capabilities: id === 'm' ? ['vision', 'document'] : [],
        })),
        credits_per_usd: '100',
      }
    : { request: { id: 'llm_1', status: 'completed', credits: '0.125' } };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

const openLibrary = async (): Promise<Workspace> => {
  const { port } = server.address() as AddressInfo;
  const opened = await openWorkspace({
    mode: 'service',
    dataDir: folder,
    source: () => ({ kind: 'service', baseUrl: `http://127.0.0.1:${port}`, key: new Secret('sk-test-0000000001') }),
    audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
    readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  if (!opened.ok) throw new Error(opened.error.row);
  open.add(opened.value);
  return opened.value;
};
const closeLibrary = async (workspace: Workspace) => {
  open.delete(workspace);
  await workspace.close();
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovoz-ask-'));
  keys = [];
  bodies = [];
  isUploaded = false;
  detached = [];
  detaches = true;
  answers = [whole];
  server = createServer(answer);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  for (const workspace of open) await workspace.close();
  open.clear();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const wanted = (more: Partial<AskWanted> = {}): AskWanted => ({
  conversationId: null,
  transcriptIds: [],
  task: 'question',
  question: 'What was said?',
  files: [],
  model: 'm',
  title: 'What was said?',
  language: 'en',
  again: null,
  ...more,
});

it('after llm_usage_pending no other question is sent, and the same one keeps its key until it is answered', async () => {
  const { conversations } = await openLibrary();
  answers = [pending, pending, whole];
  const refused = await conversations.ask(wanted(), () => undefined);
  if (!refused.ok) throw new Error(refused.error.row);
  expect(refused.value).toMatchObject({ state: 'failed', failure: { row: 'E-074' }, question: 'What was said?' });
  const { id: again, conversationId } = refused.value;

  const another = await conversations.ask(wanted({ question: 'And then?' }), () => undefined);
  expect(another).toMatchObject({ ok: false, error: { row: 'E-074', outcome: 'not_sent' } });
  expect(keys).toHaveLength(1);

  await conversations.ask(wanted({ conversationId, again }), () => undefined);
  const answered = await conversations.ask(wanted({ conversationId, again }), () => undefined);
  expect(answered).toMatchObject({ ok: true, value: { id: again, state: 'done', answer: 'It was said.' } });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(await conversations.ask(wanted({ question: 'And then?' }), () => undefined)).toMatchObject({ ok: true });
});

it('a partial answer is stored when it is stopped or the app ends, and asking again is another request', async () => {
  const first = await openLibrary();
  answers = [endless];
  let begun = '';
  const stopped = await first.conversations.ask(wanted(), (progress) => {
    if (progress.kind === 'text') first.conversations.stop(begun);
    else begun = progress.exchange.id;
  });
  if (!stopped.ok) throw new Error(stopped.error.row);
  expect(stopped.value).toMatchObject({ state: 'stopped', answer: 'The beginning', failure: null });

  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const { conversationId } = stopped.value;
  const interrupted = first.conversations.ask(wanted({ conversationId, question: 'And then?' }), ({ kind }) => {
    if (kind === 'text') resolve();
  });
  await arrived;
  await closeLibrary(first);
  await interrupted;

  const second = await openLibrary();
  const opened = second.conversations.open(conversationId);
  expect(opened).toMatchObject({
    ok: true,
    value: {
      exchanges: [
        { state: 'stopped', answer: 'The beginning' },
        { state: 'interrupted', answer: 'The beginning' },
      ],
    },
  });
  answers = [whole];
  const again = opened.ok ? (opened.value.exchanges[1]?.id ?? null) : null;
  const asked = await second.conversations.ask(
    wanted({ conversationId, question: 'And then?', again }),
    () => undefined,
  );
  expect(asked).toMatchObject({ ok: true, value: { id: again, state: 'done' } });
  expect(new Set(keys).size).toBe(3);
});

it('a conversation is an item of the library: found by its words, moved to the trash, and erased without a trace', async () => {
  const { conversations, items } = await openLibrary();
  answers = [(response) => void stream(response).end(`${piece('## Javob\nMaxfiygap [s1].')}data: [DONE]\n\n`)];
  const asked = await conversations.ask(wanted({ title: 'Maxfiysavol', question: 'Maxfiysavol?' }), () => undefined);
  if (!asked.ok) throw new Error(asked.error.row);
  const ref = { kind: 'conversation', id: asked.value.conversationId } as const;
  await conversations.ask(wanted({ conversationId: ref.id, question: 'Keyin-chi?' }), () => undefined);
  const find = async (text: string) => {
    const found = await items.search({ text, among: [`conversation:${ref.id}`], mostItems: 5 });
    return found.ok ? found.value.items : [];
  };
  expect(await items.list()).toMatchObject({ value: { items: [{ ...ref, title: 'Maxfiysavol', credits: '0.25' }] } });
  // The markers of its sources are no words; a moment names the question.
  expect(await find('maxfiygap')).toMatchObject([
    { ...ref, moments: [{ startMs: 0, text: 'Maxfiygap.' }, { startMs: 1 }], momentCount: 2 },
  ]);
  await items.rename(ref, 'Maxfiynom');
  expect(await find('maxfiynom')).toMatchObject([{ ...ref, titleRanges: [[0, 9]] }]);

  await items.trash([ref]);
  expect(conversations.list()).toMatchObject({ value: [] });
  await items.restore([ref]);
  expect(conversations.list()).toMatchObject({ value: [{ id: ref.id, title: 'Maxfiynom' }] });

  await items.trash([ref]);
  await items.erase([ref], false);
  expect(await items.list()).toMatchObject({ value: { items: [] } });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase());
  expect(files.filter((text) => text.includes('maxfiy'))).toEqual([]);
});

it('a translation retries only the missing segments, keeps the others, and is saved with ids and times', async () => {
  const workspace = await openLibrary();
  const { conversations, importTranscript, transcripts } = workspace;
  const path = join(folder, 'suhbat.srt');
  const cue = (at: number, text: string) => `${at}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`;
  const bytes = Buffer.from([cue(1, 'Salom.'), cue(2, 'Sir qayerdan?'), cue(3, 'Rishtondan.')].join('\n'));
  await writeFile(path, bytes);
  const imported = await importTranscript({ path, name: 'suhbat.srt', bytes, mediaPath: null, language: 'uz' });
  if (!imported.ok) throw new Error(imported.error.row);
  const { transcriptId } = imported.value;
  const asLines = (text: string): Answer => {
    const done = `data: ${JSON.stringify({ choices: [{ finish_reason: 'stop', delta: {} }] })}\n\ndata: [DONE]\n\n`;
    return (response) => void stream(response).end(`${piece(text)}${done}`);
  };
  // The second segment is never returned; a segment of another transcript is ignored.
  answers = [asLines('[s1] Привет.\n[s3] Из Риштана.\n[s9] Чужое.'), asLines('Не знаю.')];
  const task = { task: 'toRu', question: '', transcriptIds: [transcriptId], title: 'T' } as const;
  expect(await conversations.estimate(wanted(task))).toMatchObject({ value: { lines: 3, requests: 1 } });
  const first = await conversations.ask(wanted(task), () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  expect(first.value).toMatchObject({ state: 'broken', failure: { code: 'lines_missing' }, credits: '0.375' });
  expect(bodies.map((body) => /BEGIN LINES\\n(.*)\\nEND LINES/u.exec(body)?.[1])).toEqual([
    '[s1] Salom.\\n[s2] Sir qayerdan?\\n[s3] Rishtondan.',
    '[s2] Sir qayerdan?',
    '[s2] Sir qayerdan?',
  ]);
  expect(new Set(keys).size).toBe(3);
  expect(conversations.saveLines(first.value.id, 'T')).toMatchObject({ ok: false });

  answers = [asLines('[s2] Откуда глазурь?')];
  const { id: again, conversationId } = first.value;
  const whole = await conversations.ask(wanted({ ...task, conversationId, again }), () => undefined);
  if (!whole.ok) throw new Error(whole.error.row);
  expect(whole.value).toMatchObject({ state: 'done', credits: '0.5' });
  const saved = conversations.saveLines(again, 'Suhbat (ruscha)');
  if (!saved.ok) throw new Error(saved.error.row);
  const read = async (id: string) => {
    const opened = await transcripts.open(id);
    if (!opened.ok) throw new Error(opened.error.row);
    return opened.value;
  };
  const [raw, translated] = [await read(transcriptId), await read(saved.value.transcriptId)];
  const places = (one: typeof raw) => one.transcript.segments.map(({ id, startMs, endMs }) => [id, startMs, endMs]);
  expect(places(translated)).toEqual(places(raw));
  expect(translated.transcript.language).toBe('ru');
  expect(translated.transcript.segments.map(({ text }) => text)).toEqual(['Привет.', 'Откуда глазурь?', 'Из Риштана.']);
  expect(raw.transcript.segments.map(({ text }) => text)).toEqual(['Salom.', 'Sir qayerdan?', 'Rishtondan.']);
});

it('files are sent with their question and the next ones; a limit is reported before anything is sent', async () => {
  const { conversations } = await openLibrary();
  const path = join(folder, 'reja.pdf');
  await writeFile(path, '%PDF-1.4\n1 0 obj << /Type /Page >> endobj');
  await writeFile(join(folder, 'a.docx'), 'PK not a picture');
  await writeFile(join(folder, 'empty.png'), '');
  expect(await conversations.inspectFile(join(folder, 'a.docx'))).toMatchObject({ error: { row: 'E-078' } });
  expect(await conversations.inspectFile(join(folder, 'empty.png'))).toMatchObject({
    error: { row: 'E-079', code: 'attachment_empty', outcome: 'not_sent' },
  });
  const refused = (files: readonly string[]) => conversations.ask(wanted({ model: 'blind', files }), () => undefined);
  expect(await refused([path])).toMatchObject({ error: { code: 'attachment_model', outcome: 'not_sent' } });
  expect(await refused(Array.from({ length: 5 }, () => path))).toMatchObject({ error: { code: 'attachment_files' } });
  expect(bodies).toEqual([]);

  // Everything that the model reads is reserved for files, so that is the most they can cost.
  const asked = wanted({ files: [path] });
  expect(await conversations.estimate(asked)).toMatchObject({ ok: true, value: { credits: '1.8192' } });
  const first = await conversations.ask(asked, () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  const { conversationId } = first.value;
  expect(first.value).toMatchObject({
    state: 'done',
    files: [{ name: 'reja.pdf', purpose: 'document', fileId: 'f1' }],
  });
  await conversations.ask(wanted({ conversationId, question: 'And then?' }), () => undefined);
  const questions = bodies.filter((body) => body.startsWith('{'));
  expect(questions.map((body) => body.match(/"file_id":"f1"/gu)?.length)).toEqual([1, 1]);
  expect(bodies).toHaveLength(3);

  // A conversation has 16 files at most.
  const four = { conversationId, files: Array.from({ length: 4 }, () => path) };
  for (const question of ['2', '3', '4']) await conversations.ask(wanted({ ...four, question }), () => undefined);
  expect(keys).toHaveLength(5);
  const seventeenth = await conversations.ask(wanted({ ...four, question: '5' }), () => undefined);
  expect(seventeenth).toMatchObject({ error: { code: 'attachment_all_files', outcome: 'not_sent' } });
  const three = await conversations.ask(
    wanted({ ...four, files: four.files.slice(1), question: '6' }),
    () => undefined,
  );
  expect(three).toMatchObject({ value: { state: 'done' } });
  expect(bodies.at(-1)?.match(/"file_id":"f1"/gu)).toHaveLength(16);
});

it('a file is deleted at the service once no conversation has it; what fails is tried again at the next start', async () => {
  const first = await openLibrary();
  const path = join(folder, 'reja.pdf');
  await writeFile(path, '%PDF-1.4\n1 0 obj << /Type /Page >> endobj');
  const erase = async ({ items }: Workspace, conversationId: string) => {
    const ref = { kind: 'conversation', id: conversationId } as const;
    await items.trash([ref]);
    expect(await items.erase([ref], false)).toMatchObject({ ok: true });
  };
  const ids: string[] = [];
  for (const question of ['One?', 'Two?']) {
    const asked = await first.conversations.ask(wanted({ question, files: [path] }), () => undefined);
    if (!asked.ok) throw new Error(asked.error.row);
    ids.push(asked.value.conversationId);
  }
  await erase(first, ids[0] ?? '');
  await first.conversations.sweepFiles();
  expect(detached).toEqual([]);

  detaches = false;
  await erase(first, ids[1] ?? '');
  await first.conversations.sweepFiles();
  expect(new Set(detached)).toEqual(new Set(['f1']));
  expect(isUploaded).toBe(true);
  await closeLibrary(first);

  detaches = true;
  const second = await openLibrary();
  await vi.waitFor(() => expect(isUploaded).toBe(false));
  await second.conversations.sweepFiles();
  const count = detached.length;
  await second.conversations.sweepFiles();
  expect(detached).toHaveLength(count);
});
