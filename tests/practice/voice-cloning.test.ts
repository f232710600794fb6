import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPracticeServer, type PracticeOptions, type PracticeServer } from '../../electron/practice/server.ts';
import { cutRecording } from '../support/cut-recording.ts';
import { call, callJson, codeOf, longSample, type Reply, type Server } from './practice-client.ts';

const minute = 60_000;
let deepVoice: Buffer;
let sameVoice: Buffer;
let otherVoice: Buffer;
beforeAll(async () => {
  [deepVoice, sameVoice, otherVoice] = await Promise.all([
    cutRecording(11, 21.5),
    cutRecording(25, 35),
    cutRecording(0, 9),
  ]);
});

/** A service whose clock is moved by hand, so that hours take no time. */
async function fresh(options: PracticeOptions = {}) {
  const clock = { ms: Date.parse('2026-11-20T10:00:00Z') };
  const server = await startPracticeServer({ now: () => clock.ms, ...options });
  onTestFinished(() => server.close());
  return { server, pass: (ms: number) => void (clock.ms += ms) };
}

type Fields = Readonly<Record<string, string>>;
function send(server: Server, path: string, sound: Buffer, fields: Fields = {}): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('audio', new Blob([new Uint8Array(sound)]), 'ovoz.wav');
  return call(server, 'POST', path, { body: form });
}
const upload = (server: Server, sound: Buffer, fields: Fields = {}): Promise<Reply> =>
  send(server, '/v1/voice-enrollments', sound, { language: 'uz', remove_noise: 'false', ...fields });

const told = (reply: Reply): Record<string, unknown> => reply.body['voice_clone'] as Record<string, unknown>;
const said = (reply: Reply): unknown => [reply.status, codeOf(reply)];
const details = {
  name: 'Mening ovozim',
  description: '',
  labels: { language: 'uz', gender: 'male' },
  orb_palette: 'calm',
  consent_accepted: true,
};

/** An enrolment up to the step before the reading text. */
async function begun(server: Server): Promise<string> {
  const uploaded = await upload(server, deepVoice);
  const path = `/v1/voice-enrollments/${String(told(uploaded)['id'])}`;
  await callJson(server, 'POST', `${path}/transcript`, { transcript: 'Salom' });
  return path;
}
const challenge = (server: Server, path: string, change: object = {}): Promise<Reply> =>
  callJson(server, 'POST', `${path}/challenge`, { ...details, ...change });
const voiceOf = async (server: Server): Promise<string> => {
  const path = await begun(server);
  await challenge(server, path);
  const verified = await send(server, `${path}/verify`, sameVoice);
  expect(verified.status, verified.text).toBe(200);
  return String(told(verified)['voice_id']);
};

