import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { cutRecording } from '../support/cut-recording.ts';
import { call, callJson } from './practice-client.ts';
import {
  fresh,
  send,
  upload,
  told,
  said,
  details,
  begun,
  challenge,
  voiceOf,
  deepVoice,
  sameVoice,
  otherVoice,
} from './voice-cloning-rig.ts';

const minute = 60_000;

describe('a cloned voice', () => {
  it('is made in four steps from a recording that is not stored, and a repeated step is refused', async () => {
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
      reference_transcript: expect.stringMatching(/^\(nutq, \d+ s\)/),
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

  it('is in the catalogue as what it is, has its data replaced as a whole, and disappears at once when deleted', async () => {
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

  it('is not made of another voice or a partial reading; five attempts are the most, and each uses its text up', async () => {
    const { server, pass } = await fresh();
    const path = await begun(server);
    const attempt = async (audio: Buffer, nth: number): Promise<unknown> => {
      pass(10 * minute);
      const asked = await challenge(server, path);
      expect(asked.status, asked.text).toBe(200);
      const reply = await send(server, `${path}/verify`, audio);
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
