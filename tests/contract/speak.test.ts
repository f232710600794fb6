import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { toneWav } from '../support/wav-files.ts';
import { scriptedService } from './client-rig.ts';

const service = await scriptedService({ limits: { receiveStallMs: 400 } });
const { server, files, client, answer, refuse, last, countOf } = service;
const wav = toneWav(440, 1);
const input = (name: string) => ({
  text: 'Salom, dunyo',
  language: 'uz',
  voiceId: 'voice_1',
  speed: 1,
  idempotencyKey: randomUUID(),
  target: join(files.folder, name),
});
/** Everything is answered with these bytes from here on. */
const answerBytes = (bytes: Buffer | string, headers: Record<string, string> = { 'content-type': 'audio/wav' }) => {
  server.script = (_request, response) => void response.writeHead(200, headers).end(bytes);
};
afterEach(async () => {
  expect((await readdir(files.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('speech is a whole WAV at its target, requested with the exact body and key', async () => {
  answerBytes(wav, { 'content-type': 'audio/wav', 'x-request-id': 'req_1' });
  const request = input('a.wav');
  await writeFile(request.target, 'older');
  expect(await client.speak.speak(request)).toEqual({
    ok: true,
    value: { kind: 'made', sizeBytes: wav.length, durationMs: 1000, requestId: 'req_1' },
  });
  expect((await readFile(request.target)).equals(wav)).toBe(true);
  expect(last().body.toString()).toBe('{"text":"Salom, dunyo","language":"uz","voice_id":"voice_1","speed":1}');
  expect(last().headers).toMatchObject({ 'idempotency-key': request.idempotencyKey });
});

test('still-processing: a 202 is pending, with or without a receipt', async () => {
  answer(202, { data: { generation_id: 'g1', status: 'queued' } });
  expect(await client.speak.speak(input('b.wav'))).toMatchObject({
    ok: true,
    value: { kind: 'pending', generationId: 'g1', status: 'queued' },
  });
  answer(202);
  expect(await client.speak.speak(input('b.wav'))).toMatchObject({
    ok: true,
    value: { kind: 'pending', generationId: null },
  });
});

const list = Buffer.from('LIST\u0005\0\0\0INFOx\0', 'latin1');
test.each([
  ['0', 0, Buffer.alloc(0)],
  ['as much as fits', 0xffff_ffff, Buffer.alloc(0)],
  ['as much as fits, behind another chunk', 0xffff_ffff, list],
])(
  'a WAV whose header was written before its length was known (%s) gets its true sizes',
  async (_name, open, chunk) => {
    const begun = Buffer.concat([wav.subarray(0, 36), chunk, wav.subarray(36)]);
    const dataAt = 36 + chunk.length + 4;
    begun.writeUInt32LE(open, 4);
    begun.writeUInt32LE(open, dataAt);
    answerBytes(begun);
    expect(await client.speak.speak(input('open.wav'))).toMatchObject({
      ok: true,
      value: { kind: 'made', sizeBytes: begun.length },
    });
    // Players and strict readers rely on the sizes in the file.
    const saved = await readFile(join(files.folder, 'open.wav'));
    expect([saved.readUInt32LE(4), saved.readUInt32LE(dataAt)]).toEqual([begun.length - 8, wav.length - 44]);
  },
);

test.each([
  ['no RIFF at the start', Buffer.alloc(5000, 1)],
  ['fewer bytes than it says', wav.subarray(0, 4000)],
  ['nothing', Buffer.alloc(0)],
])('a WAV with %s is reported as damaged, and an existing file stays', async (_name, bytes) => {
  answerBytes(bytes);
  const request = input('c.wav');
  await writeFile(request.target, 'older');
  expect(await client.speak.speak(request)).toMatchObject({
    ok: false,
    error: { kind: 'audio-damaged', retry: 'same_key' },
  });
  expect(await readFile(request.target, 'utf8')).toBe('older');
});

test('F-09: audio cut on its way is no speech and leaves no file', async () => {
  const cut = { kind: 'answer-truncated', outcome: 'unknown' };
  server.script = (_request, response, { socket }) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': String(wav.length) });
    response.write(wav.subarray(0, 9000), () => socket.resetAndDestroy());
  };
  expect(await client.speak.speak(input('d.wav'))).toMatchObject({ ok: false, error: cut });
  server.script = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'audio/wav' }).write(wav.subarray(0, 9000));
  expect(await client.speak.speak(input('d.wav'))).toMatchObject({ ok: false, error: { code: 'receive_stalled' } });
  expect(await readdir(files.folder)).not.toContain('d.wav');
});

test('JSON or HTML instead of audio is never stored as audio; a WAV is kept whatever type it has', async () => {
  answer(200, { ok: true });
  expect(await client.speak.speak(input('e.wav'))).toMatchObject({
    ok: false,
    error: { kind: 'answer-unreadable', outcome: 'accepted' },
  });
  answerBytes('<!doctype html>Sign in', { 'content-type': 'text/html' });
  expect(await client.speak.speak(input('e.wav'))).toMatchObject({ ok: false, error: { kind: 'web-page-answered' } });
  expect(await readdir(files.folder)).not.toContain('e.wav');
  for (const headers of [{ 'content-type': 'application/x-wav' }, { 'content-type': 'binary/octet-stream' }, {}]) {
    answerBytes(wav, headers);
    expect(await client.speak.speak(input('typed.wav'))).toMatchObject({ ok: true, value: { sizeBytes: wav.length } });
  }
});

test('an unwritable target is reported before anything is sent', async () => {
  const target = join(files.folder, 'no-such-folder', 'x.wav');
  const sent = await countOf(async () =>
    expect(await client.speak.speak({ ...input('x'), target })).toMatchObject({
      ok: false,
      error: { kind: 'disk-space-short', outcome: 'not_sent' },
    }),
  );
  expect(sent).toBe(0);
});

test('the history is read and its entries hidden, and its signed address prints nothing', async () => {
  const generation = {
    id: 'g1',
    text: 'Salom',
    credits_used: 0.0000001,
    duration: 1.5,
    audio_url: 'https://files.example/a.wav?sig=CANARY',
    created_at: '2026-11-01T10:00:00Z',
  };
  answer(200, { data: { generation }, request_id: 'r' });
  const one = await client.speak.read('g1');
  expect(one).toMatchObject({ ok: true, value: { id: 'g1', durationMs: 1500, credits: '0.0000001' } });
  expect(JSON.stringify(one)).not.toContain('CANARY');
  expect(one.ok && String(one.value.audio)).toBe('[signed address]');
  answer(200, { generations: [generation, { text: 'no id' }], next_cursor: 'c2' });
  expect(await client.speak.list({ limit: 1000, cursor: 'c1' })).toMatchObject({
    ok: true,
    value: { items: [{ id: 'g1' }], nextCursor: 'c2' },
  });
  expect(last().url).toBe('/v1/tts/generations?limit=100&cursor=c1');
  refuse(404, 'not_found');
  expect(await client.speak.remove('g1')).toEqual({ ok: true, value: null });
});
