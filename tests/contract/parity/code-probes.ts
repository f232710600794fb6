import { randomUUID } from 'node:crypto';
import { startPracticeServer } from '../../../electron/practice/server.ts';
import { call, callJson, codeOf, type Reply } from '../../practice/practice-client.ts';
import { simplePdf } from '../../support/simple-pdf.ts';
import {
  approve,
  ask,
  asPerson,
  challenge,
  challenged,
  commitMessage,
  connect,
  enroll,
  eventAfter,
  field,
  newKey,
  sendFile,
  startMessage,
  type Rig,
} from './rig.ts';

/** What the practice service returned, as the row of the document that it proves. */
export type Said = `${number | 'event'} ${string}`;
export type Probe = (rig: Rig) => Promise<string>;

const of = (reply: Reply): Said => `${reply.status} ${String(codeOf(reply))}`;
const account = '/api/v1/account';
const keys = `${account}/api-keys`;
const hook = { url: 'https://hooks.example.com/in', event_types: ['tts.generation.completed'] };
const json = (text: string): RequestInit => ({ headers: { 'content-type': 'application/json' }, body: text });
const pcm = (ms: number): Buffer => Buffer.alloc(ms * 32);
const wavPcm = (wav: Buffer): Buffer => wav.subarray(44, 44 + 32 * 4000);
const files = (id: string) => ({
  messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }],
});

const errorAfter = async (...[server, messages]: Parameters<typeof eventAfter>): Promise<string> => {
  const event = await eventAfter(server, messages);
  return `${String(event['event']) === 'error' ? 'event' : String(event['event'])} ${String(event['code'])}`;
};

async function verify(rig: Rig, audio: Buffer, path: string): Promise<Reply> {
  return sendFile(rig.main, `${path}/verify`, 'audio', audio);
}

/** A webhook of its own on `main`, deleted after the probe. */
async function withHook(rig: Rig, probe: (path: string) => Promise<Reply>): Promise<Said> {
  const made = await callJson(rig.main, 'POST', '/v1/webhooks', hook);
  const path = `/v1/webhooks/${String(field(made, 'webhook', 'id'))}`;
  try {
    return of(await probe(path));
  } finally {
    await callJson(rig.main, 'DELETE', path, {});
  }
}

