import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../electron/storage/open-ledger.ts';
import { createSpeechService } from '../../electron/services/speech/speech-service.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { failureNumbers } from '../../shared/result/failure-kinds.ts';
import { liveClient, practice } from './live-rig.ts';

const folder = await mkdtemp(join(tmpdir(), 'ovoz-stream-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const text = 'Salom, dunyo. Bu birinchi gap edi! Bu esa ikkinchisi.';
const input = (name: string) => ({
  text,
  language: 'uz',
  voiceId: 'voice_practice_uz_lola',
  speed: 1,
  target: join(folder, name),
});
const piece = 'realtime-piece';

test('speech is received while it is made, is played as it arrives, and is in a whole WAV at the end', async () => {
  const server = await practice();
  const client = liveClient(server);
  const played: Uint8Array[] = [];
  const spoken = await client.live.streamSpeech({
    ...input('a.wav'),
    onAudio: (pcm) => void played.push(pcm),
  });
  if (!spoken.ok || spoken.value.kind !== 'made') throw new Error('not made');
  const { durationMs, firstAudioMs, characters } = spoken.value;
  expect(durationMs).toBeGreaterThan(1500);
  expect(firstAudioMs).toBeGreaterThanOrEqual(0);
  expect(characters).toBe(text.length);
  const wav = await readFile(join(folder, 'a.wav'));
  expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(4), wav.readUInt32LE(24), wav.readUInt32LE(40)]).toEqual([
    'RIFF',
    wav.length - 8,
    24_000,
    wav.length - 44,
  ]);
  expect(wav.subarray(44).equals(Buffer.concat(played))).toBe(true);
  expect(played.length).toBeGreaterThan(10);
  const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, (wav.length - 44) / 2);
  expect(samples.some((sample) => Math.abs(sample) > 3000)).toBe(true);
  expect(readLedger(server.stateDir).map(({ route }) => route)).toEqual(['WSS /v1/tts/stream']);
  expect(client.begun).toMatchObject([{ route: 'speak.stream', asked: { characters: text.length, isStreamed: true } }]);
  expect(client.ended).toMatchObject([{ outcome: 'accepted' }]);
});

test.each([
  [{ fault: 'commit-close', closeCode: 1011 }, 'live-speech-cut', 'close_1011'],
  [{ fault: 'commit-error', code: 'overloaded' }, 'live-speech-cut', 'overloaded'],
  [{ fault: 'commit-error', code: 'something_new' }, 'live-speech-cut', 'something_new'],
] as const)('audio before %j is kept and reported as cut', async (fault, row, code) => {
  const server = await practice([{ route: piece, nth: 6, ...fault }]);
  const client = liveClient(server);
  const spoken = await client.live.streamSpeech(input('cut.wav'));
  expect(spoken).toMatchObject({ ok: true, value: { kind: 'cut', durationMs: 500, failure: { kind: row, code } } });
  expect((await readFile(join(folder, 'cut.wav'))).length).toBe(44 + 500 * 48);
  expect(client.ended).toMatchObject([{ row: failureNumbers[row], outcome: 'unknown' }]);
});

test('an existing file stays if no audio arrived, and no partial file is left behind', async () => {
  const server = await practice([{ route: piece, fault: 'commit-error', code: 'insufficient_credits' }]);
  await writeFile(join(folder, 'old.wav'), 'older');
  const spoken = await liveClient(server).live.streamSpeech(input('old.wav'));
  expect(spoken).toMatchObject({ ok: false, error: { kind: 'credits-exhausted', outcome: 'refused' } });
  expect(await readFile(join(folder, 'old.wav'), 'utf8')).toBe('older');
  expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/\.part$/));
});

test('a cancelled stream leaves no file, and a voice of another language is refused by name', async () => {
  const server = await practice([{ route: piece, nth: 3, fault: 'commit-delay', ms: 60_000 }]);
  const client = liveClient(server);
  const gone = new AbortController();
  let heard = 0;
  const spoken = client.live.streamSpeech({
    ...input('gone.wav'),
    signal: gone.signal,
    onAudio: () => void (heard += 1),
  });
  await expect.poll(() => heard).toBe(2);
  gone.abort();
  expect(await spoken).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await readdir(folder)).not.toContain('gone.wav');
  expect(await client.live.streamSpeech({ ...input('x.wav'), language: 'ru' })).toMatchObject({
    ok: false,
    error: { code: 'validation_error' },
  });
  expect(await client.live.streamSpeech({ ...input('x.wav'), target: join(folder, 'none', 'x.wav') })).toMatchObject({
    ok: false,
    error: { kind: 'disk-space-short', outcome: 'not_sent' },
  });
});

