import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readLegacyFacts } from '../../electron/api/legacy/resources.ts';
import { createDownloader } from '../../electron/api/http/download-signed.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { liveClient, practice, type LiveRig } from './live-rig.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url));
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));

async function source(path: string, name = 'suhbat.mp3') {
  const { size, mtimeMs } = await stat(path);
  return { path, name, sizeBytes: size, mtimeMs };
}

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer();
});
afterAll(() => server.close());

/** Downloads reported audio by the guarded download, which sends no key. */
async function fetchSound({ legacy }: LiveRig, audioPath: string | null): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-legacy-'));
  const downloader = createDownloader({
    log: { write: () => undefined },
    practicePort: () => Number(new URL(server.url).port),
  });
  const target = join(folder, 'a.wav');
  const done = await downloader.download({ freshUrl: async () => legacy.audioAddress(audioPath ?? ''), target });
  await downloader.close();
  expect(done).toMatchObject({ ok: true });
  const bytes = await readFile(target);
  await rm(folder, { recursive: true });
  return bytes;
}

test('speaks at once, and the audio is fetched from the service’s own address', async () => {
  const client = liveClient(server);
  const { legacy } = client;
  const spoken = await legacy.speak({ transcript: 'Salom, dunyo!', language: 'uz', mood: 'Happy', speed: 1.5 });
  if (!spoken.ok) throw new Error(spoken.error.code);
  const wav = await fetchSound(client, spoken.value.audioPath);
  expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24)]).toEqual(['RIFF', 16_000]);
  for (const away of ['https://evil.example/a.wav', '//evil.example/a.wav', 'http://u:p@127.0.0.1/a.wav'])
    expect(legacy.audioAddress(away)).toMatchObject({ ok: false, error: { row: 'E-174' } });
  const list = await legacy.speeches({ page: 1, limit: 10 });
  expect(list).toMatchObject({ ok: true, value: { items: [{ transcript: 'Salom, dunyo!' }], total: 1 } });
});

test('with a callback address it is a task: pending, polled, done, and the audio is ready', async () => {
  const client = liveClient(server);
  const { legacy } = client;
  const task = await legacy.speak({
    transcript: 'Birozdan keyin',
    language: 'uz',
    notifyUrl: 'https://hooks.example.uz/done',
  });
  if (!task.ok || task.value.id === null) throw new Error('no task');
  const { id } = task.value;
  expect(task.value.status).toEqual({ known: true, state: 'PENDING' });
  const state = async () => {
    const told = await legacy.speechStatus(id);
    return told.ok ? told.value : null;
  };
  await expect.poll(async () => (await state())?.status).toEqual({ known: true, state: 'SUCCESS' });
  const done = await state();
  expect(done?.characters).toBe(14);
  expect((await fetchSound(client, done?.audioPath ?? null)).toString('latin1', 0, 4)).toBe('RIFF');
  expect(await legacy.speechStatus('999999')).toMatchObject({
    ok: false,
    error: { code: 'legacy.not_found', status: 404 },
  });
});

test.each([
  [{ transcript: ' ' }, 400, 'invalid_transcript'],
  [{ transcript: 'a'.repeat(1001) }, 400, 'invalid_transcript'],
  [{ model: 'another' }, 400, 'invalid_model'],
  [{ speed: 3 }, 400, 'invalid_speed'],
  [{ voiceId: 7 }, 403, 'voice_not_found'],
  [{ notifyUrl: 'http://127.0.0.1/' }, 400, 'invalid_notification_url'],
])('%j is refused with %i %s, and costs nothing', async (more, status, key) => {
  const before = readLedger(server.stateDir).length;
  const { legacy } = liveClient(server);
  const told = await legacy.speak({ transcript: 'Salom', language: 'uz', ...more });
  expect(told).toMatchObject({ ok: false, error: { status, code: `legacy.${key}`, envelope: 'legacy' } });
  expect(readLedger(server.stateDir)).toHaveLength(before);
});

test('short recordings are answered at once, with times if requested', async () => {
  const { legacy } = liveClient(server);
  const request = { source: await source(fixture('two-sentences.mp3')), language: 'ru', title: 'Suhbat' } as const;
  const told = await legacy.transcribe(request);
  expect(told).toMatchObject({ ok: true, value: { title: 'Suhbat', transcript: expect.stringContaining('речь') } });
  expect(told.ok && told.value.durationMs).toBeGreaterThan(7900);
  const list = await legacy.transcriptions({ page: 1, limit: 10 });
  expect(list).toMatchObject({ ok: true, value: { total: 1, items: [{ language: 'ru' }] } });
  expect(await legacy.transcribe({ ...request, tellsSpeakersApart: true })).toMatchObject({
    ok: false,
    error: { code: 'legacy.diarization_too_short' },
  });
  expect(await legacy.transcribe({ ...request, source: await source(fixture('two-sentences.flac')) })).toMatchObject({
    ok: false,
    error: { code: 'legacy.invalid_format' },
  });
  expect(await legacy.transcribe({ ...request, source: await source(sample) })).toMatchObject({
    ok: false,
    error: { status: 403, code: 'legacy.duration_limit' },
  });
});

