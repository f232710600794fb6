import { fileURLToPath } from 'node:url';
import { loadPackageDefinition, credentials, Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { ServiceClientConstructor, ClientDuplexStream } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LegacyVoice } from '../../electron/api/legacy/turns.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import { legacyCallPath } from '../../shared/wire/legacy/call-codec.ts';
import { startScriptedStream } from '../support/scripted-stream.ts';
import { liveClient, practice, type LiveRig } from './live-rig.ts';

const proto = loadSync(fileURLToPath(new URL('../../shared/wire/legacy/speech.proto', import.meta.url)), {
  keepCase: true,
  defaults: true,
});
const { RealtimeTTS } = loadPackageDefinition(proto) as unknown as { readonly RealtimeTTS: ServiceClientConstructor };
const turn = { text: 'Assalomu alaykum!', speaker: 'neutral', language: 'uz' } as const;

const carriers: readonly [string, (client: LiveRig) => Promise<Result<LegacyVoice, Failure>>, string][] = [
  ['the socket', (client) => client.live.legacySocket(), 'WSS /api/v1/tts/realtime'],
  ['gRPC', (client) => client.live.legacyCall(), 'GRPC /RealtimeTTS/Synthesize'],
];

describe.each(carriers)('the legacy live speech by %s', (_name, open, route) => {
  test('speaks many turns over one connection, in order, each a complete WAV of 16 kHz', async () => {
    const server = await practice();
    const client = liveClient(server);
    const voice = await open(client);
    if (!voice.ok) throw new Error(voice.error.code);
    const spoken = await Promise.all([
      voice.value.speak(turn),
      voice.value.speak({ ...turn, text: 'Privet', language: 'ru', speaker: 'sad', speed: 2 }),
      voice.value.speak({ ...turn, text: 'Hello there, this is longer.', language: 'en' }),
    ]);
    for (const one of spoken) {
      if (!one.ok) throw new Error(one.error.code);
      const wav = Buffer.from(one.value.wav);
      expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24), one.value.sampleRate]).toEqual([
        'RIFF',
        16_000,
        16_000,
      ]);
      expect(one.value.durationMs).toBeCloseTo((wav.length - 44) / 32, -1);
    }
    expect(spoken.map((one) => one.ok && one.value.characters)).toEqual([17, 6, 28]);
    await voice.value.end();
    expect(await voice.value.speak(turn)).toMatchObject({ ok: false, error: { row: 'E-140', outcome: 'not_sent' } });
    expect(readLedger(server.stateDir).map((entry) => entry.route)).toEqual([route, route, route]);
    expect(client.ended.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(JSON.stringify(client.lines)).not.toContain(server.legacyToken);
  });

  test('a refused turn costs nothing and leaves the connection as it was', async () => {
    const server = await practice();
    const client = liveClient(server);
    const voice = await open(client);
    if (!voice.ok) throw new Error(voice.error.code);
    expect(await voice.value.speak({ ...turn, text: 'a'.repeat(1001) })).toMatchObject({
      ok: false,
      error: { code: 'invalid_request' },
    });
    expect(await voice.value.speak(turn)).toMatchObject({ ok: true });
    expect(readLedger(server.stateDir)).toHaveLength(1);
  });

  test('E-153: an account without balance is reported', async () => {
    const server = await practice([], { credits: 5 });
    const client = liveClient(server);
    const voice = await open(client);
    if (!voice.ok) throw new Error(voice.error.code);
    expect(await voice.value.speak(turn)).toMatchObject({
      ok: false,
      error: { row: 'E-153', code: 'insufficient_balance', outcome: 'refused' },
    });
    expect(client.ended).toMatchObject([{ outcome: 'refused', row: 'E-153' }]);
  });

  test('a rejected key is E-032, and appears in no message', async () => {
    const server = await practice();
    const wrong = liveClient({ url: server.url, callHost: server.callHost });
    const voice = await open(wrong);
    const told = voice.ok ? await voice.value.speak(turn) : voice;
    expect(told).toMatchObject({ ok: false, error: { row: 'E-032' } });
    expect(JSON.stringify([told, wrong.lines])).not.toContain('CANARY');
  });

  test('a service that disappears in the middle of a turn ends it as unknown, and the next is not sent', async () => {
    const server = await practice();
    const voice = await open(liveClient(server));
    if (!voice.ok) throw new Error(voice.error.code);
    expect(await voice.value.speak(turn)).toMatchObject({ ok: true });
    const spoken = voice.value.speak({ ...turn, text: 'Juda uzun matn. '.repeat(50) });
    const next = voice.value.speak(turn);
    await server.close();
    expect(await spoken).toMatchObject({ ok: false, error: { outcome: 'unknown' } });
    expect(await next).toMatchObject({ ok: false, error: { outcome: 'not_sent' } });
    await voice.value.end();
  });

  test('without a server there is no speech, and nothing was sent', async () => {
    const nowhere = liveClient({ url: 'http://127.0.0.1:1', callHost: '127.0.0.1:1' }, { upgradeMs: 1500 });
    const voice = await open(nowhere);
    const told = voice.ok ? await voice.value.speak(turn) : voice;
    expect(told).toMatchObject({ ok: false, error: { row: 'E-003', outcome: 'not_sent' } });
  });
});

