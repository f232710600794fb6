import type { Product } from '../domain/permissions/permission-map.ts';

/** Which secret a route requires; chosen by the transport, never by a caller (contract 5). */
export type CredentialClass = 'api-key' | 'access-token' | 'legacy-key' | 'ticket' | 'none';

/** Whether the same request may be repeated after a lost answer. */
export type RetryClass = 'safe' | 'with-idempotency-key' | 'never';

/** A product, or a part of the service that is not sold separately. */
export type ServiceArea = Product | 'clone' | 'webhooks' | 'account' | 'usage';

/** One route of the service as data, for the client, the practice service and the tools. */
export interface Endpoint {
  readonly transport: 'http' | 'websocket' | 'grpc';
  /** For sockets the method of the upgrade, for gRPC that of the call. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly credential: CredentialClass;
  readonly product: ServiceArea;
  /** The required grant, as in section 2.2 of the service's document; null where grants do not apply. */
  readonly permission: `${PermissionId}: ${'read' | 'write' | 'access'}` | null;
  readonly retry: RetryClass;
  /** Longest wait for the first byte of an answer after the last byte of the request, milliseconds. */
  readonly firstByteMs: number;
  /** The content of a success; `events` is a stream of server-sent events or, if none was requested, JSON. */
  readonly answer: 'json' | 'text' | 'audio' | 'events' | 'messages' | 'none';
  /** Section of the service's document. */
  readonly section: `4.${number}`;
  /** Whether the document shows the route itself. */
  readonly evidence: 'documented' | 'assumed';
}

/** Every permission and its possible levels (contract 2.2). `none` means no access. */
export const permissionLevels = {
  text_to_speech: ['none', 'read', 'write', 'access'],
  tts_realtime: ['none', 'access'],
  speech_to_text: ['none', 'read', 'write', 'access'],
  stt_realtime: ['none', 'access'],
  audio_isolation: ['none', 'read', 'write', 'access'],
  llm: ['none', 'read', 'write', 'access'],
  // The catalogue names none and read; the cloning flow also uses write and access (4.12).
  voices: ['none', 'read', 'write', 'access'],
  webhooks: ['access'],
} as const;

export type PermissionId = keyof typeof permissionLevels;

/** Longest waits for the first byte of an answer, milliseconds. */
const firstByte = {
  read: 30_000,
  speak: 120_000,
  ask: 120_000,
  attachment: 130_000,
  enrollment: 200_000,
  upload: 300_000,
} as const;

const http = { transport: 'http', firstByteMs: firstByte.read, answer: 'json' } as const;
const reading = { ...http, method: 'GET', retry: 'safe' } as const;
/** Changes to a stated end: repeating them changes nothing more. */
const renaming = { ...http, method: 'PATCH', retry: 'safe' } as const;
const replacing = { ...http, method: 'PUT', retry: 'safe' } as const;
const removing = { ...http, method: 'DELETE', retry: 'safe', answer: 'none' } as const;
/** A creation whose repeats are recognised by the key. */
const creatingWithKey = { ...http, method: 'POST', retry: 'with-idempotency-key' } as const;
/** A creation that may happen twice: after a lost answer the result must be looked up first. */
const creating = { ...http, method: 'POST', retry: 'never' } as const;
/** An action whose repeat does no harm. */
const acting = { ...http, method: 'POST', retry: 'safe' } as const;
/** The upgrade is one attempt; what follows depends on the messages exchanged. */
const socket = {
  transport: 'websocket',
  method: 'GET',
  retry: 'never',
  firstByteMs: 10_000,
  answer: 'messages',
} as const;

const documented = { evidence: 'documented', credential: 'api-key' } as const;
const assumed = { evidence: 'assumed' } as const;

