import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import type { AskWanted } from '../../electron/services/assistant/conversations.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';
import type { Workspace } from '../../electron/workspace/workspace.ts';

type Answer = (response: ServerResponse) => void;

let folder: string;
let server: Server;
let keys: string[];
/** How the next questions are answered; the last one goes on. */
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

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (request.method === 'POST') {
    keys.push(String(request.headers['idempotency-key']));
    (answers.length > 1 ? answers.shift() : answers[0])?.(response);
    return;
  }
  const body = request.url?.includes('/v1/models')
    ? {
        data: [{ id: 'm', input_cents_per_million: '100', output_cents_per_million: '400' }],
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

it('what arrived of an answer is kept when it is stopped or the app ends, and asking again is another request', async () => {
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

it('a conversation is a thing of the library: found by its words, kept in the trash, and erased without a trace', async () => {
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
  // The marks of its sources are no words; a moment names the question.
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
