import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import type { AskWanted } from '../../electron/services/assistant/conversations.ts';
import { openWorkspace, type Workspace } from '../../electron/workspace/open-workspace.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from './scripted-server.ts';
import { folderOfTest } from './test-folders.ts';

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
let server: ScriptedServer;
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
  sendJson(response, 409, { error: { code: 'llm_usage_pending', message: 'x', type: 'request_error' } });

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
const model = (id: string, capabilities: readonly string[]) => {
  const prices = { input_cents_per_million: '100', output_cents_per_million: '400' };
  return { id, ...prices, context_window: 10_000, capabilities };
};

const script: Script = async ({ method, url, headers, body }, response) => {
  const isFile = url.includes('/v1/files');
  if (method === 'DELETE') {
    rig.detached.push(url.split('/').at(-1) ?? '');
    await rig.detaching;
    if (!rig.detaches) return sendJson(response, 403, { error: { code: 'forbidden' } });
    rig.isUploaded = false;
    return sendJson(response, 200, { id: rig.fileId, object: 'file', deleted: true });
  }
  if (method === 'POST') rig.bodies.push(body.toString());
  if (method === 'POST' && isFile) {
    rig.isUploaded = true;
    uploadedName = /filename="([^"]+)"/u.exec(body.toString())?.[1] ?? '';
    return sendJson(response, 201, fileOf());
  }
  if (method === 'POST') {
    rig.keys.push(String(headers['idempotency-key']));
    return (rig.answers.length > 1 ? rig.answers.shift() : rig.answers[0])?.(response);
  }
  const data = rig.isUploaded ? [fileOf()] : [];
  if (isFile) return sendJson(response, 200, { object: 'list', data, has_more: false, first_id: '', last_id: '' });
  if (url.includes('/v1/models')) {
    const models = [model('m', ['vision', 'document']), model('blind', [])];
    return sendJson(response, 200, { data: models, credits_per_usd: '100' });
  }
  const cost = url.includes('llm_1') && { credits: '0.125' };
  return sendJson(response, 200, { request: { id: 'llm_1', status: 'completed', ...cost } });
};

export const openLibrary = async (): Promise<Workspace> => {
  const opened = await openWorkspace({
    mode: 'service',
    dataDir: rig.folder,
    source: () => ({ kind: 'service', baseUrl: server.url, key: new Secret('sk-test-0000000001') }),
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
    rig.folder = folderOfTest();
    rig.keys = [];
    rig.bodies = [];
    rig.isUploaded = false;
    rig.detached = [];
    rig.detaches = true;
    rig.detaching = Promise.resolve();
    rig.fileId = 'f1';
    rig.answers = [whole];
    server = await startScriptedServer(script);
  });
  afterEach(async () => {
    for (const workspace of open) await workspace.close();
    open.clear();
    await server.close();
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
