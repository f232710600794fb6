import type { KeyView, LogEntryView } from '../../shared/domain/account/account-views.ts';
import type { UsageReport } from '../../shared/domain/account/usage-report.ts';
import type { DeliveryView, WebhookView } from '../../shared/domain/webhooks/webhook-views.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';

const dayMs = 86_400_000;
const lastDay = Date.UTC(2026, 10, 19);
const shares = { transcribe: 0.6, isolate: 0.22, speak: 0.14, ask: 0.04 };
const dayCredits = Array.from({ length: 30 }, (_, at) => 60 + ((at * 97) % 290));
const creditsOf = (share: number) => Math.round(dayCredits.reduce((sum, credits) => sum + credits, 0) * share);

const counted: UsageReport = {
  source: 'service',
  days: dayCredits.map((credits, at) => ({
    fromMs: lastDay - (29 - at) * dayMs,
    credits,
    requests: 12 + (at % 9),
    products: Object.entries(shares).map(([product, share]) => ({ product, credits: Math.round(credits * share) })),
  })),
  products: [
    {
      product: 'transcribe',
      credits: creditsOf(0.6),
      requests: 402,
      unreported: 0,
      audioMs: 231_120_000,
      characters: null,
    },
    {
      product: 'isolate',
      credits: creditsOf(0.22),
      requests: 120,
      unreported: 0,
      audioMs: 72_240_000,
      characters: null,
    },
    { product: 'speak', credits: creditsOf(0.14), requests: 96, unreported: 0, audioMs: null, characters: 412_650 },
    { product: 'ask', credits: creditsOf(0.04), requests: 96, unreported: 0, audioMs: null, characters: null },
  ],
  credits: 5906,
  creditsBefore: 6420,
  requests: 1284,
  unreported: 0,
  service: {
    successRate: 0.989,
    failedRequests: 14,
    averageLatencyMs: 1400,
    audioMs: 303_360_000,
    characters: 412_650,
  },
};
export const here: UsageReport = { ...counted, source: 'computer', creditsBefore: null, unreported: 3, service: null };

const someKey: KeyView = {
  id: 'key_1',
  name: 'Newsroom laptop',
  maskedKey: 'key_••••pJ1u',
  prefix: 'key_',
  permissions: {
    speech_to_text: 'access',
    audio_isolation: 'access',
    text_to_speech: 'read',
    voices: 'read',
    stt_realtime: 'access',
  },
  scopes: [],
  enabled: true,
  createdAt: '2026-11-20T09:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  leakedAt: null,
  isRestricted: true,
  creditLimit: 1000,
  allowedIps: ['203.0.113.0/24'],
  disablesIfLeaked: true,
};
const listed = (change: Partial<KeyView> & Pick<KeyView, 'id' | 'name' | 'maskedKey'>): KeyView => ({
  ...someKey,
  isRestricted: null,
  creditLimit: null,
  allowedIps: null,
  disablesIfLeaked: null,
  ...change,
});
const keys: readonly KeyView[] = [
  someKey,
  listed({ id: 'key_2', name: 'Studiya', maskedKey: 'key_••••3kQ9', createdAt: '2026-09-02T09:00:00Z' }),
  listed({ id: 'key_3', name: 'Archive batch', maskedKey: 'key_••••x81c', permissions: { speech_to_text: 'access' } }),
  listed({
    id: 'key_4',
    name: 'Podcast site',
    maskedKey: 'key_••••02ha',
    permissions: { webhooks: 'access' },
    enabled: false,
  }),
  listed({
    id: 'key_5',
    name: 'Old phone',
    maskedKey: 'key_••••mm4d',
    revokedAt: '2026-01-12T09:00:00Z',
    permissions: {},
  }),
];

