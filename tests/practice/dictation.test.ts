import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { asPerson, call, callJson, codeOf, type Reply, type Server } from './practice-client.ts';

/** Eight seconds at 16 kHz: speech from 1 to 3.3 s and from 5 to 7 s. */
const wav = readFileSync(fileURLToPath(new URL('../fixtures/audio/two-sentences.s16.wav', import.meta.url)));
const pcm = wav.subarray(wav.indexOf('data') + 8);

const ask = (server: Server, service = 'stt'): Promise<Reply> =>
  callJson(server, 'POST', '/v1/ticket', { transport: 'websocket', service });

interface Line {
  readonly socket: WebSocket;
  readonly next: () => Promise<Record<string, unknown>>;
  readonly closed: Promise<number>;
}

/** A connection whose events are read one by one. */
function connect(address: string): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const events: Record<string, unknown>[] = [];
    const waiting: ((event: Record<string, unknown>) => void)[] = [];
    socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString()) as Record<string, unknown>;
      const first = waiting.shift();
      if (first === undefined) events.push(event);
      else first(event);
    });
    const closed = new Promise<number>((done) => socket.on('close', done));
    const next = (): Promise<Record<string, unknown>> => {
      const event = events.shift();
      return event === undefined ? new Promise((done) => waiting.push(done)) : Promise.resolve(event);
    };
    socket.once('open', () => resolve({ socket, next, closed }));
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      reject(new Error(String(response.statusCode)));
    });
    socket.once('error', reject);
  });
}

async function dial(server: Server): Promise<Line> {
  const { body } = await ask(server);
  const line = await connect(`${String(body['websocket_url'])}?ticket=${String(body['ticket'])}`);
  onTestFinished(() => line.socket.terminate());
  expect(await line.next()).toEqual({ event: 'ready', audio_format: 'pcm_s16le', sample_rate: 16_000, channels: 1 });
  return line;
}

function utter({ socket }: Line, audio: Buffer, language = 'uz'): void {
  const settings = { audio_format: 'pcm_s16le', sample_rate: 16_000, channels: 1, word_timestamps: true };
  socket.send(JSON.stringify({ type: 'start', language, ...settings }));
  for (let at = 0; at < audio.length; at += 6001) socket.send(audio.subarray(at, at + 6001));
  socket.send(JSON.stringify({ type: 'commit' }));
}

async function serverWith(options: PracticeOptions, ...rules: readonly unknown[]): Promise<PracticeServer> {
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  const server = await startPracticeServer({ ...options, faultPlan: plan.value });
  onTestFinished(() => server.close());
  return server;
}

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer();
});
afterAll(() => server.close());

describe('a ticket', () => {
  it('opens one connection, and is not part of the address returned with it', async () => {
    const { status, body } = await ask(server);
    expect([status, body['service'], body['transport'], body['scope']]).toEqual([
      201,
      'stt',
      'websocket',
      'stt:realtime',
    ]);
    expect(Date.parse(String(body['expires_at']))).toBeGreaterThan(Date.now());
    expect(String(body['websocket_url'])).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/stt\/stream$/);
    const address = `${String(body['websocket_url'])}?ticket=${String(body['ticket'])}`;
    (await connect(address)).socket.terminate();
    await expect(connect(address)).rejects.toThrow('401');
    for (const query of ['', '?ticket=', '?ticket=a&ticket=b'])
      await expect(connect(`${String(body['websocket_url'])}${query}`)).rejects.toThrow('401');
  });

  it('is given to keys with the realtime permission only, and expires with its key', async () => {
    const make = async (permissions: unknown): Promise<Server & { readonly id: string }> => {
      const { body } = await callJson(asPerson(server), 'POST', '/api/v1/account/api-keys', { name: 'x', permissions });
      const data = body['data'] as { secret: string; key: { id: string } };
      return { url: server.url, token: data.secret, id: data.key.id };
    };
    const writer = await ask(await make({ speech_to_text: 'access' }));
    expect([writer.status, codeOf(writer)]).toEqual([403, 'insufficient_scope']);
    const key = await make({ stt_realtime: 'access' });
    const { body } = await ask(key);
    await call(asPerson(server), 'POST', `/api/v1/account/api-keys/${key.id}/revoke`);
    await expect(connect(`${String(body['websocket_url'])}?ticket=${String(body['ticket'])}`)).rejects.toThrow('401');
    expect(codeOf(await ask(await make({ stt_realtime: 'access' }), 'tts'))).toBe('insufficient_scope');
    const { body: spoken } = await ask(server, 'tts');
    const wrong = String(spoken['websocket_url']).replace('/tts/', '/stt/');
    await expect(connect(`${wrong}?ticket=${String(spoken['ticket'])}`)).rejects.toThrow('401');
    expect(codeOf(await ask(server, 'video'))).toBe('validation_error');
  });

  it('expires soon', async () => {
    const brief = await serverWith({ limits: { ticketLifeMs: 0 } });
    const { body } = await ask(brief);
    await expect(connect(`${String(body['websocket_url'])}?ticket=${String(body['ticket'])}`)).rejects.toThrow('401');
  });
});

