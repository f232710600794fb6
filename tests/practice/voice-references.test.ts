import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { call, callJson, longSample, type Reply, type Server } from './practice-client.ts';
import { fresh, send, upload, said, challenge, deepVoice, otherVoice } from './voice-cloning-rig.ts';

const minute = 60_000;

describe('a reference', () => {
  let shared: PracticeServer;
  beforeAll(async () => {
    let now = Date.now();
    // Each reading of the clock is half an hour later, so that no rate limit applies.
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

  it('with noise is cleaned before it is measured, and the voice is still recognized', async () => {
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

  it('has steps that are three at once and ten in an hour', async () => {
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

  it('that could not be analysed in time is an error of the service', async () => {
    const { server } = await fresh({ limits: { cloneDeadlineMs: 0 } });
    expect(said(await upload(server, deepVoice))).toEqual([503, 'voice_cloning_unavailable']);
  });
});

it('keys read and write voices as far as they are allowed', async () => {
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
