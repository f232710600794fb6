import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import { monoWav } from '../../electron/audio/encode/wav.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { asPerson, call, callJson, codeOf, type Reply, type Server } from './practice-client.ts';

const path = '/v1/voice-isolations';
const speech = fileURLToPath(new URL('../fixtures/audio/two-sentences.s16.wav', import.meta.url));
const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url)));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-isolation-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The whole of one channel, from the bytes of any file. */
async function samplesOf(bytes: Buffer): Promise<{ samples: Float32Array; sampleRate: number }> {
  const file = join(folder, randomUUID());
  await writeFile(file, bytes);
  const { open } = await import('node:fs/promises');
  const handle = await open(file);
  const parts: Float32Array[] = [];
  let sampleRate = 0;
  for await (const block of (await openAudio(handle, file)).blocks) {
    parts.push((block.channels[0] ?? new Float32Array()).slice());
    sampleRate = block.sampleRate;
  }
  await handle.close();
  return { samples: Float32Array.from(parts.flatMap((part) => [...part])), sampleRate };
}

const levelDb = (samples: Float32Array, rate: number, fromS: number, toS: number): number => {
  const part = samples.subarray(fromS * rate, toS * rate);
  return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 1e-12) / part.length);
};

/** Repeatable noise at an even level. */
function addNoise(samples: Float32Array, loudness: number): Float32Array {
  let state = 12_345;
  return samples.map((value) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return value + (state / 2_147_483_648 - 1) * loudness;
  });
}

/** Two seconds of anything, to save work where only the process counts. */
const short = monoWav(addNoise(new Float32Array(32_000), 0.1), 16_000);

interface Sent {
  readonly key?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: readonly Buffer[];
  readonly to?: string;
}
function send(server: Server, { key = randomUUID(), fields = {}, files, to = path }: Sent = {}): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files ?? [short]) form.append('audio', new Blob([new Uint8Array(file)]), 'interview.mp3');
  return call(server, 'POST', to, { headers: { 'idempotency-key': key }, body: form });
}

async function untilDone(server: Server, id: unknown): Promise<Reply> {
  let last: Reply | null = null;
  await expect
    .poll(
      async () => {
        last = await call(server, 'GET', `${path}/${String(id)}`);
        return last.body['audio_status'];
      },
      { timeout: 20_000 },
    )
    .toMatch(/completed|failed/);
  return last as unknown as Reply;
}

async function serverWith(options: PracticeOptions = {}): Promise<PracticeServer> {
  const server = await startPracticeServer({ pace: { queuedMs: 0, processingMs: 0 }, ...options });
  onTestFinished(() => server.close());
  return server;
}
const download = async (address: unknown): Promise<Buffer> =>
  Buffer.from(await (await fetch(String(address))).arrayBuffer());

