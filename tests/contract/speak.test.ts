import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overrideWire } from '../../shared/wire/wire-table.ts';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
import { recordingFolder } from './client-rig.ts';
import { openService } from './service-rig.ts';

let server: ScriptedServer;
let files: Awaited<ReturnType<typeof recordingFolder>>;
let client: ReturnType<typeof openService>;
const wav = toneWav(440, 1);

beforeAll(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  files = await recordingFolder();
  client = openService(server.url, { limits: { receiveStallMs: 400 } });
});
afterAll(async () => {
  await client.close();
  await Promise.all([server.close(), files.dispose()]);
});

const input = (name: string) => ({
  text: 'Salom, dunyo',
  language: 'uz',
  voiceId: 'voice_1',
  speed: 1,
  idempotencyKey: randomUUID(),
  target: join(files.folder, name),
});
const partsLeft = async (): Promise<readonly string[]> =>
  (await readdir(files.folder)).filter((name) => name.endsWith('.part'));

test('speech is a whole WAV at its target, requested with the exact body and key', async () => {
  server.script = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'audio/wav', 'x-request-id': 'req_1' }).end(wav);
  const request = input('a.wav');
  await writeFile(request.target, 'older');
  expect(await client.speak.speak(request)).toEqual({
    ok: true,
    value: { kind: 'made', sizeBytes: wav.length, durationMs: 1000, requestId: 'req_1' },
  });
  expect((await readFile(request.target)).equals(wav)).toBe(true);
  const seen = server.seen.at(-1);
  expect(seen?.body.toString()).toBe('{"text":"Salom, dunyo","language":"uz","voice_id":"voice_1","speed":1}');
  expect(seen?.headers).toMatchObject({ 'idempotency-key': request.idempotencyKey });
  expect(await partsLeft()).toEqual([]);
});

test('E-023: a 202 is pending, with or without a receipt', async () => {
  server.script = (_request, response) => sendJson(response, 202, { data: { generation_id: 'g1', status: 'queued' } });
  expect(await client.speak.speak(input('b.wav'))).toMatchObject({
    ok: true,
    value: { kind: 'pending', generationId: 'g1', status: 'queued' },
  });
  server.script = (_request, response) => void response.writeHead(202).end();
  expect(await client.speak.speak(input('b.wav'))).toMatchObject({
    ok: true,
    value: { kind: 'pending', generationId: null },
  });
});

test.each([0, 0xffff_ffff])(
  'a WAV whose header was written before its length was known (%i) is as long as the data received',
  async (open) => {
    const begun = Buffer.from(wav);
    begun.writeUInt32LE(open, 4);
    begun.writeUInt32LE(open, 40);
    server.script = (_request, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(begun);
    expect(await client.speak.speak(input('open.wav'))).toMatchObject({
      ok: true,
      value: { kind: 'made', sizeBytes: wav.length, durationMs: 1000 },
    });
    // Players and strict readers rely on the sizes in the file.
    expect((await readFile(join(files.folder, 'open.wav'))).equals(wav)).toBe(true);
  },
);

test('true sizes are found behind other chunks too', async () => {
  const list = Buffer.from('LIST\u0005\0\0\0INFOx\0', 'latin1');
  const begun = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)]);
  begun.writeUInt32LE(0xffff_ffff, 4);
  begun.writeUInt32LE(0xffff_ffff, 36 + list.length + 4);
  server.script = (_request, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(begun);
  expect(await client.speak.speak(input('list.wav'))).toMatchObject({ ok: true });
  const saved = await readFile(join(files.folder, 'list.wav'));
  expect([saved.readUInt32LE(4), saved.readUInt32LE(36 + list.length + 4)]).toEqual([
    begun.length - 8,
    wav.length - 44,
  ]);
});

test.each([
  ['no RIFF at the start', Buffer.alloc(5000, 1), 'E-025'],
  ['fewer bytes than it says', wav.subarray(0, 4000), 'E-025'],
  ['nothing', Buffer.alloc(0), 'E-025'],
])('a WAV with %s is reported as damaged, and an existing file stays', async (_name, bytes, row) => {
  server.script = (_request, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(bytes);
  const request = input('c.wav');
  await writeFile(request.target, 'older');
  expect(await client.speak.speak(request)).toMatchObject({ ok: false, error: { row, retry: 'same_key' } });
  expect(await readFile(request.target, 'utf8')).toBe('older');
  expect(await partsLeft()).toEqual([]);
});

test('F-09: audio cut on its way is no speech and leaves no file', async () => {
  server.script = (_request, response, { socket }) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': String(wav.length) });
    response.write(wav.subarray(0, 9000), () => socket.resetAndDestroy());
  };
  expect(await client.speak.speak(input('d.wav'))).toMatchObject({
    ok: false,
    error: { row: 'E-015', outcome: 'unknown' },
  });
  server.script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' });
    response.write(wav.subarray(0, 9000));
  };
  expect(await client.speak.speak(input('d.wav'))).toMatchObject({ ok: false, error: { code: 'receive_stalled' } });
  expect(await readdir(files.folder)).not.toContain('d.wav');
  expect(await partsLeft()).toEqual([]);
});

