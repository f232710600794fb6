import { createServer, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { parseFaultPlan } from '../../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../../electron/practice/server.ts';
import { call, callJson, type Reply, type Server } from '../../practice/practice-client.ts';
import { cutRecording } from '../../support/cut-recording.ts';

export interface Heard {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The practice service in all states that the rows of the document need, over real sockets. */
export interface Rig {
  readonly main: PracticeServer;
  /** Moves the clock of `main`. */
  readonly pass: (ms: number) => void;
  /** Without credits, without a paid plan and without a synthesizer. */
  readonly poor: PracticeServer;
  /** `faults` plans its errors. */
  readonly broken: PracticeServer;
  /** Events that reached the receiver of `main`. */
  readonly heard: readonly Heard[];
  /** How the receiver answers from now on; null: it waits. */
  readonly answerWith: (status: number | null) => void;
  /** The deep voice of the bundled interview, twice, an incomplete reading of it, and the high voice. */
  readonly voices: {
    readonly reference: Buffer;
    readonly same: Buffer;
    readonly half: Buffer;
    readonly other: Buffer;
  };
  close(): Promise<void>;
}

const status = (route: string, method: string, code: string, at: number, nth: number) => ({
  route,
  method,
  nth,
  fault: 'status',
  status: at,
  code,
});

/** Codes that report trouble of the service come from a plan, because nothing else provokes them. */
const faults = [
  status('/api/v1/account/api-keys', 'GET', 'internal_error', 500, 1),
  status('/api/v1/account/api-keys', 'GET', 'auth_unavailable', 503, 2),
  status('/api/v1/account/analytics', 'GET', 'analytics_unavailable', 503, 1),
  status('/v1/files', 'POST', 'chat_unavailable', 503, 1),
  status('/v1/webhooks', 'GET', 'webhooks_unavailable', 503, 1),
  status('/v1/voice-enrollments/:id/verify', 'POST', 'speaker_verification_unavailable', 503, 1),
  { route: '/v1/chat/completions', nth: 1, fault: 'usage-pending' },
  { route: 'queue', nth: 1, fault: 'fail-processing', code: 'model_unavailable' },
  { route: 'realtime-commit', nth: 1, fault: 'commit-error', code: 'overloaded' },
  { route: 'realtime-commit', nth: 2, fault: 'commit-error', code: 'service_unavailable' },
];

async function startReceiver() {
  const heard: Heard[] = [];
  let status: number | null = 204;
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      heard.push(JSON.parse(body) as Heard);
      if (status === null) held.push(response);
      else response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answerWith: (next: number | null) => {
      status = next;
      if (next !== null) for (const response of held.splice(0)) response.writeHead(next).end();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function openRig(): Promise<Rig> {
  const receiver = await startReceiver();
  let aheadMs = 0;
  const quick: PracticeOptions = { pace: { queuedMs: 0, processingMs: 0 } };
  const plan = parseFaultPlan({ rules: faults });
  if (!plan.ok) throw new Error(plan.error);
  const [main, poor, broken, reference, same, half, other] = await Promise.all([
    startPracticeServer({
      ...quick,
      now: () => Date.now() + aheadMs,
      webhookReceiver: receiver.url,
      webhookClockScale: 0.00001,
    }),
    startPracticeServer({ ...quick, credits: 0, plan: 'free', speechProgram: null }),
    startPracticeServer({ ...quick, faultPlan: plan.value, limits: { cloneDeadlineMs: 0, shortAudioMs: 1000 } }),
    cutRecording(11, 21.5),
    cutRecording(25, 35),
    cutRecording(12, 17),
    cutRecording(0, 9),
  ]);
  return {
    main,
    poor,
    broken,
    pass: (ms) => void (aheadMs += ms),
    heard: receiver.heard,
    answerWith: receiver.answerWith,
    voices: { reference, same, half, other },
    close: async () => {
      await Promise.all([main.close(), poor.close(), broken.close()]);
      receiver.close();
    },
  };
}

export const field = (reply: Reply, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], reply.body);

export type Fields = Readonly<Record<string, string>>;

/** A service with the key of the legacy API. */
export type LegacyServer = Server & { readonly legacyToken: string };

/** Sends one file in a form, with a key of the server. */
export function sendFile(
  server: Server & { readonly legacyToken?: string },
  path: string,
  name: 'audio' | 'file',
  content: Buffer,
  fields: Fields = {},
): Promise<Reply> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set(name, new Blob([new Uint8Array(content)]), 'fayl');
  const legacy = server.legacyToken === undefined ? {} : { 'x-api-key': server.legacyToken };
  return call(server, 'POST', path, { body: form, headers: { 'idempotency-key': randomUUID(), ...legacy } });
}

export const ask = (server: Server, key: string = randomUUID(), change: object = {}): Promise<Reply> =>
  call(server, 'POST', '/v1/chat/completions', {
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'practice-extract-files',
      messages: [{ role: 'user', content: 'Nima gap?' }],
      ...change,
    }),
  });