describe('a live connection', () => {
  it.each([
    ['uz', /\(nutq, /],
    ['ru', /\(речь, /],
    ['en', /\(speech, /],
  ])('answers in %s when speech was heard, one final for each utterance', async (language, words) => {
    const line = await dial(server);
    for (const part of [pcm, pcm.subarray(0, 4 * 32_000)]) {
      utter(line, part, language);
      const final = await line.next();
      const segments = final['segments'] as { start_ms: number; end_ms: number; text: string; words: unknown[] }[];
      expect(final).toMatchObject({ event: 'final', language, duration_ms: part.length / 32 });
      expect(String(final['text'])).toMatch(words);
      expect(segments).toHaveLength(part === pcm ? 2 : 1);
      expect(Math.abs((segments[0]?.start_ms ?? 0) - 1000)).toBeLessThan(150);
      expect(Math.abs((segments[0]?.end_ms ?? 0) - 3300)).toBeLessThan(150);
    }
    line.socket.close();
    await line.closed;
    const samples = readLedger(server.stateDir).map(({ fields }) => fields['samples']);
    expect(samples.slice(-2)).toEqual([pcm.length / 2, 4 * 16_000]);
  });

  it('reports errors and stays open', async () => {
    const line = await dial(server);
    const error = async (): Promise<unknown> => {
      const event = await line.next();
      expect(event['event']).toBe('error');
      return event['code'];
    };
    line.socket.send('not json');
    expect(await error()).toBe('invalid_message');
    line.socket.send(Buffer.alloc(3200));
    expect(await error()).toBe('not_started');
    utter(line, Buffer.alloc(3198));
    expect(await error()).toBe('invalid_audio');
    utter(line, Buffer.alloc(64_000));
    expect(await error()).toBe('no_speech_detected');
    utter(line, pcm);
    expect((await line.next())['event']).toBe('final');
  });

  it('discards an interrupted utterance', async () => {
    const line = await dial(server);
    line.socket.send(JSON.stringify({ action: 'interrupt' }));
    utter(line, pcm.subarray(0, 4 * 32_000));
    line.socket.send(JSON.stringify({ action: 'interrupt' }));
    utter(line, pcm);
    const events = [await line.next()];
    if (events[0]?.['duration_ms'] === 4000) events.push(await line.next());
    expect(events.at(-1)).toMatchObject({ event: 'final', duration_ms: 8000 });
  });

  it('stops at the end of the credits, and ends without speech', async () => {
    const poor = await serverWith({ credits: 60, limits: { dictationIdleMs: 400 } });
    const line = await dial(poor);
    utter(line, pcm);
    expect((await line.next())['event']).toBe('final');
    utter(line, pcm);
    expect((await line.next())['code']).toBe('insufficient_credits');
    expect((await line.next())['code']).toBe('timeout');
    expect(await line.closed).toBe(1000);
    const { body } = await call(asPerson(poor), 'GET', '/api/v1/account/request-logs');
    expect((body['items'] as { usage?: unknown }[])[0]?.usage).toMatchObject({ operation: 'realtime', credits: 60 });
  });

  it('breaks as the plan says', async () => {
    const commit = (nth: number, rule: object): object => ({ route: 'realtime-commit', nth, ...rule });
    const weak = await serverWith(
      {},
      { route: '/v1/stt/stream', nth: 1, fault: 'status', status: 404, code: 'not_found' },
      commit(1, { fault: 'commit-error', code: 'overloaded' }),
      commit(2, { fault: 'commit-twice' }),
      commit(3, { fault: 'commit-silent' }),
      commit(4, { fault: 'commit-delay', ms: 150 }),
      commit(5, { fault: 'commit-close', closeCode: 1011 }),
    );
    await expect(dial(weak)).rejects.toThrow('404');
    const line = await dial(weak);
    utter(line, pcm);
    expect((await line.next())['code']).toBe('overloaded');
    utter(line, pcm);
    expect([(await line.next())['event'], (await line.next())['event']]).toEqual(['final', 'final']);
    utter(line, pcm);
    const startMs = performance.now();
    utter(line, pcm.subarray(0, 4 * 32_000));
    // The silent one has no answer: the next event belongs to the late one, whatever arrived between them.
    let event = await line.next();
    while (event['event'] === 'error') event = await line.next();
    expect(event['duration_ms']).toBe(4000);
    expect(performance.now() - startMs).toBeGreaterThan(140);
    utter(line, pcm);
    expect(await line.closed).toBe(1011);
  });
});