test('JSON or HTML instead of audio is never stored as audio', async () => {
  server.script = (_request, response) => sendJson(response, 200, { ok: true });
  expect(await client.speak.speak(input('e.wav'))).toMatchObject({
    ok: false,
    error: { row: 'E-024', outcome: 'accepted' },
  });
  server.script = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Sign in');
  expect(await client.speak.speak(input('e.wav'))).toMatchObject({ ok: false, error: { row: 'E-009' } });
  expect(await readdir(files.folder)).not.toContain('e.wav');
});

test.each(['application/x-wav', 'binary/octet-stream', ''])('a WAV is kept whatever type it has (%s)', async (type) => {
  server.script = (_request, response) =>
    void response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(wav);
  expect(await client.speak.speak(input('typed.wav'))).toMatchObject({ ok: true, value: { sizeBytes: wav.length } });
});

test('an unwritable target is reported before anything is sent', async () => {
  const before = server.seen.length;
  const request = { ...input('x'), target: join(files.folder, 'no-such-folder', 'x.wav') };
  expect(await client.speak.speak(request)).toMatchObject({ ok: false, error: { row: 'E-175', outcome: 'not_sent' } });
  expect(server.seen.length).toBe(before);
});

test.each([
  [{ languages: ['uz', { code: 'ru', name: 'Russian' }], model: 'm1' }, ['uz', 'ru']],
  [{ data: [{ language: 'en' }, 7, {}], request_id: 'r' }, ['en']],
  [{ data: { items: [{ id: 'uz' }] } }, ['uz']],
])('languages are read from %j', async (body, codes) => {
  server.script = (_request, response) => sendJson(response, 200, body);
  const catalog = await client.speak.catalog();
  expect(catalog.ok && catalog.value.languages.map(({ code }) => code)).toEqual(codes);
});

test('voices are requested by language and kind; invalid ones among them are left out', async () => {
  server.script = (_request, response) =>
    sendJson(response, 200, {
      voices: [
        { voice_id: 'voice_1', name: 'Nilufar', language: 'uz', labels: { gender: 'female' }, can_manage: true },
        { id: 'voice_2', languages: [{ code: 'ru' }, 'en'] },
        { name: 'nobody' },
        null,
      ],
      next_cursor: null,
    });
  const voices = await client.speak.voices({ language: 'uz', kind: 'custom' });
  expect(voices).toMatchObject({
    ok: true,
    value: {
      items: [
        { voiceId: 'voice_1', name: 'Nilufar', languages: ['uz'], gender: 'female', canManage: true },
        { voiceId: 'voice_2', languages: ['en'], canManage: false },
      ],
      nextCursor: null,
    },
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/voices?language=uz&kind=custom');
  server.script = (_request, response) => sendJson(response, 200, 7);
  expect(await client.speak.voices({})).toMatchObject({ ok: false, error: { row: 'E-024', outcome: 'unknown' } });
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
  server.script = (_request, response) => sendJson(response, 200, { data: { generation }, request_id: 'r' });
  const one = await client.speak.read('g1');
  expect(one).toMatchObject({ ok: true, value: { id: 'g1', durationMs: 1500, credits: '0.0000001' } });
  expect(JSON.stringify(one)).not.toContain('CANARY');
  expect(one.ok && String(one.value.audio)).toBe('[signed address]');
  server.script = (_request, response) =>
    sendJson(response, 200, { generations: [generation, { text: 'no id' }], next_cursor: 'c2' });
  expect(await client.speak.list({ limit: 1000, cursor: 'c1' })).toMatchObject({
    ok: true,
    value: { items: [{ id: 'g1' }], nextCursor: 'c2' },
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/tts/generations?limit=100&cursor=c1');
  server.script = (_request, response) => sendJson(response, 404, { message: '', error: { code: 'not_found' } });
  expect(await client.speak.remove('g1')).toEqual({ ok: true, value: null });
});

test('names corrected by the settings are read as if they were documented', async () => {
  const wire = overrideWire({ aliases: { stimmen: 'voices', kennung: 'voice_id' } });
  if (!wire.ok) throw new Error('a valid correction');
  const corrected = openService(server.url, { wire: wire.value });
  server.script = (_request, response) => sendJson(response, 200, { stimmen: [{ kennung: 'voice_9' }] });
  expect(await corrected.speak.voices({})).toMatchObject({ ok: true, value: { items: [{ voiceId: 'voice_9' }] } });
  await corrected.close();
});