describe('voice isolation', () => {
  it('really removes the noise, keeps the speech, and exports without loss', async () => {
    const server = await serverWith();
    const clean = await samplesOf(readFileSync(speech));
    const noisy = monoWav(addNoise(clean.samples, 0.05), clean.sampleRate);
    const sent = await send(server, { files: [noisy], fields: { title: 'Bozorda' } });
    expect(sent.status, sent.text).toBe(202);
    expect(sent.body).toMatchObject({ status: 'queued', title: 'Bozorda', audio_url: null, credits: 8 });
    const id = sent.body['id'];
    const done = await untilDone(server, id);
    expect(done.body).toMatchObject({ status: 'completed', duration_ms: 8000 });
    const wav = await download(done.body['audio_url']);
    const result = await samplesOf(wav);
    const before = await samplesOf(noisy);
    expect(Math.abs(result.samples.length / result.sampleRate - 8)).toBeLessThan(0.001);
    // The pause between the sentences, and the first sentence.
    const quiet = [before, result].map(({ samples, sampleRate }) => levelDb(samples, sampleRate, 3.8, 4.8));
    expect((quiet[0] ?? 0) - (quiet[1] ?? 0)).toBeGreaterThan(15);
    const loud = [clean, result].map(({ samples, sampleRate }) => levelDb(samples, sampleRate, 1, 3.2));
    expect(Math.abs((loud[0] ?? 0) - (loud[1] ?? 0))).toBeLessThan(4);

    const exports = `${path}/${String(id)}/exports`;
    expect((await call(server, 'GET', `${exports}/flac`)).status).toBe(404);
    expect((await callJson(server, 'POST', exports, { format: 'flac' })).status).toBe(202);
    await expect
      .poll(async () => (await call(server, 'GET', `${exports}/flac`)).body['status'], { timeout: 20_000 })
      .toBe('completed');
    const flac = await download((await call(server, 'GET', `${exports}/flac`)).body['download_url']);
    expect(flac.subarray(0, 4).toString()).toBe('fLaC');
    expect(flac.length).toBeLessThan(wav.length * 0.7);
    // libFLAC's full scale is one below ours.
    const decoded = Int16Array.from((await samplesOf(flac)).samples, (value) => Math.round(value * 32_767));
    const pcm = Buffer.from(decoded.buffer);
    expect(pcm.equals(wav.subarray(44, 44 + pcm.length))).toBe(true);
    // This decoder takes a last block of mere silence, a few bytes long, for no block.
    expect(wav.subarray(44 + pcm.length).every((byte) => byte === 0)).toBe(true);
    expect(wav.length - 44 - pcm.length).toBeLessThan(4096 * 2);

    const [original, asWav] = [
      await callJson(server, 'POST', exports, { format: 'original' }),
      await callJson(server, 'POST', exports, { format: 'wav' }),
    ];
    expect((await download(original?.body['download_url'])).equals(noisy)).toBe(true);
    expect((await download(asWav?.body['download_url'])).equals(wav)).toBe(true);
    // Lossy, so the audio is compared by ear: as long, as loud during speech, as silent elsewhere.
    for (const [format, head] of [
      ['mp3', /^(?:ID3|\xff[\xe2-\xff])/],
      ['ogg', /^OggS/],
    ] as const) {
      expect((await callJson(server, 'POST', exports, { format })).status).toBe(202);
      await expect
        .poll(async () => (await call(server, 'GET', `${exports}/${format}`)).body['status'], { timeout: 20_000 })
        .toBe('completed');
      const encoded = await download((await call(server, 'GET', `${exports}/${format}`)).body['download_url']);
      expect(encoded.toString('latin1', 0, 4)).toMatch(head);
      expect(encoded.length).toBeLessThan(wav.length / 5);
      const heard = await samplesOf(encoded);
      expect(Math.abs(heard.samples.length / heard.sampleRate - 8)).toBeLessThan(0.1);
      for (const [from, to] of [
        [1, 3.2],
        [3.8, 4.8],
      ] as const) {
        const [ours, theirs] = [result, heard].map(({ samples, sampleRate }) => levelDb(samples, sampleRate, from, to));
        expect(Math.abs((ours ?? 0) - (theirs ?? 0))).toBeLessThan(from === 1 ? 1 : 6);
      }
    }
    expect((await callJson(server, 'POST', exports, { format: 'aiff' })).status).toBe(400);
    const { body } = await call(asPerson(server), 'GET', '/api/v1/account/analytics');
    expect(body['summary']).toMatchObject({ total_credits: 8 });
    expect(body['product_usage']).toMatchObject([{ product: 'voice_enhancer' }]);
  });

  it('restores speech on request: soft speech is louder than without', async () => {
    const server = await serverWith();
    const { samples, sampleRate } = await samplesOf(readFileSync(speech));
    const soft = monoWav(
      samples.map((value) => value * 0.1),
      sampleRate,
    );
    const levelAfter = async (fields: Readonly<Record<string, string>>): Promise<number> => {
      const { body } = await untilDone(server, (await send(server, { files: [soft], fields })).body['id']);
      expect(body['restoration_model']).toBe(
        fields['speech_restoration'] === 'true' ? 'practice-leveller-1' : undefined,
      );
      const heard = await samplesOf(await download(body['audio_url']));
      return levelDb(heard.samples, heard.sampleRate, 1, 3.2);
    };
    const plain = await levelAfter({});
    const fields = { speech_restoration: 'true', restoration_model: 'practice-leveller-1' };
    expect((await levelAfter(fields)) - plain).toBeGreaterThan(6);
  });

  it('keeps both channels separate', async () => {
    const server = await serverWith();
    const sent = await send(server, { files: [fixture('clicks-stereo.m4a')] });
    const done = await untilDone(server, sent.body['id']);
    const wav = await download(done.body['audio_url']);
    expect(wav.readUInt16LE(22)).toBe(2);
  });

  it('reserves credits at acceptance, and releases them when the work fails', async () => {
    const plan = parseFaultPlan({
      rules: [{ route: 'isolation-queue', nth: 1, fault: 'fail-processing', code: 'model_unavailable' }],
    });
    if (!plan.ok) throw new Error(plan.error);
    const server = await serverWith({ credits: 3, faultPlan: plan.value });
    const key = randomUUID();
    const first = await send(server, { key });
    const broke = await send(server);
    expect([broke.status, codeOf(broke)]).toEqual([402, 'insufficient_credits']);
    const again = await send(server, { key });
    expect([again.status, again.body['id']]).toEqual([202, first.body['id']]);
    const other = await send(server, { key, fields: { title: 'Other' } });
    expect([other.status, codeOf(other)]).toEqual([409, 'idempotency_conflict']);
    const failed = await untilDone(server, first.body['id']);
    expect(failed.body).toMatchObject({ status: 'failed', error_code: 'model_unavailable', audio_url: null });
    const second = await send(server);
    expect((await untilDone(server, second.body['id'])).body['status']).toBe('completed');
    expect(readLedger(server.stateDir)).toHaveLength(2);
  });

  it('a batch is all or nothing', async () => {
    const server = await serverWith({ credits: 5 });
    const batch = (files: readonly Buffer[], key: string = randomUUID()): Promise<Reply> =>
      send(server, { files, key, to: `${path}/batch` });
    const invalid = await batch([short, Buffer.from('no sound '.repeat(900))]);
    expect([invalid.status, codeOf(invalid)]).toEqual([415, 'unsupported_media_type']);
    const expensive = await batch([short, short, short]);
    expect([expensive.status, codeOf(expensive)]).toEqual([402, 'insufficient_credits']);
    expect((await call(server, 'GET', path)).body['data']).toEqual([]);
    expect(readLedger(server.stateDir)).toEqual([]);
    expect(await readdir(join(server.stateDir, 'objects'))).toEqual([]);
    expect(await readdir(join(server.stateDir, 'uploads'))).toEqual([]);
    const key = randomUUID();
    const accepted = await batch([short, short], key);
    const ids = (accepted.body['jobs'] as { id: string }[]).map(({ id }) => id);
    expect([accepted.status, ids.length]).toEqual([202, 2]);
    expect(((await batch([short, short], key)).body['jobs'] as { id: string }[]).map(({ id }) => id)).toEqual(ids);
    for (const id of ids) expect((await untilDone(server, id)).body['status']).toBe('completed');
  });

  it('hides a job without stopping it, and pages through the others', async () => {
    const server = await serverWith({ pace: { queuedMs: 60_000, processingMs: 0 } });
    const sent = [await send(server), await send(server), await send(server)].map(({ body }) => String(body['id']));
    expect((await call(server, 'DELETE', `${path}/${sent[0]}`)).status).toBe(204);
    expect((await call(server, 'DELETE', `${path}/${sent[0]}`)).status).toBe(404);
    const first = await call(server, 'GET', `${path}?limit=1`);
    const second = await call(server, 'GET', `${path}?limit=1&cursor=${String(first.body['next_cursor'])}`);
    expect([first, second].map(({ body }) => (body['data'] as { id: string }[])[0]?.id)).toEqual([sent[2], sent[1]]);
    expect(second.body['next_cursor']).toBeNull();
    for (const query of ['limit=51', 'limit=0'])
      expect(codeOf(await call(server, 'GET', `${path}?${query}`))).toBe('invalid_pagination');
    const early = await callJson(server, 'POST', `${path}/${sent[1]}/exports`, { format: 'wav' });
    expect([early.status, codeOf(early)]).toEqual([409, 'isolation_not_completed']);
  });

  it('continues accepted work after a restart', async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'practice-isolation-'));
    onTestFinished(() => rm(stateDir, { recursive: true }));
    const first = await startPracticeServer({ stateDir, pace: { queuedMs: 60_000, processingMs: 0 } });
    const { body } = await send(first);
    await first.close();
    const second = await serverWith({ stateDir });
    expect((await untilDone(second, body['id'])).body['status']).toBe('completed');
  });
});