const account = { ...documented, credential: 'access-token', product: 'account', permission: null } as const;
const keys = { ...account, section: '4.1' } as const;
const usage = { ...account, product: 'usage', section: '4.2' } as const;
const ask = { ...documented, product: 'ask', section: '4.3' } as const;
const askReading = { ...ask, ...reading, permission: 'llm: read' } as const;
const askWriting = { ...ask, permission: 'llm: write' } as const;
const speak = { ...documented, product: 'speak', section: '4.5' } as const;
const speakReading = { ...speak, ...reading, permission: 'text_to_speech: read' } as const;
const speakWriting = { ...speak, permission: 'text_to_speech: write' } as const;
const stt = { ...documented, product: 'transcribe', section: '4.6' } as const;
const sttReading = { ...stt, ...reading, permission: 'speech_to_text: read' } as const;
const sttWriting = { ...stt, permission: 'speech_to_text: write' } as const;
const transcription = '/v1/stt/transcriptions/{transcription_id}';
const dictate = { ...documented, product: 'dictate', permission: 'stt_realtime: access' } as const;
const isolate = { ...documented, product: 'isolate', section: '4.7' } as const;
const isolateReading = { ...isolate, ...reading, permission: 'audio_isolation: read' } as const;
const isolateWriting = { ...isolate, permission: 'audio_isolation: write' } as const;
const isolateUpload = { ...isolateWriting, ...creatingWithKey, firstByteMs: firstByte.upload } as const;
const webhooks = { ...documented, product: 'webhooks', section: '4.11', permission: 'webhooks: access' } as const;
const webhook = '/v1/webhooks/{webhook_id}';
const clone = { ...documented, product: 'clone', section: '4.12' } as const;
const cloneReading = { ...clone, ...assumed, ...reading, permission: 'voices: read' } as const;
const cloneChange = { permission: 'voices: write', firstByteMs: firstByte.enrollment } as const;
const enrollment = '/v1/voice-enrollments/{id}';
const cloned = '/v1/voices/{voice_id}';
const legacySpeak = {
  ...documented,
  credential: 'legacy-key',
  product: 'speak',
  permission: null,
  section: '4.14',
} as const;
const legacyLive = { ...legacySpeak, section: '4.15' } as const;
const legacyStt = { ...legacySpeak, product: 'transcribe', section: '4.16' } as const;
const legacyUpload = { ...legacyStt, ...creating, firstByteMs: firstByte.upload } as const;