const logged = (id: number, change: Partial<LogEntryView> = {}): LogEntryView => ({
  requestId: `req_01jd5k7x9v3m${String(id)}`,
  at: new Date(Date.UTC(2026, 10, 20, 14, 2) - id * 3_700_000).toISOString(),
  method: 'POST',
  route: '/v1/stt',
  status: 200,
  latencyMs: 84 + id * 130,
  requestBytes: 88_200_000,
  responseBytes: 312,
  keyId: 'key_1',
  keyPrefix: 'key_7Qd2',
  usage: null,
  ...change,
});
const entries: readonly LogEntryView[] = [
  logged(0, { status: 402 }),
  logged(1, { route: '/v1/chat/completions', status: 403 }),
  logged(2, {
    usage: {
      product: 'stt',
      operation: 'transcribe',
      characters: null,
      durationMs: 60_000,
      credits: '60',
      isBillable: true,
      firstByteMs: 40,
      costMicros: 60_000,
      currency: 'USD',
    },
  }),
  logged(3, { route: '/v1/voice-isolations', status: 503, latencyMs: 10_000 }),
  logged(4, { method: 'GET', route: '/v1/stt/transcriptions', status: 401, keyId: 'key_5' }),
  logged(5, { route: '/v1/webhooks', status: 409, keyId: null, keyPrefix: null }),
];

export const webhooks: readonly WebhookView[] = [
  {
    id: 'wh_1',
    url: 'https://hooks.podcast-uz.example/ovoz/events',
    eventTypes: ['tts.generation.completed', 'stt.transcription.completed'],
    secretSuffix: '9f2c',
    enabled: true,
    revision: 3,
    createdAt: '2026-09-02T09:00:00Z',
    updatedAt: '2026-11-02T09:00:00Z',
    disabledAt: null,
  },
  {
    id: 'wh_2',
    url: 'https://test.example.org/in',
    eventTypes: [
      'tts.generation.completed',
      'stt.transcription.queued',
      'stt.transcription.completed',
      'stt.transcription.failed',
    ],
    secretSuffix: 'aa01',
    enabled: false,
    revision: 1,
    createdAt: '2026-09-02T09:00:00Z',
    updatedAt: null,
    disabledAt: '2026-10-04T09:00:00Z',
  },
];
const delivered = (id: number, change: Partial<DeliveryView> = {}): DeliveryView => ({
  id: `dlv_${String(id)}`,
  eventId: `evt_${String(id)}`,
  eventType: 'tts.generation.completed',
  state: 'succeeded',
  attempts: 1,
  responseStatus: 204,
  errorCode: null,
  createdAt: new Date(Date.UTC(2026, 10, 20, 14, 10) - id * 3_700_000).toISOString(),
  deliveredAt: null,
  nextAttemptAt: null,
  ...change,
});
const deliveries: readonly DeliveryView[] = [
  delivered(0),
  delivered(1, { eventType: 'webhook.test' }),
  delivered(2, { state: 'failed', responseStatus: 404 }),
  delivered(3, { state: 'canceled', attempts: 4, responseStatus: null }),
  delivered(4, { state: 'failed', responseStatus: null, errorCode: 'connection_failed', attempts: 8 }),
];

export const token = { present: true, maskedSuffix: 'qV2w', store: 'keychain', keychain: 'present' } as const;
export const known: StudioPlan['answers'] = {
  'usage.days': counted,
  'account.keys': { keys, ownSuffix: '3kQ9' },
  'account.log': { entries, nextCursor: 'c2' },
  'account.permissions': {
    permissions: [
      { id: 'speech_to_text', name: null, levels: ['none', 'read', 'write', 'access'], isImplemented: true },
      { id: 'stt_realtime', name: null, levels: ['none', 'access'], isImplemented: true },
      { id: 'llm', name: null, levels: ['none', 'read', 'write', 'access'], isImplemented: true },
      { id: 'webhooks', name: null, levels: ['access'], isImplemented: true },
    ],
  },
  'account.createKey': { key: someKey, maskedSuffix: 'pJ1u' },
  'webhooks.list': { webhooks },
  'webhooks.deliveries': { deliveries, total: 5, nextPage: null },
  'webhooks.secretHeld': { maskedSuffix: '9f2c' },
  'webhooks.check': { check: { verdict: 'mismatch', ageMs: 42_000, hint: 'without-last-line-end' } },
};
export const signedIn = planStudio({ connection: { accountToken: token }, answers: known });
