import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { analyse } from '../../electron/practice/analysis/analyse.ts';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import { findSpeechProgram } from '../../electron/practice/speech/speech-program.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { asPerson, call, callJson, codeOf, type Reply, type Server } from './practice-client.ts';

const program = await findSpeechProgram(process.env['PATH'] ?? '');
const texts = {
  uz: 'Assalomu alaykum! Bugun oʻqituvchi bilan gaplashamiz.',
  ru: 'Здравствуйте! Сегодня мы говорим с учителем.',
  en: 'Good morning! Today we talk with the teacher.',
};

interface Speech {
  readonly reply: Reply;
  readonly sound: Buffer;
}
async function speak(server: Server, body: unknown, key: string = randomUUID()): Promise<Speech> {
  const response = await fetch(`${server.url}/v1/tts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  const audio = Buffer.from(await response.arrayBuffer());
  const text = audio.toString('utf8');
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const reply = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  return { reply, sound: audio };
}
const hello = { text: texts.en, language: 'en', voice_id: 'voice_practice_en_alice' };
const waiting = (text: string): string => `${text}\n`.repeat(90);

async function serverWith(options: PracticeOptions): Promise<PracticeServer> {
  const server = await startPracticeServer(options);
  onTestFinished(() => server.close());
  return server;
}

describe('without espeak-ng', () => {
  it('says clearly what is missing, charges nothing, and still lists languages and voices', async () => {
    const server = await serverWith({ speechProgram: null });
    const { reply } = await speak(server, hello);
    expect([reply.status, codeOf(reply)]).toEqual([503, 'service_unavailable']);
    expect(reply.body['message']).toContain('espeak-ng');
    expect(readLedger(server.stateDir)).toEqual([]);
    const { body } = await call(server, 'GET', '/v1/tts/languages');
    expect(body['languages']).toMatchObject([{ available: false }, { available: false }, { available: false }]);
    expect((await call(server, 'GET', '/v1/voices')).status).toBe(200);
  });

  it('plays the texts of the samples with their own audio, as one generation like any other', async () => {
    const server = await serverWith({ speechProgram: null });
    const order = { text: 'Oʻshandan beri oʻttiz yil oʻtdi.', language: 'uz', voice_id: 'voice_practice_uz_anvar' };
    const { sound: audio } = await speak(server, order);
    // From 15.5 to 17.5 s of the recording, with a small margin.
    expect(audio.length / 2 / 24_000).toBeCloseTo(2.1, 1);
    const wav = join(await mkdtemp(join(tmpdir(), 'practice-speech-')), 'said.wav');
    onTestFinished(() => rm(join(wav, '..'), { recursive: true }));
    await writeFile(wav, audio);
    expect(await analyse(wav)).toMatchObject({ kind: 'measured' });
    expect((await speak(server, { ...order, text: 'Oʻshandan beri qirq yil oʻtdi.' })).reply.status).toBe(503);
    expect(readLedger(server.stateDir)).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')(
    'a failing synthesizer costs nothing, and its key can be used again',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'practice-speech-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const broken = join(folder, 'espeak-ng');
      await writeFile(broken, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
      const server = await serverWith({ speechProgram: broken, credits: 100 });
      const key = randomUUID();
      for (let round = 0; round < 3; round += 1) {
        const { reply } = await speak(server, hello, key);
        expect([reply.status, codeOf(reply)]).toEqual([503, 'service_unavailable']);
      }
      const list = await call(server, 'GET', '/v1/tts/generations');
      expect((list.body['data'] as unknown[]).length).toBe(3);
      expect(list.text).not.toContain('completed');
    },
  );
});

describe('the catalogue', () => {
  let server: PracticeServer;
  beforeAll(async () => {
    server = await startPracticeServer();
  });
  afterAll(() => server.close());

  it('has voices for each language, and none of the user yet', async () => {
    for (const language of ['uz', 'ru', 'en']) {
      const { body } = await call(server, 'GET', `/v1/voices?language=${language}`);
      const voices = body['voices'] as { voice_id: string; language: string; can_manage: boolean }[];
      expect(voices.length).toBeGreaterThan(1);
      for (const voice of voices) expect(voice).toMatchObject({ language, can_manage: false });
      expect(voices.every(({ voice_id }) => voice_id.startsWith('voice_'))).toBe(true);
    }
    expect((await call(server, 'GET', '/v1/voices?kind=custom')).body['voices']).toEqual([]);
    for (const query of ['language=de', 'kind=loud'])
      expect((await call(server, 'GET', `/v1/voices?${query}`)).status).toBe(400);
  });

  it.each<readonly [string, Record<string, unknown>, string]>([
    ['no text', { text: ' \n' }, 'text'],
    ['5001 characters', { text: 'я'.repeat(5001) }, 'text'],
    ['an unknown language', { language: 'de' }, 'language'],
    ['an unknown voice', { voice_id: 'voice_x' }, 'voice_id'],
    ['a voice of another language', { voice_id: 'voice_practice_ru_vera' }, 'voice_id'],
    ['too slow a pace', { speed: 0.49 }, 'speed'],
    ['too fast a pace', { speed: 2.01 }, 'speed'],
    ['an unknown field', { pitch: 2 }, 'body'],
  ])('does not speak %s', async (_name, change, field) => {
    const { reply } = await speak(server, { ...hello, ...change });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
    expect(reply.body['error']).toHaveProperty(`fields.${field}`);
  });

  it('requires an idempotency key and JSON', async () => {
    expect(codeOf((await speak(server, hello, 'short')).reply)).toBe('invalid_idempotency_key');
    expect(codeOf(await callJson(server, 'POST', '/v1/tts', hello))).toBe('invalid_idempotency_key');
    const headers = { 'idempotency-key': randomUUID() };
    expect((await call(server, 'POST', '/v1/tts', { headers, body: 'text' })).status).toBe(415);
  });
});

describe.skipIf(program === null)('with espeak-ng', () => {
  let server: PracticeServer;
  let folder = '';
  beforeAll(async () => {
    server = await startPracticeServer({ credits: 400 });
    folder = await mkdtemp(join(tmpdir(), 'practice-speech-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it.each(['uz', 'ru', 'en'] as const)('really speaks %s, mono at 24 kHz', async (language) => {
    const rich = await serverWith({});
    const { body } = await call(rich, 'GET', `/v1/voices?language=${language}`);
    const [voice] = body['voices'] as { voice_id: string }[];
    const { reply, sound: audio } = await speak(rich, { text: texts[language], language, voice_id: voice?.voice_id });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect([audio.readUInt16LE(22), audio.readUInt32LE(24)]).toEqual([1, 24_000]);
    const path = join(folder, `${language}.wav`);
    await writeFile(path, audio);
    const outcome = await analyse(path);
    if (outcome.kind !== 'measured') throw new Error(outcome.kind);
    expect(outcome.sound.durationMs).toBeGreaterThan(1500);
    expect(outcome.sound.durationMs).toBeLessThan(9000);
    expect(outcome.sound.rms).toBeGreaterThan(0.01);
    expect(outcome.sound.speech.length).toBeGreaterThan(0);
  });

  it('returns the same audio for the same key, charges it once, and refuses other content under it', async () => {
    const key = randomUUID();
    const first = await speak(server, hello, key);
    const [again, together] = await Promise.all([speak(server, hello, key), speak(server, hello, key)]);
    expect(again.sound.equals(first.sound) && together.sound.equals(first.sound)).toBe(true);
    const other = await speak(server, { ...hello, speed: 1.5 }, key);
    expect([other.reply.status, codeOf(other.reply)]).toEqual([409, 'idempotency_conflict']);
    expect(readLedger(server.stateDir).filter(({ idempotencyKey }) => idempotencyKey === key)).toHaveLength(1);
    const logs = await call(asPerson(server), 'GET', '/api/v1/account/request-logs?route=/v1/tts&status=200');
    const items = logs.body['items'] as { usage?: unknown }[];
    expect(items.at(-1)?.usage).toMatchObject({
      product: 'tts',
      operation: 'generate',
      characters: texts.en.length,
      credits: texts.en.length,
      billable: true,
    });
    expect(logs.text).not.toContain('teacher');
  });

  it('is refused when it costs more than the balance, and the history shows what was spoken', async () => {
    const { reply } = await speak(server, { ...hello, text: 'word '.repeat(100) });
    expect([reply.status, codeOf(reply)]).toEqual([402, 'insufficient_credits']);
    const fast = await speak(server, { ...hello, speed: 2 });
    const slow = await speak(server, { ...hello, speed: 0.5 });
    expect(slow.sound.length).toBeGreaterThan(fast.sound.length * 2);
    const list = await call(server, 'GET', '/v1/tts/generations?limit=1');
    const [item] = list.body['data'] as Record<string, unknown>[];
    expect(item).toMatchObject({ text: texts.en, speed: 0.5, status: 'completed', characters: texts.en.length });
    expect(item).not.toHaveProperty('audio_url');
    const path = `/v1/tts/generations/${String(item?.['id'])}`;
    const address = String((await call(server, 'GET', path)).body['audio_url']);
    const response = await fetch(address);
    expect(Buffer.from(await response.arrayBuffer()).equals(slow.sound)).toBe(true);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    expect((await call(server, 'GET', path)).status).toBe(404);
    expect((await call(server, 'GET', '/v1/tts/generations')).text).not.toContain(String(item?.['id']));
    expect((await fetch(address)).status).toBe(200);
  });

  it('a long text is pending until it is spoken, and the same request then returns the audio', async () => {
    const hasty = await serverWith({ limits: { speechPatienceMs: 1 } });
    const order = { ...hello, text: waiting(texts.en) };
    const key = randomUUID();
    const first = await speak(hasty, order, key);
    expect([first.reply.status, first.reply.body['status']]).toEqual([202, 'pending']);
    await expect.poll(async () => (await speak(hasty, order, key)).reply.status, { timeout: 20_000 }).toBe(200);
    expect(readLedger(hasty.stateDir)).toHaveLength(1);
  });

  describe('a signed address', () => {
    const addressOf = async (of: Server): Promise<string> => {
      const { reply } = await speak(of, hello);
      const id = reply.headers.get('x-generation-id');
      return String((await call(of, 'GET', `/v1/tts/generations/${id}`)).body['audio_url']);
    };

    it('needs no credential, and refuses one', async () => {
      const rich = await serverWith({});
      const address = await addressOf(rich);
      const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
      for (const headers of [{ authorization: `Bearer ${rich.token}` }, { 'x-api-key': rich.token }]) {
        const reply = await fetch(address, { headers });
        expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('<Code>InvalidArgument')]);
      }
      const part = await fetch(address, { headers: { range: 'bytes=100-199' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true);
      const end = await fetch(address, { headers: { range: 'bytes=-10', 'if-range': part.headers.get('etag') ?? '' } });
      expect(Buffer.from(await end.arrayBuffer()).equals(whole.subarray(-10))).toBe(true);
      const changed = await fetch(address, { headers: { range: 'bytes=5-', 'if-range': '"other"' } });
      expect(changed.status).toBe(200);
      expect((await fetch(address, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416);
      const forged = address.replace(/expires=\d+/, `expires=${Date.now() + 9_000_000}`);
      expect([(await fetch(forged)).status, (await fetch(address.split('?')[0] ?? '')).status]).toEqual([403, 403]);
    });

    it('expires', async () => {
      const brief = await serverWith({ limits: { signedLinkMs: 0 } });
      const reply = await fetch(await addressOf(brief));
      expect([reply.status, await reply.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
    });

    it('can be cut in the middle by a fault', async () => {
      const plan = parseFaultPlan({
        rules: [{ route: '/storage/:objectName', nth: 1, fault: 'cut-answer', bytes: 5000 }],
      });
      if (!plan.ok) throw new Error(plan.error);
      const weak = await serverWith({ faultPlan: plan.value });
      const address = await addressOf(weak);
      await expect(fetch(address).then((reply) => reply.arrayBuffer())).rejects.toThrow('terminated');
      expect((await fetch(address)).status).toBe(200);
    });
  });
});