/** Each provokes one code of the document (contract 7), over real sockets. */
export const codeProbes: Readonly<Record<string, Probe>> = {
  '403 insufficient_scope': async ({ main }) =>
    of(await call(await newKey(main, { permissions: {} }), 'GET', '/v1/models')),
  '400 invalid_json': async ({ main }) => of(await call(asPerson(main), 'POST', keys, json('{'))),
  '400 validation_error': async ({ main }) => of(await callJson(asPerson(main), 'POST', keys, { name: '' })),
  '400 invalid_pagination': async ({ main }) => of(await call(asPerson(main), 'GET', `${keys}?limit=101`)),
  '401 session_expired': async ({ main }) => of(await call(main, 'GET', keys)),
  '403 origin_forbidden': async ({ main }) =>
    of(await call(main, 'GET', '/v1/models', { headers: { origin: 'https://example.com' } })),
  '404 not_found': async ({ main }) => of(await call(asPerson(main), 'DELETE', `${keys}/key_none`)),
  '409 api_key_in_use': async ({ main }) => {
    const key = await newKey(main, { permissions: { llm: 'access' } });
    await ask(key);
    return of(await call(asPerson(main), 'DELETE', key.path));
  },
  '500 internal_error': async ({ broken }) => of(await call(asPerson(broken), 'GET', keys)),
  '503 auth_unavailable': async ({ broken }) => of(await call(asPerson(broken), 'GET', keys)),
  '503 service_unavailable': async ({ poor }) =>
    of(
      await call(poor, 'POST', '/v1/tts', {
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ text: 'Salom', language: 'uz', voice_id: 'voice_practice_uz_lola' }),
      }),
    ),
  '400 invalid_analytics_window': async ({ main }) =>
    of(await call(asPerson(main), 'GET', `${account}/analytics?from=2026-01-01&to=2026-06-01`)),
  '400 invalid_cursor': async ({ main }) =>
    of(await call(asPerson(main), 'GET', `${account}/request-logs?cursor=none`)),
  '400 invalid_filter': async ({ main }) =>
    of(await call(asPerson(main), 'GET', `${account}/request-logs?status=many`)),
  '503 analytics_unavailable': async ({ broken }) => of(await call(asPerson(broken), 'GET', `${account}/analytics`)),
  '402 insufficient_credits': async ({ poor }) => of(await ask(poor)),
  '402 api_key_credit_limit': async ({ main }) =>
    of(await ask(await newKey(main, { permissions: { llm: 'access' }, credit_limit: 0 }))),
  '409 duplicate_idempotency_key': async ({ main }) => {
    const key = randomUUID();
    await ask(main, key);
    return of(await ask(main, key));
  },
  '409 llm_usage_pending': async ({ broken }) => {
    await ask(broken);
    return of(await ask(broken));
  },
  '413 file_too_large': async ({ main }) =>
    of(await sendFile(main, '/v1/files', 'file', Buffer.alloc(4 * 1024 * 1024 + 1))),
  '415 unsupported_media_type': async ({ main }) => of(await sendFile(main, '/v1/files', 'file', Buffer.from('text'))),
  '422 validation_error': async ({ main }) => of(await sendFile(main, '/v1/files', 'file', Buffer.alloc(0))),
  '422 unsupported_attachment': async ({ main }) =>
    of(await sendFile(main, '/v1/files', 'file', simplePdf([['a']]), { model: 'practice-extract' })),
  '422 invalid_attachment': async ({ main }) =>
    of(await sendFile(main, '/v1/files', 'file', Buffer.from('%PDF-1.4 half'))),
  '422 attachment_unavailable': async ({ main }) => of(await ask(main, randomUUID(), files('file_none'))),
  '429 attachment_quota_exceeded': async ({ poor }) => {
    let last = await sendFile(poor, '/v1/files', 'file', simplePdf([['a']]));
    for (let count = 0; count < 30 && last.status === 201; count += 1)
      last = await sendFile(poor, '/v1/files', 'file', simplePdf([['a']]));
    return of(last);
  },
  '503 chat_unavailable': async ({ broken }) => of(await sendFile(broken, '/v1/files', 'file', simplePdf([['a']]))),
  '404 webhook_not_found': async ({ main }) => of(await call(main, 'GET', '/v1/webhooks/none')),
  '409 webhook_limit_reached': async ({ poor }) => {
    let last = await callJson(poor, 'POST', '/v1/webhooks', hook);
    for (let count = 1; count <= 20; count += 1) last = await callJson(poor, 'POST', '/v1/webhooks', hook);
    return of(last);
  },
  '409 webhook_revision_conflict': (rig) =>
    withHook(rig, (path) => callJson(rig.main, 'PATCH', path, { enabled: false, expected_revision: 9 })),
  '409 webhook_delivery_not_retryable': (rig) =>
    withHook(rig, async (path) => {
      const sent = await call(rig.main, 'POST', `${path}/test`);
      return call(rig.main, 'POST', `${path}/deliveries/${String(field(sent, 'delivery', 'id'))}/retry`);
    }),
  '503 webhooks_unavailable': async ({ broken }) => of(await call(broken, 'GET', '/v1/webhooks')),
  '401 invalid_api_key': async ({ main }) => of(await call({ url: main.url, token: 'sk_none' }, 'GET', '/v1/models')),
  '402 voice_clone_subscription_required': async (rig) => {
    const path = await enroll(rig, rig.poor);
    await approve(rig.poor, path);
    return of(await challenge(rig.poor, path));
  },
  '400 invalid_multipart': async (rig) => {
    rig.pass(3_600_000);
    return of(await callJson(rig.main, 'POST', '/v1/voice-enrollments', {}));
  },
  '413 audio_too_large': async (rig) => {
    rig.pass(3_600_000);
    const audio = Buffer.alloc(10 * 1024 * 1024 + 1);
    return of(
      await sendFile(rig.main, '/v1/voice-enrollments', 'audio', audio, { language: 'uz', remove_noise: 'false' }),
    );
  },
  '404 voice_clone_not_found': async ({ main }) => of(await call(main, 'GET', '/v1/voices/voice_none')),
  '409 voice_clone_invalid_state': async (rig) => {
    const path = await enroll(rig);
    return of(await challenge(rig.main, path));
  },
  '409 voice_limit_reached': async (rig) => {
    for (let count = 0; count < 5; count += 1) await verify(rig, rig.voices.same, await challenged(rig));
    const path = await enroll(rig);
    await approve(rig.main, path);
    const refused = of(await challenge(rig.main, path));
    const own = await call(rig.main, 'GET', '/v1/voices?kind=custom');
    for (const { voice_id: id } of own.body['voices'] as { voice_id: string }[])
      await call(rig.main, 'DELETE', `/v1/voices/${id}`);
    return refused;
  },
  '410 voice_clone_challenge_expired': async (rig) => {
    const path = await challenged(rig);
    rig.pass(600_000);
    return of(await verify(rig, rig.voices.same, path));
  },
  '422 validation_failed': async (rig) => {
    rig.pass(3_600_000);
    const fields = { language: 'de', remove_noise: 'false' };
    return of(await sendFile(rig.main, '/v1/voice-enrollments', 'audio', rig.voices.reference, fields));
  },
  '422 invalid_audio': async (rig) => {
    rig.pass(3_600_000);
    const fields = { language: 'uz', remove_noise: 'false' };
    return of(await sendFile(rig.main, '/v1/voice-enrollments', 'audio', rig.voices.other, fields));
  },
  '422 challenge_mismatch': async (rig) => of(await verify(rig, rig.voices.half, await challenged(rig))),
  '422 speaker_mismatch': async (rig) => of(await verify(rig, rig.voices.other, await challenged(rig))),
  '429 voice_clone_rate_limited': async ({ main }) => {
    const send = () => challenge(main, '/v1/voice-enrollments/enr_none');
    for (let count = 0; count < 3; count += 1) await send();
    return of(await send());
  },
  '503 voice_cloning_unavailable': async (rig) => {
    const fields = { language: 'uz', remove_noise: 'false' };
    return of(await sendFile(rig.broken, '/v1/voice-enrollments', 'audio', rig.voices.reference, fields));
  },
  '503 speaker_verification_unavailable': async ({ broken, voices }) =>
    of(await sendFile(broken, '/v1/voice-enrollments/enr_1/verify', 'audio', voices.same)),
  '401 invalid_realtime_ticket': ({ main }) =>
    connect(`${main.url.replace('http', 'ws')}/v1/stt/stream?ticket=none`).then(
      () => 'opened',
      ({ status, code }: { status: number; code: string }) => `${status} ${code}`,
    ),
  'event invalid_message': ({ main }) => errorAfter(main, ['{}']),
  'event validation_error': ({ main }) => errorAfter(main, [startMessage.replace('"uz"', '"de"')]),
  'event not_started': ({ main }) => errorAfter(main, [commitMessage]),
  'event busy': ({ main }) => errorAfter(main, [startMessage, pcm(10), startMessage]),
  'event invalid_audio': ({ main }) => errorAfter(main, [startMessage, pcm(99), commitMessage]),
  'event audio_too_long': ({ main }) => errorAfter(main, [startMessage, ...Array<Buffer>(36).fill(pcm(1000))]),
  'event no_speech_detected': ({ main }) => errorAfter(main, [startMessage, pcm(500), commitMessage]),
  'event insufficient_credits': ({ poor, voices }) =>
    errorAfter(poor, [startMessage, wavPcm(voices.same), commitMessage]),
  'event overloaded': ({ broken }) => errorAfter(broken, [startMessage, pcm(200), commitMessage]),
  'event service_unavailable': ({ broken }) => errorAfter(broken, [startMessage, pcm(200), commitMessage]),
  'event timeout': async () => {
    const hasty = await startPracticeServer({ limits: { dictationIdleMs: 20 } });
    try {
      return await errorAfter(hasty, []);
    } finally {
      await hasty.close();
    }
  },
};