describe('rejected requests', () => {
  let server: PracticeServer;
  beforeAll(async () => {
    server = await startPracticeServer({ limits: { maxBodyBytes: 1024 * 1024 } });
  });
  afterAll(() => server.close());

  it.each<readonly [string, Sent, number, string]>([
    ['a key that is none', { key: 'one' }, 400, 'invalid_idempotency_key'],
    ['an unknown field', { fields: { loudness: '1' } }, 400, 'validation_error'],
    ['an odd request', { fields: { speech_restoration: 'yes' } }, 400, 'validation_error'],
    ['a restoration model', { fields: { restoration_model: 'best' } }, 400, 'validation_error'],
    ['two recordings at once', { files: [Buffer.from('a'), Buffer.from('b')] }, 400, 'validation_error'],
    ['an empty recording', { files: [Buffer.alloc(0)] }, 400, 'validation_error'],
    ['no recording', { files: [] }, 400, 'validation_error'],
    ['too large a recording', { files: [Buffer.alloc(1024 * 1024 + 1)] }, 413, 'audio_too_large'],
    ['a film without sound', { files: [fixture('only-picture.webm')] }, 422, 'no_audio'],
  ])('%s', async (_name, sent, status, code) => {
    const reply = await send(server, sent);
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(readLedger(server.stateDir)).toEqual([]);
    expect(await readdir(join(server.stateDir, 'uploads'))).toEqual([]);
  });
});
