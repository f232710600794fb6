import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { dictate, liveClient, practice, speak } from './live-rig.ts';

/** Eight seconds at 16 kHz: speech from 1 to 3.3 s and from 5 to 7 s. */
const wav = readFileSync(fileURLToPath(new URL('../fixtures/audio/two-sentences.s16.wav', import.meta.url)));
const pcm = wav.subarray(wav.indexOf('data') + 8);
const commit = 'realtime-commit';

/** Says the recording once in a session of its own and stops. */
async function say(server: PracticeServer, client = liveClient(server)) {
  const dictating = dictate(client);
  speak(dictating.session, pcm);
  await dictating.session.stop();
  return dictating;
}

/** What the service accepted live, as milliseconds of audio. */
const acceptedMs = (stateDir: string): readonly number[] =>
  readLedger(stateDir)
    .filter(({ route }) => route === 'WSS /v1/stt/stream')
    .map(({ fields }) => Number(fields['samples']) / 16);

test('speech is sent while it is spoken, and each utterance gets its text, times and a line of the ledger', async () => {
  const server = await practice();
  const client = liveClient(server);
  const { session, of, states } = dictate(client);
  speak(session, pcm);
  session.commit();
  speak(session, pcm.subarray(0, 64_000));
  await session.stop();
  const finals = of('final');
  expect(finals.map(({ utterance, isPerhapsCountedTwice }) => [utterance, isPerhapsCountedTwice])).toEqual([
    [1, false],
    [2, false],
  ]);
  expect(finals[0]?.result).toMatchObject({ language: 'uz', durationMs: pcm.length / 32 });
  expect(finals[0]?.result.segments).toHaveLength(2);
  expect(states()).toEqual(['connecting', 'live', 'ended']);
  expect(of('ended')).toEqual([{ kind: 'ended', failure: null, lost: [] }]);
  expect(acceptedMs(server.stateDir)).toEqual([pcm.length / 32, 2000]);
  expect(client.begun.map(({ route, asked }) => [route, asked])).toEqual([
    ['dictate.stream', { audioMs: pcm.length / 32, language: 'uz' }],
    ['dictate.stream', { audioMs: 2000, language: 'uz' }],
  ]);
  expect(client.ended.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
});

test('silence, and less than the service accepts, are empty and not errors; interrupted speech is forgotten', async () => {
  const server = await practice();
  const { session, of } = dictate(liveClient(server));
  speak(session, Buffer.alloc(32_000));
  session.commit();
  speak(session, Buffer.alloc(3000));
  session.commit();
  speak(session, pcm);
  session.interrupt();
  speak(session, pcm);
  await session.stop();
  expect(of('empty').map(({ utterance, why }) => [utterance, why])).toEqual(
    expect.arrayContaining([
      [1, 'no-speech'],
      [2, 'too-short'],
    ]),
  );
  expect(of('final').map(({ utterance }) => utterance)).toEqual([4]);
  expect(acceptedMs(server.stateDir)).toEqual([pcm.length / 32]);
});

test('F-59: each close in the middle is answered with a new ticket, and the utterance is sent again', async () => {
  const codes = [1000, 1001, 1003, 1009, 1011, 1012, 3000, 4999];
  const rules = codes.map((closeCode, at) => ({ route: commit, nth: 2 * at + 1, fault: 'commit-close', closeCode }));
  const server = await practice(rules);
  const client = liveClient(server);
  const { session, of, states } = dictate(client);
  for (const _code of codes) {
    speak(session, pcm);
    session.commit();
  }
  await session.stop();
  expect(of('final').map(({ isPerhapsCountedTwice }) => isPerhapsCountedTwice)).toEqual(codes.map(() => true));
  expect(states().filter((state) => state === 'reconnecting')).toHaveLength(codes.length);
  expect(client.lines.filter(({ event }) => event === 'stream-lost').map(({ row, code }) => [row, code])).toEqual(
    codes.map((code) => [code === 1003 || code === 1009 ? 'E-142' : 'E-141', `close_${code}`]),
  );
  expect(acceptedMs(server.stateDir)).toEqual(codes.map(() => pcm.length / 32));
});

test('live-key-or-credits and a protocol error twice end it, and return audio without text', async () => {
  const first = await say(await practice([{ route: commit, fault: 'commit-close', closeCode: 1008 }]));
  expect(first.of('ended')).toMatchObject([{ failure: { kind: 'live-key-or-credits' }, lost: [{ utterance: 1 }] }]);
  const second = await say(await practice([{ route: commit, fault: 'commit-close', closeCode: 1007 }]));
  expect(second.of('ended')).toMatchObject([{ failure: { kind: 'live-text-stopped', code: 'close_1007' } }]);
  expect(second.session.push(pcm)).toBe(false);
});

test('F-61: each temporary error is answered by sending the utterance again, on a new connection if the old one is in doubt', async () => {
  const onNewLine = ['invalid_message', 'validation_error', 'not_started', 'timeout'];
  const codes = [...onNewLine, 'busy', 'overloaded', 'service_unavailable', 'a_new_code'];
  const rules = codes.map((code, at) => ({ route: commit, nth: 2 * at + 1, fault: 'commit-error', code }));
  const server = await practice(rules);
  const { session, of, states } = dictate(liveClient(server, {}, {}, 10));
  for (const _code of codes) {
    speak(session, pcm.subarray(0, 128_000));
    session.commit();
  }
  await session.stop();
  expect(of('final').map(({ utterance }) => utterance)).toEqual(codes.map((_code, at) => at + 1));
  expect(states().filter((state) => state === 'reconnecting')).toHaveLength(onNewLine.length);
  expect(acceptedMs(server.stateDir)).toEqual(codes.map(() => 4000));
});

test('F-61: unreadable audio is returned, and the next utterance continues', async () => {
  const server = await practice([{ route: commit, nth: 1, fault: 'commit-error', code: 'invalid_audio' }]);
  const client = liveClient(server);
  const { session, of } = dictate(client);
  speak(session, pcm);
  session.commit();
  speak(session, pcm);
  await session.stop();
  expect(of('failed')).toMatchObject([{ failure: { kind: 'phrase-audio-unreadable' }, lost: { utterance: 1 } }]);
  expect(of('final').map(({ utterance }) => utterance)).toEqual([2]);
  expect(client.ended.map(({ outcome, row }) => [outcome, row])).toEqual([
    ['refused', 'E-130'],
    ['accepted', null],
  ]);
});

test('F-61: audio rejected as too long is sent in parts that make the whole, and so are their texts', async () => {
  const server = await practice([{ route: commit, nth: 1, fault: 'commit-error', code: 'audio_too_long' }]);
  const { of } = await say(server);
  expect(of('final').map(({ utterance, result }) => [utterance, result.paidIds?.length])).toEqual([[1, 2]]);
  expect(acceptedMs(server.stateDir).reduce((sum, ms) => sum + ms, 0)).toBe(pcm.length / 32);
});

test('live-credits-exhausted: without credits nothing is sent, speech is stored, and it continues on request', async () => {
  const server = await practice([{ route: commit, nth: 1, fault: 'commit-error', code: 'insufficient_credits' }]);
  const { session, of, states } = dictate(liveClient(server));
  speak(session, pcm);
  session.commit();
  await expect.poll(states).toContain('held');
  expect(of('state').at(-1)?.failure).toMatchObject({ kind: 'live-credits-exhausted' });
  expect(session.push(pcm)).toBe(true);
  session.goOn();
  await session.stop();
  expect(of('final').map(({ utterance }) => utterance)).toEqual([1, 2]);
});

test('model-missing: without a model on this computer live transcription ends by that name, is not tried again, and gives the speech back', async () => {
  const server = await practice([], { recognition: { modelFor: async () => null } });
  const { of } = await say(server);
  const [ended] = of('ended');
  expect(ended?.failure).toMatchObject({ kind: 'model-missing', code: 'model_missing', retry: 'wait_user' });
  expect(ended?.lost).toEqual([{ utterance: 1 }]);
});

test('phrase-twice: a second text for one commit is passed over, and a late one is waited for', async () => {
  const server = await practice([
    { route: commit, nth: 1, fault: 'commit-twice' },
    { route: commit, nth: 2, fault: 'commit-delay', ms: 300 },
  ]);
  const client = liveClient(server);
  const { session, of } = dictate(client);
  speak(session, pcm);
  session.commit();
  await expect.poll(() => client.lines.filter(({ code }) => code === 'final').length).toBe(1);
  speak(session, pcm);
  await session.stop();
  expect(of('final').map(({ utterance }) => utterance)).toEqual([1, 2]);
  expect(of('final')[1]?.answeredMs).toBeGreaterThanOrEqual(290);
});

test('aborting returns the audio, and says so in the ledger', async () => {
  const server = await practice([{ route: commit, fault: 'commit-silent' }]);
  const client = liveClient(server);
  const { session, of } = dictate(client);
  speak(session, pcm);
  session.commit();
  await expect.poll(() => client.begun.length).toBe(1);
  session.abort();
  expect(of('ended')).toMatchObject([{ failure: { code: 'cancelled' }, lost: [{ utterance: 1 }] }]);
  expect(client.ended).toMatchObject([{ outcome: 'unknown' }]);
});

test('neither the ticket nor the key is in any message or log', async () => {
  const server = await practice([{ route: commit, nth: 1, fault: 'commit-close', closeCode: 1011 }]);
  const client = liveClient(server);
  const { events } = await say(server, client);
  const told = JSON.stringify([events, client.lines]);
  expect(told).not.toMatch(/ticket_|practice_[A-Za-z0-9_-]{20}/);
  expect(client.lines.some(({ route, status }) => route === '/v1/stt/stream' && status === 101)).toBe(true);
});
