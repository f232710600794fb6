import { expect, test } from 'vitest';
import { scriptedService } from './client-rig.ts';

const { files, client, answer, refuse, loseAnswers, last, lastJson, lastForm, countOf } = await scriptedService();

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
  answer(201, envelope({ reference_transcript: 'Salom' }));
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
  const form = await lastForm();
  expect([[...form.keys()], form.get('remove_noise')]).toEqual([['language', 'remove_noise', 'audio'], 'true']);

  answer(200, envelope({ status: 'details_pending' }));
  expect(await client.clone.approve('enr_1', 'Salom')).toMatchObject({
    value: { status: { state: 'details_pending' } },
  });
  expect([last().url, lastJson()]).toEqual(['/v1/voice-enrollments/enr_1/transcript', { transcript: 'Salom' }]);
  const asked = { challenge_text: ' Oʻqing ', challenge_expires_at: '2026-11-20T10:10:00Z' };
  answer(200, envelope({ status: 'verification_pending', ...asked }));
  expect(await client.clone.challenge('enr_1', consent)).toMatchObject({
    ok: true,
    value: { challengeText: ' Oʻqing ', challengeExpiresAt: '2026-11-20T10:10:00Z' },
  });
  expect(lastJson()).toEqual({
    name: 'Mening ovozim',
    description: '',
    labels: { language: 'uz' },
    orb_palette: 'calm',
    consent_accepted: true,
  });
  answer(200, envelope({ status: 'ready', verification_status: 'passed', voice_id: 'voice_7' }, { score: 0.91 }));
  expect(await client.clone.verify('enr_1', source)).toMatchObject({
    ok: true,
    value: { voiceId: 'voice_7', score: 0.91, verification: { state: 'passed' } },
  });
  expect([...(await lastForm()).keys()]).toEqual(['audio']);
});

test('reading-unsettled: a reading whose answer was lost is never sent again', async () => {
  const source = await files.recording('x');
  const verify = () => client.clone.verify('enr_1', source);
  loseAnswers();
  const sent = await countOf(async () => {
    expect(await verify()).toMatchObject({
      ok: false,
      error: { kind: 'reading-unsettled', retry: 'look_first', outcome: 'unknown' },
    });
    refuse(503, 'speaker_verification_unavailable');
    expect(await verify()).toMatchObject({ error: { kind: 'reading-unsettled' } });
  });
  expect(sent).toBe(2);
});

test('a ticket is a secret that prints nothing, requested by the service it is for', async () => {
  answer(201, {
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
  expect(lastJson()).toEqual({ transport: 'websocket', service: 'stt' });
  refuse(403, 'insufficient_scope');
  expect(await client.live.ticket('tts')).toMatchObject({
    ok: false,
    error: { kind: 'permission-missing', params: { permission: 'tts_realtime: access' } },
  });
});