/** Every route of contract 4.1 to 4.16, under our own names. */
export const endpoints = {
  'account.permissions': { ...keys, ...reading, path: '/api/v1/account/api-key-permissions' },
  'account.scopes': { ...keys, ...reading, path: '/api/v1/account/api-key-scopes' },
  'account.keys.create': { ...keys, ...creating, path: '/api/v1/account/api-keys' },
  'account.keys.list': { ...keys, ...reading, path: '/api/v1/account/api-keys' },
  'account.keys.update': { ...keys, ...renaming, path: '/api/v1/account/api-keys/{key_id}' },
  'account.keys.revoke': { ...keys, ...acting, path: '/api/v1/account/api-keys/{key_id}/revoke', answer: 'none' },
  'account.keys.remove': { ...keys, ...removing, path: '/api/v1/account/api-keys/{key_id}' },
  'usage.analytics': { ...usage, ...reading, path: '/api/v1/account/analytics' },
  'usage.request-logs': { ...usage, ...reading, path: '/api/v1/account/request-logs' },

  'ask.models': { ...askReading, path: '/v1/models' },
  'ask.complete': {
    ...askWriting,
    ...creatingWithKey,
    path: '/v1/chat/completions',
    firstByteMs: firstByte.ask,
    answer: 'events',
  },
  'ask.request': { ...askReading, path: '/v1/llm/requests/{id}' },
  'ask.files.upload': {
    ...askWriting,
    ...creating,
    section: '4.4',
    path: '/v1/files',
    firstByteMs: firstByte.attachment,
  },
  'ask.files.list': { ...askReading, section: '4.4', path: '/v1/files' },
  'ask.files.read': { ...askReading, section: '4.4', path: '/v1/files/{file_id}' },
  'ask.files.remove': { ...askWriting, ...removing, section: '4.4', path: '/v1/files/{file_id}', answer: 'json' },

  'speak.generate': {
    ...speakWriting,
    ...creatingWithKey,
    path: '/v1/tts',
    firstByteMs: firstByte.speak,
    answer: 'audio',
  },
  'speak.languages': { ...speakReading, path: '/v1/tts/languages' },
  'speak.list': { ...speakReading, path: '/v1/tts/generations' },
  'speak.read': { ...speakReading, path: '/v1/tts/generations/{generation_id}' },
  'speak.remove': { ...speakWriting, ...removing, path: '/v1/tts/generations/{generation_id}' },
  'speak.stream': {
    ...speak,
    ...socket,
    path: '/v1/tts/stream',
    credential: 'ticket',
    permission: 'tts_realtime: access',
  },
  'voices.list': {
    ...documented,
    ...reading,
    product: 'voices',
    section: '4.8',
    path: '/v1/voices',
    permission: 'voices: read',
  },

  'stt.submit': { ...sttWriting, ...creatingWithKey, path: '/v1/stt', firstByteMs: firstByte.upload },
  'stt.list': { ...sttReading, path: '/v1/stt/transcriptions' },
  'stt.read': { ...sttReading, path: transcription },
  'stt.rename': { ...sttWriting, ...renaming, path: transcription, answer: 'none' },
  // A revision counted twice would look like a conflict with our own edit.
  'stt.save-editor': { ...sttWriting, ...replacing, path: `${transcription}/editor`, retry: 'never' },
  'stt.remove': { ...sttWriting, ...removing, path: transcription },
  'stt.export': { ...sttReading, path: `${transcription}/export`, answer: 'text' },
  'realtime.ticket': { ...dictate, ...acting, section: '4.9', path: '/v1/ticket' },
  'dictate.stream': { ...dictate, ...socket, section: '4.10', path: '/v1/stt/stream', credential: 'ticket' },

  'isolate.submit': { ...isolateUpload, path: '/v1/voice-isolations' },
  'isolate.batch': { ...isolateUpload, path: '/v1/voice-isolations/batch' },
  'isolate.list': { ...isolateReading, path: '/v1/voice-isolations' },
  'isolate.read': { ...isolateReading, path: '/v1/voice-isolations/{id}' },
  'isolate.remove': { ...isolateWriting, ...removing, path: '/v1/voice-isolations/{id}' },
  'isolate.exports.create': { ...isolateWriting, ...creating, path: '/v1/voice-isolations/{id}/exports' },
  'isolate.exports.read': { ...isolateReading, path: '/v1/voice-isolations/{id}/exports/{format}' },

  'webhooks.create': { ...webhooks, ...creating, path: '/v1/webhooks' },
  'webhooks.list': { ...webhooks, ...assumed, ...reading, path: '/v1/webhooks' },
  'webhooks.read': { ...webhooks, ...assumed, ...reading, path: webhook },
  'webhooks.update': { ...webhooks, ...assumed, ...renaming, path: webhook },
  'webhooks.remove': { ...webhooks, ...assumed, ...removing, path: webhook },
  'webhooks.rotate': { ...webhooks, ...assumed, ...creating, path: `${webhook}/rotate-secret` },
  'webhooks.test': { ...webhooks, ...assumed, ...creating, path: `${webhook}/test` },
  'webhooks.deliveries': { ...webhooks, ...assumed, ...reading, path: `${webhook}/deliveries` },
  'webhooks.retry': { ...webhooks, ...assumed, ...creating, path: `${webhook}/deliveries/{delivery_id}/retry` },

  'clone.upload': { ...clone, ...creating, ...cloneChange, path: '/v1/voice-enrollments' },
  'clone.approve': { ...clone, ...creating, ...cloneChange, path: `${enrollment}/transcript` },
  'clone.verify': { ...clone, ...creating, ...cloneChange, path: `${enrollment}/verify` },
  'clone.challenge': { ...clone, ...assumed, ...creating, ...cloneChange, path: `${enrollment}/challenge` },
  'clone.read': { ...cloneReading, path: enrollment },
  'clone.capabilities': { ...cloneReading, path: '/v1/voice-enrollments/capabilities' },
  'clone.metadata.read': { ...cloneReading, path: cloned },
  'clone.metadata.replace': { ...clone, ...assumed, ...replacing, ...cloneChange, path: cloned, answer: 'none' },
  'clone.remove': { ...clone, ...assumed, ...removing, ...cloneChange, path: cloned },

  // No creation of the legacy API has an idempotency key.
  'legacy.speak.submit': { ...legacySpeak, ...creating, path: '/api/v1/tts/post/', firstByteMs: firstByte.speak },
  'legacy.speak.status': { ...legacySpeak, ...reading, path: '/api/v1/tts/status/{id}/' },
  'legacy.speak.list': { ...legacySpeak, ...reading, path: '/api/v1/tts/get/' },
  'legacy.speak.stream': { ...legacyLive, ...socket, path: '/api/v1/tts/realtime' },
  'legacy.speak.call': {
    ...legacyLive,
    transport: 'grpc',
    method: 'POST',
    path: '/RealtimeTTS/Synthesize',
    retry: 'never',
    firstByteMs: firstByte.speak,
    answer: 'messages',
  },
  'legacy.stt.submit': { ...legacyUpload, path: '/api/v1/stt/post/' },
  'legacy.stt.list': { ...legacyStt, ...reading, path: '/api/v1/stt/get/' },
  'legacy.stt.audios': { ...legacyStt, ...reading, path: '/api/v1/stt/audios/' },
  'legacy.stt.submit-long': { ...legacyUpload, path: '/api/v2/stt/post/' },
  'legacy.stt.list-long': { ...legacyStt, ...reading, path: '/api/v2/stt/get/' },
  'legacy.stt.read-long': { ...legacyStt, ...reading, path: '/api/v2/stt/get/{id}/' },
} as const satisfies Readonly<Record<string, Endpoint>>;

export type EndpointName = keyof typeof endpoints;