test('without credits the upgrade itself is refused; without the synthesizer the service says so, and nothing is charged', async () => {
  const poor = await practice([], { credits: 0 });
  expect(await liveClient(poor).live.streamSpeech(input('poor.wav'))).toMatchObject({
    ok: false,
    error: { kind: 'credits-exhausted', status: 402, code: 'insufficient_credits' },
  });
  const mute = await practice([], { speechProgram: null });
  expect(await liveClient(mute).live.streamSpeech(input('mute.wav'))).toMatchObject({
    ok: false,
    error: { code: 'service_unavailable' },
  });
  expect([...readLedger(poor.stateDir), ...readLedger(mute.stateDir)]).toEqual([]);
});

test('if the service gives no tickets, the key opens the stream in a header of the handshake, and nowhere else', async () => {
  const server = await practice([{ route: '/v1/ticket', fault: 'status', status: 404, code: 'not_found' }]);
  const client = liveClient(server);
  expect(await client.live.streamSpeech(input('key.wav'))).toMatchObject({ ok: true, value: { kind: 'made' } });
  expect(JSON.stringify(client.lines)).not.toContain(server.token);
  const denied = await practice([{ route: '/v1/ticket', fault: 'status', status: 403, code: 'insufficient_scope' }]);
  const refused = await liveClient(denied).live.streamSpeech(input('denied.wav'));
  expect(refused).toMatchObject({ ok: false, error: { status: 403 } });
});

describe('a text over the stream, which knows no idempotency key', () => {
  async function service(name: string, rules: readonly unknown[]) {
    const server = await practice(rules);
    const ledger = openLedger({ path: join(folder, name, 'ledger.db'), now: Date.now, onTrouble: () => undefined });
    if (!ledger.ok) throw new Error(ledger.error.code);
    onTestFinished(() => ledger.value.close());
    const context = { client: liveClient(server), ledger: ledger.value, accountId: () => 'a' };
    const { signal } = new AbortController();
    const wanted = { ...input(`${name}.wav`), sendsAgain: false, waitMs: 0, signal };
    const sent = () => readLedger(server.stateDir).map(({ route }) => route);
    return { speech: createSpeechService(context, () => Promise.reject(new Error('no legacy voice'))), wanted, sent };
  }
  const stream = 'WSS /v1/tts/stream';
  const charged = { ok: false, error: { kind: 'job-not-found', code: 'spoken_live', outcome: 'not_sent' } };

  test.each([
    ['silent', 1],
    ['cut', 6],
  ])('is not sent again, live or not, after an end that may be charged (%s)', async (name, nth) => {
    const { speech, wanted, sent } = await service(name, [
      { route: piece, nth, fault: 'commit-close', closeCode: 1011 },
    ]);
    const first = await speech.stream(wanted);
    expect(first.ok ? first.value.cutBy : first.error).toMatchObject({ kind: 'live-speech-cut', outcome: 'unknown' });
    if (first.ok) first.value.settle();
    expect([await speech.stream(wanted), await speech.speak(wanted)]).toMatchObject([charged, charged]);
    expect(sent()).toEqual([stream]);
    const again = await speech.stream({ ...wanted, sendsAgain: true });
    expect(again).toMatchObject({ ok: true, value: { cutBy: null } });
    if (again.ok) again.value.settle();
    expect(await speech.stream(wanted)).toMatchObject({ ok: true });
  });

  test('goes by the ordinary request where the stream is not offered: nothing was sent before', async () => {
    const { speech, wanted, sent } = await service('away', [
      { route: '/v1/tts/stream', fault: 'status', status: 404, code: 'not_found' },
    ]);
    expect(await speech.stream(wanted)).toMatchObject({
      ok: false,
      error: { kind: 'live-speech-unavailable', outcome: 'not_sent' },
    });
    expect(await speech.speak(wanted)).toMatchObject({ ok: true });
    expect(sent()).toEqual(['POST /v1/tts']);
  });
});
