import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TurnKeeper } from '../../electron/service/legacy-speech.ts';
import { readLedger } from '../../electron/practice/state.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { wavHeader } from '../../shared/domain/media/wav-header.ts';
import type { Result } from '../../shared/result/result.ts';
import { decodeRequest, encodeResponse, legacyCallPath } from '../../shared/wire/call-codec.ts';
import { startScriptedStream } from '../support/scripted-stream.ts';
import { liveClient, practice, type LiveRig } from './live-rig.ts';

const turn = { text: 'Assalomu alaykum!', speaker: 'neutral', language: 'uz' } as const;

type Opened = Promise<Result<TurnKeeper, Failure>>;
const opened = async (opening: Opened): Promise<TurnKeeper> => {
  const voice = await opening;
  if (!voice.ok) throw new Error(voice.error.code);
  return voice.value;
};
const carriers: readonly [string, (client: LiveRig) => Opened, string][] = [
  ['the socket', (client) => client.live.legacySocket(), 'WSS /api/v1/tts/realtime'],
  ['gRPC', (client) => client.live.legacyCall(), 'GRPC /RealtimeTTS/Synthesize'],
];

describe.each(carriers)('the legacy live speech by %s', (_name, open, route) => {
  /** What a turn is told, or the opening before it. */
  const told = async (client: LiveRig) => {
    const voice = await open(client);
    return voice.ok ? voice.value.speak(turn) : voice;
  };

  test('speaks many turns over one connection, in order, each a complete WAV of 16 kHz; one refused by an undocumented code stays open', async () => {
    const server = await practice();
    const client = liveClient(server);
    const voice = await opened(open(client));
    const spoken = await Promise.all([
      voice.speak(turn),
      voice.speak({ ...turn, text: 'a'.repeat(1001) }),
      voice.speak({ ...turn, text: 'Privet', language: 'ru', speaker: 'sad', speed: 2 }),
      voice.speak({ ...turn, text: 'Hello there, this is longer.', language: 'en' }),
    ]);
    expect(spoken.splice(1, 1)).toMatchObject([{ ok: false, error: { code: 'invalid_request' } }]);
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
    await voice.end();
    expect(await voice.speak(turn)).toMatchObject({
      ok: false,
      error: { kind: 'dictation-finished', outcome: 'not_sent' },
    });
    expect(readLedger(server.stateDir).map((entry) => entry.route)).toEqual([route, route, route]);
    expect(client.ended.map(({ outcome }) => outcome)).toEqual(['accepted', 'unknown', 'accepted', 'accepted']);
    expect(JSON.stringify(client.lines)).not.toContain(server.legacyToken);
  });

  test('live-speech-refused: an account without balance is reported, and a rejected key in no message', async () => {
    const server = await practice([], { credits: 5 });
    const client = liveClient(server);
    expect(await told(client)).toMatchObject({
      ok: false,
      error: { kind: 'live-speech-refused', code: 'insufficient_balance', outcome: 'refused' },
    });
    expect(client.ended).toMatchObject([{ outcome: 'refused', row: 'E-153' }]);
    const wrong = liveClient({ url: server.url, callHost: server.callHost });
    const refused = await told(wrong);
    expect(refused).toMatchObject({ ok: false, error: { kind: 'key-refused' } });
    expect(JSON.stringify([refused, wrong.lines])).not.toContain('CANARY');
    expect(server.callHost).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('a service that disappears in the middle of a turn ends it as unknown, and the next is not sent', async () => {
    const server = await practice();
    const voice = await opened(open(liveClient(server)));
    expect(await voice.speak(turn)).toMatchObject({ ok: true });
    const spoken = voice.speak({ ...turn, text: 'Juda uzun matn. '.repeat(50) });
    const next = voice.speak(turn);
    await server.close();
    expect(await spoken).toMatchObject({ ok: false, error: { outcome: 'unknown' } });
    expect(await next).toMatchObject({ ok: false, error: { outcome: 'not_sent' } });
    await voice.end();
  });
});

interface RawCall {
  write(bytes: Buffer): void;
  emit(name: string, value: unknown): void;
  on(name: 'data', then: (bytes: Buffer) => void): void;
  end(): void;
}

/** A gRPC server that reads and writes bytes; the host and port of it. */
async function startCallServer(answer: (call: RawCall) => void): Promise<string> {
  const server = new Server();
  onTestFinished(() => server.forceShutdown());
  const raw = (bytes: Buffer): Buffer => bytes;
  const way = { requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw };
  server.addService(
    { Synthesize: { path: legacyCallPath, requestStream: true, responseStream: true, ...way } },
    { Synthesize: answer },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return `127.0.0.1:${port}`;
}

test.each<readonly [number, string]>([
  [status.UNAUTHENTICATED, 'key-refused'],
  [status.PERMISSION_DENIED, 'live-key-or-credits'],
  [status.RESOURCE_EXHAUSTED, 'live-speech-refused'],
  [status.INVALID_ARGUMENT, 'legacy-request-rejected'],
  [status.UNIMPLEMENTED, 'incompatible'],
  [status.UNAVAILABLE, 'live-closed'],
])('a call that ends with status %i is %s, and bytes that are no message are live-refused', async (code, row) => {
  let isGarbage = false;
  const callHost = await startCallServer((call) =>
    call.on('data', () =>
      isGarbage
        ? call.write(Buffer.from([0x0f, 0xff]))
        : call.emit('error', { code, details: 'old_CANARY_0123456789abcdef' }),
    ),
  );
  const client = liveClient({ url: 'http://127.0.0.1:1', callHost });
  const told = await (await opened(client.live.legacyCall())).speak(turn);
  expect(told).toMatchObject({ ok: false, error: { kind: row, code: `grpc_${code}` } });
  expect(JSON.stringify(told)).not.toContain('CANARY');
  isGarbage = true;
  const second = await opened(client.live.legacyCall());
  expect(await second.speak(turn)).toMatchObject({ ok: false, error: { kind: 'live-refused' } });
});

test('live-closed-after-error: an error outside a turn is why the call ended, and the next turn is not sent', async () => {
  const wav = Buffer.from(wavHeader(2, 16_000));
  const callHost = await startCallServer((call) =>
    call.on('data', (bytes) => {
      const asked = decodeRequest(bytes);
      const requestId = asked.ok ? asked.value.requestId : '';
      call.write(Buffer.from(encodeResponse({ requestId, audioWav: Buffer.concat([wav, Buffer.alloc(2)]) })));
      call.write(Buffer.from(encodeResponse({ errorCode: 'insufficient_balance' })));
      call.end();
    }),
  );
  const client = liveClient({ url: 'http://127.0.0.1:1', callHost });
  const voice = await opened(client.live.legacyCall());
  expect(await voice.speak(turn)).toMatchObject({ ok: true });
  await expect.poll(() => client.lines.map(({ event }) => event)).toEqual(['stream-lost']);
  const error = { kind: 'live-speech-refused', code: 'insufficient_balance', outcome: 'not_sent' };
  expect(await voice.speak(turn)).toMatchObject({ ok: false, error });
});

test('S-32, S-35: without a host that is one, the legacy call is not opened at all', async () => {
  const server = await startScriptedStream(({ socket }) => void socket.destroy());
  onTestFinished(() => server.close());
  for (const grpcHost of ['', 'host', '127.0.0.1:99999999', 'https://a.example', 'a.example/path', 'user@a.example']) {
    const voice = await liveClient(server, {}, { grpcHost }).live.legacyCall();
    expect([grpcHost, voice.ok ? '' : voice.error.code]).toEqual([grpcHost, 'no_call_host']);
  }
});