test('long recordings are tasks that are polled until their transcript is ready', async () => {
  const { legacy } = liveClient(server);
  const task = await legacy.transcribeLong({
    source: await source(sample),
    language: 'uz',
    tellsSpeakersApart: true,
    summarizes: true,
    isMeeting: true,
  });
  if (!task.ok || task.value.remoteId === null) throw new Error('no task');
  const id = task.value.remoteId;
  expect(task.value.status).toBe('queued');
  const read = async () => {
    const told = await legacy.longTranscription(id);
    return told.ok ? told.value : null;
  };
  await expect.poll(async () => (await read())?.status, { timeout: 10_000 }).toBe('completed');
  const done = await read();
  expect(done?.transcript?.text.length).toBeGreaterThan(200);
  expect(readLegacyFacts(done?.raw ?? '').summary?.length).toBeGreaterThan(10);
  expect(await legacy.longTranscriptions({ page: 1, limit: 5 })).toMatchObject({ ok: true, value: { total: 1 } });
  expect(await legacy.longTranscription('424242')).toMatchObject({ ok: false, error: { status: 404 } });
});

test.each([
  ['uz', /eski kalit/],
  ['ru', /старый ключ/],
  ['en', /legacy key/],
] as const)('Accept-Language %s: a refusal is in the requested language', async (language, words) => {
  const response = await fetch(`${server.url}/api/v1/tts/get/`, {
    headers: { 'accept-language': `${language}, en;q=0.5` },
  });
  const body = (await response.json()) as Record<string, unknown>;
  expect([response.status, body['error_key']]).toEqual([401, 'invalid_key']);
  expect(body['detail']).toMatch(words);
});

test('neither key works for the other generation, and too many requests have to wait', async () => {
  const get = (path: string, headers: Record<string, string>): Promise<number> =>
    fetch(`${server.url}${path}`, { headers }).then(({ status }) => status);
  expect(
    await Promise.all([
      get('/api/v1/tts/get/', { 'x-api-key': server.token }),
      get('/api/v1/tts/get/', { authorization: `Bearer ${server.legacyToken}` }),
      get('/v1/voices', { authorization: `Bearer ${server.legacyToken}` }),
      get('/api/v1/tts/get/', { 'x-api-key': server.legacyToken }),
      get('/api/v3/unknown/', { 'x-api-key': server.legacyToken }),
    ]),
  ).toEqual([401, 401, 401, 200, 404]);
  const busy = await practice([], { limits: { requestsPerSecond: 1 } });
  const asks = await Promise.all(
    [1, 2, 3].map(() => fetch(`${busy.url}/api/v1/tts/get/`, { headers: { 'x-api-key': busy.legacyToken } })),
  );
  expect(asks.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429, 429]);
});

test('402 and 503: without balance, or without the program that speaks, nothing is spoken', async () => {
  const poor = await practice([], { credits: 3 });
  const told = await liveClient(poor).legacy.speak({ transcript: 'Salom', language: 'uz' });
  expect(told).toMatchObject({ ok: false, error: { status: 402, code: 'legacy.insufficient_balance' } });
  const mute = await practice([], { speechProgram: null });
  expect(await liveClient(mute).legacy.speak({ transcript: 'Salom', language: 'uz' })).toMatchObject({
    ok: false,
    error: { status: 503, code: 'legacy.unavailable' },
  });
});

test('E-013: after a lost answer the legacy creation is not repeated automatically', async () => {
  const lossy = await practice([{ route: '/api/v1/tts/post/', method: 'POST', fault: 'drop-answer-after-acceptance' }]);
  const client = liveClient(lossy);
  onTestFinished(() => client.close());
  expect(await client.legacy.speak({ transcript: 'Salom', language: 'uz' })).toMatchObject({
    ok: false,
    error: { row: 'E-013', outcome: 'unknown', retry: 'look_first' },
  });
  expect(readLedger(lossy.stateDir)).toHaveLength(1);
  expect(await client.legacy.speeches({ page: 1, limit: 10 })).toMatchObject({ ok: true, value: { total: 1 } });
});
