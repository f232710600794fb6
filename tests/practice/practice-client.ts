import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Eight seconds, two sentences, not a bundled sample: answered at once. */
export const shortRecording = fromRoot('tests/fixtures/audio/two-sentences.mp3');
/** Forty seconds, two speakers: queued. */
export const longSample = fromRoot('assets/samples/interview-uz.mp3');
export const samplePath = (name: string): string => fromRoot(`assets/samples/${name}`);

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; an empty object if it is none. */
  readonly body: Record<string, unknown>;
}

export interface Server {
  readonly url: string;
  readonly token: string;
}

export async function call(server: Server, method: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const headers = new Headers(init.headers);
  if (!headers.has('authorization')) headers.set('authorization', `Bearer ${server.token}`);
  const response = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init, method, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

export interface Submission {
  readonly key?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly content?: Buffer;
  readonly fileName?: string;
}

export async function submit(
  server: Server,
  path: string,
  { key = randomUUID(), fields = { language: 'en' }, content, fileName }: Submission = {},
): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('audio', new Blob([new Uint8Array(content ?? readFileSync(path))]), fileName ?? basename(path));
  return call(server, 'POST', '/v1/stt', {
    headers: { 'idempotency-key': key },
    body: form,
  });
}

/** Polls until the transcription has the status, or for ten seconds. */
export async function until(server: Server, id: string, status: string): Promise<Reply> {
  for (let tries = 0; tries < 500; tries += 1) {
    const reply = await call(server, 'GET', `/v1/stt/transcriptions/${id}`);
    if (reply.body['status'] === status) return reply;
    await wait(20);
  }
  throw new Error(`${id} never became ${status}`);
}

export const codeOf = (reply: Reply): unknown => (reply.body['error'] as { code?: unknown } | undefined)?.code;