describe('a cloned voice', () => {
  it('is made in four steps from a recording of which nothing is kept, and a repeat of a step is refused', async () => {
    const { server } = await fresh();
    const uploaded = await upload(server, deepVoice);
    expect(uploaded.status, uploaded.text).toBe(201);
    expect(uploaded.body).toMatchObject({ remove_noise: false, labels: { language: 'uz' } });
    expect(told(uploaded)).toMatchObject({
      status: 'transcript_review',
      language: 'uz',
      verification_status: 'not_started',
      verification_attempts: 0,
      public_requested: false,
      reference_transcript: expect.stringContaining('Mashq rejimi nutqni tanimaydi'),
    });
    expect(told(uploaded)).not.toHaveProperty('challenge_text');
    const path = `/v1/voice-enrollments/${String(told(uploaded)['id'])}`;
    expect(said(await challenge(server, path))).toEqual([409, 'voice_clone_invalid_state']);
    const approved = await callJson(server, 'POST', `${path}/transcript`, { transcript: 'я'.repeat(20_000) });
    expect([approved.status, told(approved)['status']]).toEqual([200, 'details_pending']);
    expect(said(await callJson(server, 'POST', `${path}/transcript`, { transcript: 'x' }))).toEqual([
      409,
      'voice_clone_invalid_state',
    ]);
    expect(said(await send(server, `${path}/verify`, sameVoice))).toEqual([409, 'voice_clone_invalid_state']);

    const asked = await challenge(server, path);
    expect([asked.status, told(asked)['status']]).toEqual([200, 'verification_pending']);
    expect(told(asked)).toMatchObject({ challenge_language: 'uz', challenge_expires_at: '2026-11-20T10:10:00.000Z' });
    expect(String(told(asked)['challenge_text'])).toMatch(/^[^\d]{120,220}$/);
    const read = await call(server, 'GET', path);
    expect(told(read)).toEqual(told(asked));

    const verified = await send(server, `${path}/verify`, sameVoice);
    expect(verified.status, verified.text).toBe(200);
    expect(Number(verified.body['score'])).toBeGreaterThanOrEqual(0.72);
    expect(told(verified)).toMatchObject({
      status: 'ready',
      verification_status: 'passed',
      verification_attempts: 1,
      voice_id: expect.stringMatching(/^voice_\w+$/),
      verification_method: expect.stringContaining('practice'),
    });
    expect(told(verified)).not.toHaveProperty('challenge_text');
    expect((await call(server, 'GET', path)).body).not.toHaveProperty('score');
    expect([...readdirSync(`${server.stateDir}/uploads`), ...readdirSync(`${server.stateDir}/objects`)]).toEqual([]);
  });

  it('is in the catalogue as what it is, has its data replaced as a whole, and is gone at once when deleted', async () => {
    const { server } = await fresh();
    const id = await voiceOf(server);
    const own = await call(server, 'GET', '/v1/voices?kind=custom');
    expect(own.body['voices']).toMatchObject([
      { voice_id: id, name: 'Mening ovozim (mashq ovozi, nusxa emas)', kind: 'custom', can_manage: true },
    ]);
    expect((await call(server, 'GET', '/v1/voices?language=ru')).text).not.toContain(id);
    expect((await call(server, 'GET', '/v1/voices?language=uz')).text).toContain(id);

    const path = `/v1/voices/${id}`;
    const { consent_accepted: _consent, ...metadata } = details;
    const read = await call(server, 'GET', path);
    expect(read.body).toEqual({ ...metadata, request_id: expect.any(String) });
    const renamed = { ...metadata, name: 'Yangi', labels: { language: 'uz', accent: 'a'.repeat(80) } };
    expect((await callJson(server, 'PUT', path, renamed)).status).toBe(204);
    expect((await call(server, 'GET', path)).body).toMatchObject(renamed);
    for (const wrong of [
      { name: 'x' },
      { ...metadata, voice_id: 'x' },
      { ...metadata, labels: { language: 'ru' } },
      { ...metadata, labels: { language: 'uz', accent: 'ш'.repeat(41) } },
      { ...metadata, labels: { language: 'uz', gender: '' } },
      { ...metadata, labels: { language: 'uz', mood: 'x' } },
      { ...metadata, orb_palette: 'red' },
      { ...metadata, name: 'x'.repeat(101) },
      { ...metadata, description: 'x'.repeat(1001) },
    ])
      expect(said(await callJson(server, 'PUT', path, wrong))).toEqual([422, 'validation_failed']);

    for (const system of ['voice_practice_en_alice', 'voice_unknown']) {
      expect(said(await call(server, 'GET', `/v1/voices/${system}`))).toEqual([404, 'voice_clone_not_found']);
      expect(said(await callJson(server, 'PUT', `/v1/voices/${system}`, metadata))).toEqual([
        404,
        'voice_clone_not_found',
      ]);
      expect(said(await call(server, 'DELETE', `/v1/voices/${system}`))).toEqual([404, 'voice_clone_not_found']);
    }
    const order = { text: 'Salom', language: 'uz', voice_id: id };
    const speak = () =>
      call(server, 'POST', '/v1/tts', {
        headers: { 'idempotency-key': crypto.randomUUID(), 'content-type': 'application/json' },
        body: JSON.stringify(order),
      });
    expect([200, 503]).toContain((await speak()).status);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    expect(said(await call(server, 'GET', path))).toEqual([404, 'voice_clone_not_found']);
    expect(said(await speak())).toEqual([400, 'validation_error']);
    expect((await call(server, 'GET', '/v1/voices?kind=custom')).body['voices']).toEqual([]);
    const left = await readFile(`${server.stateDir}/practice.sqlite`, 'latin1');
    expect([left.includes('voice_practice'), left.includes('Yangi')]).toEqual([false, false]);
  });

  it('is not made of another voice or half a reading; five attempts are the most, and each uses its text up', async () => {
    const { server, pass } = await fresh();
    const path = await begun(server);
    const attempt = async (sound: Buffer, nth: number): Promise<unknown> => {
      pass(10 * minute);
      const asked = await challenge(server, path);
      expect(asked.status, asked.text).toBe(200);
      const reply = await send(server, `${path}/verify`, sound);
      const now = told(await call(server, 'GET', path));
      expect([now['verification_attempts'], now['challenge_text'], now['voice_id']]).toEqual([
        nth,
        undefined,
        undefined,
      ]);
      expect(said(await send(server, `${path}/verify`, sameVoice))).toEqual([409, 'voice_clone_invalid_state']);
      return said(reply);
    };
    const short = await cutRecording(12, 17);
    expect(await attempt(otherVoice, 1)).toEqual([422, 'speaker_mismatch']);
    expect(await attempt(short, 2)).toEqual([422, 'challenge_mismatch']);
    expect(await attempt(await cutRecording(23, 25.5), 3)).toEqual([422, 'invalid_audio']);
    pass(10 * minute);
    expect(await attempt(Buffer.from('no sound'), 4)).toEqual([422, 'invalid_audio']);
    pass(10 * minute);
    expect(await attempt(otherVoice, 5)).toEqual([422, 'speaker_mismatch']);
    expect(told(await call(server, 'GET', path))).toMatchObject({
      status: 'failed',
      verification_status: 'failed',
      failure_code: 'verification_attempts_exhausted',
    });
    pass(10 * minute);
    expect(said(await challenge(server, path))).toEqual([409, 'voice_clone_invalid_state']);
  });

  it('has ten minutes for its text; then another text is needed, and none is given twice', async () => {
    const { server, pass } = await fresh();
    const path = await begun(server);
    const first = told(await challenge(server, path))['challenge_text'];
    pass(10 * minute);
    expect(said(await send(server, `${path}/verify`, sameVoice))).toEqual([410, 'voice_clone_challenge_expired']);
    expect(told(await call(server, 'GET', path))).toMatchObject({ verification_attempts: 0 });
    const second = told(await challenge(server, path))['challenge_text'];
    expect(second).not.toBe(first);
    pass(10 * minute - 1);
    expect((await send(server, `${path}/verify`, sameVoice)).status).toBe(200);
  });

  it('gets a text only with a name, a palette, its own language and consent', async () => {
    let now = Date.now();
    const { server } = await fresh({ now: () => (now += 30 * minute) });
    const path = await begun(server);
    for (const change of [
      { consent_accepted: false },
      { labels: { language: 'ru' } },
      { name: ' ' },
      { orb_palette: undefined },
      { is_public: true },
    ])
      expect(said(await challenge(server, path, change))).toEqual([422, 'validation_failed']);
    expect((await challenge(server, path)).status).toBe(200);
  });

  it('needs a paid plan for its text, and nothing but a plan for what comes before', async () => {
    const { server } = await fresh({ plan: 'free' });
    const capabilities = await call(server, 'GET', '/v1/voice-enrollments/capabilities');
    expect(capabilities.body).toMatchObject({
      eligible: false,
      available: true,
      min_seconds: 10,
      max_seconds: 30,
      max_bytes: 10_485_760,
    });
    expect(said(await challenge(server, await begun(server)))).toEqual([402, 'voice_clone_subscription_required']);
  });

  it('is the fifth at most', async () => {
    const { server, pass } = await fresh();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await voiceOf(server));
      pass(15 * minute);
    }
    const path = await begun(server);
    expect(said(await challenge(server, path))).toEqual([409, 'voice_limit_reached']);
    expect((await call(server, 'GET', '/v1/voice-enrollments/capabilities')).body['available']).toBe(false);
    await call(server, 'DELETE', `/v1/voices/${ids[0]}`);
    expect((await challenge(server, path)).status).toBe(200);
  });
});

