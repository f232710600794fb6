import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import type { AskWanted } from '../../electron/services/assistant/conversations.ts';
import { openWorkspace, type Workspace } from '../../electron/workspace/open-workspace.ts';

export type Answer = (response: ServerResponse) => void;

export const rig = {
  folder: '',
  keys: [] as string[],
  /** The requests that were posted. */
  bodies: [] as string[],
  isUploaded: false,
  /** Requests to delete files, and whether the service accepts them. */
  detached: [] as string[],
  detaches: true,
  /** A file is deleted once this resolves. */
  detaching: Promise.resolve(),
  /** The id of the next upload. */
  fileId: 'f1',
  /** The answers to the next questions; the last one repeats. */
  answers: [] as Answer[],
};
let server: Server;
const open = new Set<Workspace>();

export const piece = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
export const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-llm-request-id': 'llm_1' });
export const whole: Answer = (response) => void stream(response).end(`${piece('It was said.')}data: [DONE]\n\n`);
/** Its cost is told by the log of the account alone, by the id of its request. */
export const untold: Answer = (response) =>
  void response
    .writeHead(200, { 'content-type': 'text/event-stream', 'x-llm-request-id': 'llm_2', 'x-request-id': 'request_2' })
    .end(`${piece('It was said.')}data: [DONE]\n\n`);
export const endless: Answer = (response) => void stream(response).write(piece('The beginning'));
export const pending: Answer = (response) =>
  void response
    .writeHead(409, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { code: 'llm_usage_pending', message: 'x', type: 'request_error' } }));

let uploadedName = '';
const fileOf = () => ({
  id: rig.fileId,
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
      rig.bodies.push(text);
      if (request.url?.includes('/v1/files')) {
        rig.isUploaded = true;
        uploadedName = /filename="([^"]+)"/u.exec(text)?.[1] ?? '';
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(fileOf()));
        return;
      }
      rig.keys.push(String(request.headers['idempotency-key']));
      (rig.answers.length > 1 ? rig.answers.shift() : rig.answers[0])?.(response);
    });
    return;
  }
  request.resume();
  if (request.method === 'DELETE') {
    rig.detached.push(request.url?.split('/').at(-1) ?? '');
    void rig.detaching.then(() => {
      if (rig.detaches) rig.isUploaded = false;
      response
        .writeHead(rig.detaches ? 200 : 403, { 'content-type': 'application/json' })
        .end(
          JSON.stringify(
            rig.detaches ? { id: rig.fileId, object: 'file', deleted: true } : { error: { code: 'forbidden' } },
          ),
        );
    });
    return;
  }
  if (request.url?.includes('/v1/files')) {
    const files = {
      object: 'list',
      data: rig.isUploaded ? [fileOf()] : [],
      has_more: false,
      first_id: '',
      last_id: '',
    };
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
    : { request: { id: 'llm_1', status: 'completed', ...(request.url?.includes('llm_1') && { credits: '0.125' }) } };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

export const openLibrary = async (): Promise<Workspace> => {
  const { port } = server.address() as AddressInfo;
  const opened = await openWorkspace({
    mode: 'service',
    dataDir: rig.folder,
    source: () => ({ kind: 'service', baseUrl: `http://127.0.0.1:${port}`, key: new Secret('sk-test-0000000001') }),
    audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
    readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  if (!opened.ok) throw new Error(opened.error.kind);
  open.add(opened.value);
  return opened.value;
};
export const closeLibrary = async (workspace: Workspace) => {
  open.delete(workspace);
  await workspace.close();
};

/** A service that answers questions, and a folder for the library; both are new for each test. */
export function setUpConversations(): void {
  beforeEach(async () => {
    rig.folder = await mkdtemp(join(tmpdir(), 'ovoz-ask-'));
    rig.keys = [];
    rig.bodies = [];
    rig.isUploaded = false;
    rig.detached = [];
    rig.detaches = true;
    rig.detaching = Promise.resolve();
    rig.fileId = 'f1';
    rig.answers = [whole];
    server = createServer(answer);
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  });
  afterEach(async () => {
    for (const workspace of open) await workspace.close();
    open.clear();
    server.closeAllConnections();
    server.close();
    await rm(rig.folder, { recursive: true, force: true });
  });
}

export const wanted = (more: Partial<AskWanted> = {}): AskWanted => ({
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
