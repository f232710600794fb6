import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { recordingFolder } from './client-rig.ts';
import { openService } from './service-rig.ts';

let server: ScriptedServer;
let files: Awaited<ReturnType<typeof recordingFolder>>;
let client: ReturnType<typeof openService>;

beforeAll(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  files = await recordingFolder();
  client = openService(server.url);
});
afterAll(async () => {
  await client.close();
  await Promise.all([server.close(), files.dispose()]);
});

const envelope = (more: object, around: object = {}) => ({
  voice_clone: {
    id: 'enr_1',
    status: 'transcript_review',
    language: 'uz',
    verification_status: 'not_started',
    verification_attempts: 0,
    ...more,
  },
  labels: { language: 'uz', age: 7 },
  orb_palette: 'calm',
  remove_noise: true,
  request_id: 'r',
  ...around,
});
const consent = {
  name: 'Mening ovozim',
  description: '',
  labels: { language: 'uz', gender: '' },
  orbPalette: 'calm',
  consentAccepted: true,
} as const;

test('a voice is made step by step, with one request each', async () => {
  const source = await files.recording('sound', 'a.wav');
  server.script = (_request, response) => sendJson(response, 201, envelope({ reference_transcript: 'Salom' }));
  expect(await client.clone.upload({ source, language: 'uz', removeNoise: true })).toMatchObject({
    ok: true,
    value: {
      id: 'enr_1',
      status: { known: true, state: 'transcript_review' },
      referenceTranscript: 'Salom',
      labels: { language: 'uz' },
      orbPalette: 'calm',
      removeNoise: true,
      voiceId: null,
    },
  });
  expect(server.seen.at(-1)?.body.toString()).toMatch(/name="remove_noise"\r\n\r\ntrue\r\n/u);

  server.script = (_request, response) => sendJson(response, 200, envelope({ status: 'details_pending' }));
  expect(await client.clone.approve('enr_1', 'Salom')).toMatchObject({
    ok: true,
    value: { status: { state: 'details_pending' } },
  });
  server.script = (_request, response) =>
    sendJson(
      response,
      200,
      envelope({
        status: 'verification_pending',
        challenge_text: ' Oʻqing ',
        challenge_expires_at: '2026-11-20T10:10:00Z',
      }),
    );
  expect(await client.clone.challenge('enr_1', consent)).toMatchObject({
    ok: true,
    value: { challengeText: ' Oʻqing ', challengeExpiresAt: '2026-11-20T10:10:00Z' },
  });
  expect(JSON.parse(server.seen.at(-1)?.body.toString() ?? '')).toEqual({
    name: 'Mening ovozim',
    description: '',
    labels: { language: 'uz' },
    orb_palette: 'calm',
    consent_accepted: true,
  });
  server.script = (_request, response) =>
    sendJson(
      response,
      200,
      envelope({ status: 'ready', verification_status: 'passed', voice_id: 'voice_7' }, { score: 0.91 }),
    );
  expect(await client.clone.verify('enr_1', source)).toMatchObject({
    ok: true,
    value: { voiceId: 'voice_7', score: 0.91, verification: { state: 'passed' } },
  });
  expect([
    ...(server.seen
      .at(-1)
      ?.body.toString()
      .matchAll(/name="/gu) ?? []),
  ]).toHaveLength(1 + 1);
});

test('E-095: a reading whose answer was lost is never sent again', async () => {
  const before = server.seen.length;
  server.script = (_request, response) => void response.socket?.resetAndDestroy();
  expect(await client.clone.verify('enr_1', await files.recording('x'))).toMatchObject({
    ok: false,
    error: { row: 'E-095', retry: 'look_first', outcome: 'unknown' },
  });
  server.script = (_request, response) =>
    sendJson(response, 503, { message: '', error: { code: 'speaker_verification_unavailable' } });
  expect(await client.clone.verify('enr_1', await files.recording('x'))).toMatchObject({ error: { row: 'E-095' } });
  expect(server.seen.length - before).toBe(2);
});

test.each([
  [402, 'voice_clone_subscription_required', 'E-085'],
  [409, 'voice_clone_invalid_state', 'E-089'],
  [410, 'voice_clone_challenge_expired', 'E-093'],
  [422, 'speaker_mismatch', 'E-094'],
  [429, 'voice_clone_rate_limited', 'E-096'],
])('a %i %s is reported and not repeated', async (status, code, row) => {
  const before = server.seen.length;
  server.script = (_request, response) =>
    sendJson(response, status, { message: '', error: { code } }, { 'retry-after': '60' });
  expect(await client.clone.challenge('enr_1', consent)).toMatchObject({ ok: false, error: { row, status } });
  expect(server.seen.length - before).toBe(1);
});

test('an enrolment in a state of a newer service counts as neither finished nor lost', async () => {
  server.script = (_request, response) => sendJson(response, 200, envelope({ status: 'resting' }));
  expect(await client.clone.read('enr_1')).toMatchObject({
    ok: true,
    value: { status: { known: false, raw: 'resting' } },
  });
  server.script = (_request, response) => sendJson(response, 200, { eligible: true, available: false, max_bytes: 10 });
  expect(await client.clone.capabilities()).toMatchObject({
    ok: true,
    value: { eligible: true, available: false, maxBytes: 10 },
  });
});

test('the data of a voice is read and replaced as a whole; deleting it twice is deleting it', async () => {
  const metadata = { name: 'A', description: '', labels: { language: 'uz' }, orbPalette: 'deep' };
  server.script = (_request, response) =>
    sendJson(response, 200, { name: 'A', description: '', labels: { language: 'uz' }, orb_palette: 'deep' });
  expect(await client.clone.metadata('voice_7')).toEqual({ ok: true, value: metadata });
  server.script = (_request, response) => void response.writeHead(204).end();
  expect(await client.clone.replaceMetadata('voice_7', metadata)).toEqual({ ok: true, value: null });
  expect(server.seen.at(-1)).toMatchObject({ method: 'PUT', url: '/v1/voices/voice_7' });
  server.script = (_request, response) =>
    sendJson(response, 404, { message: '', error: { code: 'voice_clone_not_found' } });
  expect(await client.clone.remove('voice_7')).toEqual({ ok: true, value: null });
  server.script = (_request, response) => sendJson(response, 502, {});
  expect(await client.clone.remove('voice_7')).toMatchObject({
    ok: false,
    error: { row: 'E-097', outcome: 'accepted' },
  });
});

test('a ticket is a secret that prints nothing, requested by the service it is for', async () => {
  server.script = (_request, response) =>
    sendJson(response, 201, {
      ticket: 'tkt_CANARY',
      service: 'stt',
      transport: 'websocket',
      scope: 'stt:realtime',
      expires_at: '2026-11-20T10:01:00Z',
      websocket_url: 'wss://api.example/v1/stt/stream',
      request_id: 'r',
    });
  const ticket = await client.live.ticket('stt');
  expect(ticket).toMatchObject({ ok: true, value: { expiresAt: '2026-11-20T10:01:00Z' } });
  expect(JSON.stringify(ticket)).not.toContain('CANARY');
  expect(ticket.ok && ticket.value.ticket.reveal()).toBe('tkt_CANARY');
  expect(server.seen.at(-1)?.body.toString()).toBe('{"transport":"websocket","service":"stt"}');
  server.script = (_request, response) =>
    sendJson(response, 403, { message: '', error: { code: 'insufficient_scope' } });
  expect(await client.live.ticket('tts')).toMatchObject({
    ok: false,
    error: { row: 'E-037', params: { permission: 'tts_realtime: access' } },
  });
});