describe('a reference', () => {
  let shared: PracticeServer;
  beforeAll(async () => {
    let now = Date.now();
    // Each look at the clock is half an hour later, so that no rate is in the way.
    shared = await startPracticeServer({ now: () => (now += 30 * minute) });
    return () => shared.close();
  });

  it.each<readonly [string, () => Promise<Reply>, number, string]>([
    ['of 9 seconds', async () => upload(shared, otherVoice), 422, 'invalid_audio'],
    ['of 40 seconds', async () => upload(shared, await readFile(longSample)), 422, 'invalid_audio'],
    ['that is no sound', async () => upload(shared, Buffer.from('text')), 422, 'invalid_audio'],
    [
      'of silence',
      async () => upload(shared, Buffer.concat([deepVoice.subarray(0, 44), Buffer.alloc(384_000)])),
      422,
      'invalid_audio',
    ],
    ['of more than 10 MiB', async () => upload(shared, Buffer.alloc(10 * 1024 * 1024 + 1)), 413, 'audio_too_large'],
    ['in an unknown language', async () => upload(shared, deepVoice, { language: 'de' }), 422, 'validation_failed'],
    ['with noise perhaps', async () => upload(shared, deepVoice, { remove_noise: '1' }), 422, 'validation_failed'],
    ['with a field too many', async () => upload(shared, deepVoice, { title: 'x' }), 400, 'invalid_multipart'],
    ['without a form', async () => callJson(shared, 'POST', '/v1/voice-enrollments', {}), 400, 'invalid_multipart'],
    [
      'for an enrolment that is not there',
      async () => call(shared, 'GET', '/v1/voice-enrollments/enr_x'),
      404,
      'voice_clone_not_found',
    ],
    [
      'verified under no enrolment',
      async () => send(shared, '/v1/voice-enrollments/enr_x/verify', deepVoice),
      404,
      'voice_clone_not_found',
    ],
  ])('%s is refused', async (_name, ask, status, code) => {
    expect(said(await ask())).toEqual([status, code]);
  });

  it('with noise is cleaned before it is measured, and the voice is still known', async () => {
    const uploaded = await upload(shared, deepVoice, { remove_noise: 'true' });
    expect([uploaded.status, uploaded.body['remove_noise']]).toEqual([201, true]);
    expect(readdirSync(`${shared.stateDir}/uploads`)).toEqual([]);
  });

  it('is one of two at once and five in an hour, and a refusal says when to come again', async () => {
    const { server, pass } = await fresh();
    const statuses = [];
    for (let count = 0; count < 2; count += 1) statuses.push((await upload(server, deepVoice)).status);
    const tooMany = await upload(server, deepVoice);
    expect([...statuses, ...(said(tooMany) as unknown[])]).toEqual([201, 201, 429, 'voice_clone_rate_limited']);
    expect(tooMany.headers.get('retry-after')).toBe('720');
    pass(719_000);
    expect((await upload(server, deepVoice)).status).toBe(429);
    pass(1000);
    expect((await upload(server, deepVoice)).status).toBe(201);
  });

  it('and its steps are three at once and ten in an hour', async () => {
    const { server, pass } = await fresh();
    const steps = [
      () => callJson(server, 'POST', '/v1/voice-enrollments/enr_x/transcript', { transcript: 'x' }),
      () => challenge(server, '/v1/voice-enrollments/enr_x'),
      () => callJson(server, 'POST', '/v1/voice-enrollments/enr_x/verify', {}),
    ];
    for (const step of steps) {
      const answers = [];
      for (let count = 0; count < 4; count += 1) answers.push((await step()).status);
      expect(answers).toEqual([404, 404, 404, 429]);
      pass(6 * minute);
      expect([(await step()).status, (await step()).headers.get('retry-after')]).toEqual([404, '360']);
    }
  });

  it('that nobody could listen to in time is a fault of the service', async () => {
    const { server } = await fresh({ limits: { cloneDeadlineMs: 0 } });
    expect(said(await upload(server, deepVoice))).toEqual([503, 'voice_cloning_unavailable']);
  });
});

it('keys read and write voices by what they were given', async () => {
  const { server } = await fresh();
  const keyWith = async (level: string): Promise<Server> => {
    const { body } = await callJson(
      { url: server.url, token: server.accessToken },
      'POST',
      '/api/v1/account/api-keys',
      {
        name: level,
        permissions: { voices: level },
      },
    );
    return { url: server.url, token: (body['data'] as { secret: string }).secret };
  };
  const [reader, writer] = [await keyWith('read'), await keyWith('write')];
  expect((await call(reader, 'GET', '/v1/voice-enrollments/capabilities')).status).toBe(200);
  expect(said(await upload(reader, deepVoice))).toEqual([403, 'insufficient_scope']);
  expect(said(await call(writer, 'GET', '/v1/voice-enrollments/capabilities'))).toEqual([403, 'insufficient_scope']);
  expect((await upload(writer, deepVoice)).status).toBe(201);
});