describe('the gRPC of the practice service', () => {
  test('answers a standard client made from the .proto', async () => {
    const server = await practice();
    const client = new RealtimeTTS(server.callHost, credentials.createInsecure());
    onTestFinished(() => client.close());
    const metadata = new Metadata();
    metadata.set('x-api-key', server.legacyToken);
    const call = (
      client['Synthesize'] as unknown as (metadata: Metadata) => ClientDuplexStream<object, Record<string, unknown>>
    ).call(client, metadata);
    const answers: Record<string, unknown>[] = [];
    call.on('data', (answer: Record<string, unknown>) => void answers.push(answer));
    call.write({ request_id: 'a', text: 'Salom' });
    call.write({ request_id: 'a', text: 'The number again' });
    call.write({ end: true });
    await new Promise((resolve) => call.once('end', resolve));
    expect(new Set(answers.map(({ request_id: id, error_code: code }) => `${String(id)} ${String(code)}`))).toEqual(
      new Set(['a ', 'a invalid_request']),
    );
    const spoken = answers.find(({ error_code: code }) => code === '');
    expect(spoken).toMatchObject({ speaker_id: 'neutral', sample_rate: 16_000, characters: 5 });
    expect(Buffer.from(spoken?.['audio_wav'] as Uint8Array).toString('latin1', 0, 4)).toBe('RIFF');
  });

  test.each<readonly [string, (metadata: Metadata, key: string) => void, Record<string, string>]>([
    ['no key', () => undefined, {}],
    ['half of the key', (metadata, key) => metadata.set('x-api-key', key.slice(0, -1)), {}],
    [
      'two keys',
      (metadata, key) => {
        metadata.add('x-api-key', key);
        metadata.add('x-api-key', key);
      },
      {},
    ],
    [
      'another name of the host',
      (metadata, key) => metadata.set('x-api-key', key),
      { 'grpc.default_authority': 'evil.example' },
    ],
  ])('refuses %s', async (_name, fill, options) => {
    const server = await practice();
    const client = new RealtimeTTS(server.callHost, credentials.createInsecure(), options);
    onTestFinished(() => client.close());
    const metadata = new Metadata();
    fill(metadata, server.legacyToken);
    const call = (
      client['Synthesize'] as unknown as (metadata: Metadata) => ClientDuplexStream<object, Record<string, unknown>>
    ).call(client, metadata);
    const ended = new Promise<number>((resolve) =>
      call.once('error', (error) => resolve((error as Error & { code: number }).code)),
    );
    call.write({ request_id: 'a', text: 'Salom' });
    expect([status.UNAUTHENTICATED, status.PERMISSION_DENIED]).toContain(await ended);
    expect(readLedger(server.stateDir)).toEqual([]);
  });

  test('listens on this computer only', async () => {
    const server = await practice();
    expect(server.callHost).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(new URL(`http://${server.callHost}`).port).not.toBe(new URL(server.url).port);
  });
});

test.each<readonly [number, string]>([
  [status.UNAUTHENTICATED, 'E-032'],
  [status.PERMISSION_DENIED, 'E-143'],
  [status.RESOURCE_EXHAUSTED, 'E-153'],
  [status.INVALID_ARGUMENT, 'E-151'],
  [status.UNIMPLEMENTED, 'E-043'],
  [status.UNAVAILABLE, 'E-141'],
  [status.INTERNAL, 'E-141'],
])('a call that ends with status %i is %s, and bytes that are no message are E-142', async (code, row) => {
  let isGarbage = false;
  const callHost = await startCallServer((call) =>
    call.on('data', () =>
      isGarbage
        ? call.write(Buffer.from([0x0f, 0xff]))
        : call.emit('error', { code, details: 'old_CANARY_0123456789abcdef' }),
    ),
  );
  const client = liveClient({ url: 'http://127.0.0.1:1', callHost });
  const voice = await client.live.legacyCall();
  const told = voice.ok ? await voice.value.speak(turn) : voice;
  expect(told).toMatchObject({ ok: false, error: { row, code: `grpc_${code}` } });
  expect(JSON.stringify(told)).not.toContain('CANARY');
  isGarbage = true;
  const second = await client.live.legacyCall();
  expect(second.ok && (await second.value.speak(turn))).toMatchObject({ ok: false, error: { row: 'E-142' } });
});

test('a call that the service does not end is ended here', async () => {
  const callHost = await startCallServer((call) => call.on('data', () => undefined));
  const client = liveClient({ url: 'http://127.0.0.1:1', callHost }, { closeMs: 50 });
  const voice = await client.live.legacyCall();
  if (!voice.ok) throw new Error(voice.error.row);
  await voice.value.end();
  expect(client.lines).toMatchObject([{ event: 'stream-lost', route: legacyCallPath }]);
});

interface RawCall {
  write(bytes: Buffer): void;
  emit(name: string, value: unknown): void;
  on(name: 'data', then: () => void): void;
}

/** A gRPC server that reads and writes bytes; the host and port of it. */
async function startCallServer(answer: (call: RawCall) => void): Promise<string> {
  const server = new Server();
  onTestFinished(() => server.forceShutdown());
  const raw = (bytes: Buffer): Buffer => bytes;
  server.addService(
    {
      Synthesize: {
        path: legacyCallPath,
        requestStream: true,
        responseStream: true,
        requestSerialize: raw,
        requestDeserialize: raw,
        responseSerialize: raw,
        responseDeserialize: raw,
      },
    },
    { Synthesize: answer },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return `127.0.0.1:${port}`;
}

test('S-32, S-35: without a key, or a host that is one, the legacy stream and call are not opened at all', async () => {
  const server = await startScriptedStream(({ socket }) => void socket.destroy());
  onTestFinished(() => server.close());
  for (const grpcHost of ['', 'host', '127.0.0.1:99999999', 'https://a.example', 'a.example/path', 'user@a.example']) {
    const voice = await liveClient(server, {}, { grpcHost }).live.legacyCall();
    expect([grpcHost, voice.ok ? '' : voice.error.code]).toEqual([grpcHost, 'no_call_host']);
  }
});