export const asPerson = (server: PracticeServer): Server => ({ url: server.url, token: server.accessToken });

/** A key with these settings, and its address. */
export async function newKey(server: PracticeServer, settings: object): Promise<Server & { readonly path: string }> {
  const made = await callJson(asPerson(server), 'POST', '/api/v1/account/api-keys', { name: 'sinov', ...settings });
  return {
    url: server.url,
    token: String(field(made, 'data', 'secret')),
    path: `/api/v1/account/api-keys/${String(field(made, 'data', 'key', 'id'))}`,
  };
}

/** An enrolment of the deep voice; its path. Rate limits are off. */
export async function enroll({ main, pass, voices }: Rig, server: Server = main): Promise<string> {
  pass(3_600_000);
  const fields = { language: 'uz', remove_noise: 'false' };
  const reply = await sendFile(server, '/v1/voice-enrollments', 'audio', voices.reference, fields);
  return `/v1/voice-enrollments/${String(field(reply, 'voice_clone', 'id'))}`;
}
export const approve = (server: Server, path: string): Promise<Reply> =>
  callJson(server, 'POST', `${path}/transcript`, { transcript: 'Salom' });
export const challenge = (server: Server, path: string): Promise<Reply> =>
  callJson(server, 'POST', `${path}/challenge`, {
    name: 'Ovoz',
    description: '',
    labels: { language: 'uz' },
    orb_palette: 'calm',
    consent_accepted: true,
  });
export async function challenged(rig: Rig): Promise<string> {
  const path = await enroll(rig);
  await approve(rig.main, path);
  await challenge(rig.main, path);
  return path;
}

export interface Line {
  readonly socket: WebSocket;
  next(): Promise<Readonly<Record<string, unknown>>>;
}

/** A live connection; rejects with the status of a refused upgrade. */
export function connect(address: string, headers: Fields = {}): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    const events: Readonly<Record<string, unknown>>[] = [];
    const waiting: ((event: Readonly<Record<string, unknown>>) => void)[] = [];
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return;
      const event = JSON.parse(data.toString()) as Readonly<Record<string, unknown>>;
      const first = waiting.shift();
      if (first === undefined) events.push(event);
      else first(event);
    });
    const next: Line['next'] = () => {
      const event = events.shift();
      return event === undefined ? new Promise((done) => waiting.push(done)) : Promise.resolve(event);
    };
    socket.once('open', () => resolve({ socket, next }));
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        const { error } = JSON.parse(body) as { readonly error?: { readonly code: string } };
        reject(Object.assign(new Error('refused'), { status: response.statusCode, code: error?.code }));
      });
    });
    socket.once('error', reject);
  });
}

const settings = { audio_format: 'pcm_s16le', sample_rate: 16_000, channels: 1, word_timestamps: true };
export const startMessage = JSON.stringify({ type: 'start', language: 'uz', ...settings });
export const commitMessage = JSON.stringify({ type: 'commit' });

/** Dictation that is `ready`; the first event is not read yet. */
export async function dial(server: Server): Promise<Line> {
  const { body } = await callJson(server, 'POST', '/v1/ticket', { transport: 'websocket', service: 'stt' });
  return connect(`${String(body['websocket_url'])}?ticket=${String(body['ticket'])}`);
}

/** The event that answers these messages on a new connection. */
export async function eventAfter(server: Server, messages: readonly (string | Buffer)[]) {
  const line = await dial(server);
  try {
    await line.next();
    for (const message of messages) line.socket.send(message);
    return await line.next();
  } finally {
    line.socket.terminate();
  }
}
