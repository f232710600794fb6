import type { FailureArea } from '../../shared/domain/failures/area-rows.ts';
import type { RequestTarget } from '../../shared/domain/failures/code-rows.ts';
import type { Product } from '../../shared/domain/permissions/permission-map.ts';
import * as legacy from './legacy.ts';
import * as account from './account.ts';
import * as ask from './ask.ts';
import { readTicket } from './connection.ts';
import * as isolation from './isolate.ts';
import * as speak from './speak.ts';
import { readTranscriptionPage } from './read-transcription.ts';

/** Which secret a route requires; chosen by the transport, never by a caller (contract 5). */
export type CredentialClass = 'api-key' | 'access-token' | 'legacy-key' | 'ticket' | 'none';

/** A product, or a part of the service that is not sold separately. */
type ServiceArea = Product | 'clone' | 'webhooks' | 'account' | 'usage';

type PermissionId =
  | 'text_to_speech'
  | 'tts_realtime'
  | 'speech_to_text'
  | 'stt_realtime'
  | 'audio_isolation'
  | 'llm'
  | 'voices'
  | 'webhooks';

/** What a body contains; null when it is no such answer. */
export type Reader<T> = (body: unknown, requestId: string | null) => T | null;

/** One route of the service as data, for the client, the tools and the tests. */
export interface Endpoint {
  readonly transport: 'http' | 'websocket' | 'grpc';
  /** For sockets the method of the upgrade, for gRPC that of the call. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly credential: CredentialClass;
  readonly product: ServiceArea;
  /** Whose rows of failures come first. */
  readonly area: FailureArea | undefined;
  /** The required grant, as in section 2.2 of the service's document; null where grants do not apply. */
  readonly permission: `${PermissionId}: ${'read' | 'write' | 'access'}` | null;
  /** The unit it is charged by (contract 8, billing rules); `free`: it costs nothing. */
  readonly meter: 'characters' | 'audio' | 'tokens' | 'free';
  /** Whether the same request may be repeated after a lost answer. */
  readonly retry: 'safe' | 'with-idempotency-key' | 'never';
  /** What a 404 means: that there is no such route, job or other thing. */
  readonly target: RequestTarget;
  /** Longest wait for the first byte of an answer after the last byte of the request, milliseconds. */
  readonly firstByteMs: number;
  /** The content of a success; `events` is a stream of server-sent events or, if none was requested, JSON. */
  readonly answer: 'json' | 'text' | 'audio' | 'events' | 'messages' | 'none';
  /** Reads a success; null where more than the body decides, or nothing is read. */
  readonly read: Reader<unknown> | null;
  /** Whether the document shows the route itself. */
  readonly evidence: 'documented' | 'assumed';
}

type Grant = Endpoint['permission'];
type More = Partial<Pick<Endpoint, 'area' | 'retry' | 'target' | 'firstByteMs' | 'answer' | 'evidence'>>;

interface Group extends Pick<Endpoint, 'product'>, Partial<Pick<Endpoint, 'area' | 'credential'>> {
  readonly reading: Grant;
  readonly writing: Grant;
}

const defaults = {
  transport: 'http',
  credential: 'api-key',
  area: undefined,
  meter: 'free',
  retry: 'safe',
  firstByteMs: 30_000,
  answer: 'json',
  evidence: 'documented',
} as const;

const row = <R extends Endpoint['read']>(
  { reading, writing, ...of }: Group,
  rest: More &
    Pick<Endpoint, 'method' | 'path'> &
    Partial<Pick<Endpoint, 'transport' | 'meter'>> & { readonly read: R },
) => ({
  ...defaults,
  permission: rest.method === 'GET' ? reading : writing,
  target: rest.path.includes('{') ? ('resource' as const) : ('route' as const),
  ...of,
  ...rest,
});
const get = <R extends Endpoint['read']>(of: Group, path: Endpoint['path'], read: R, more?: More) =>
  row(of, { method: 'GET', path, read, ...more });
/** Changes to a stated end: repeating them changes nothing more. */
const change = <R extends Endpoint['read']>(
  of: Group,
  method: 'PATCH' | 'PUT' | 'DELETE',
  path: Endpoint['path'],
  read: R,
  more?: More,
) => row(of, { method, path, read, ...(read === null ? { answer: 'none' } : {}), ...more });
/** A creation may happen twice: after a lost answer the result must be looked up first. */
const post = <R extends Endpoint['read']>(
  of: Group,
  meter: Endpoint['meter'],
  path: Endpoint['path'],
  read: R,
  more?: More,
) => row(of, { method: 'POST', path, read, meter, retry: 'never', ...more });
/** The upgrade is one attempt; what follows depends on the messages exchanged. */
const socket = (of: Group, meter: Endpoint['meter'], path: Endpoint['path']) =>
  row(of, {
    transport: 'websocket',
    method: 'GET',
    path,
    meter,
    retry: 'never',
    firstByteMs: 10_000,
    answer: 'messages',
    read: null,
  });

const keyed = { retry: 'with-idempotency-key' } as const;
const assumed = { evidence: 'assumed' } as const;
const slow = (seconds: number) => ({ firstByteMs: seconds * 1000 });

const noGrant = { reading: null, writing: null } as const;
const ofAccount = { product: 'account', area: 'account', credential: 'access-token', ...noGrant } as const;
const ofUsage = { ...ofAccount, product: 'usage', area: 'usage' } as const;
const ofAsk = { product: 'ask', area: 'ask', reading: 'llm: read', writing: 'llm: write' } as const;
const ofFiles = { ...ofAsk, area: 'attachments' } as const;
const ofSpeak = { product: 'speak', reading: 'text_to_speech: read', writing: 'text_to_speech: write' } as const;
const ofVoices = { product: 'voices', reading: 'voices: read', writing: 'voices: write' } as const;
const ofStt = { product: 'transcribe', reading: 'speech_to_text: read', writing: 'speech_to_text: write' } as const;
const ofLive = { product: 'dictate', reading: 'stt_realtime: access', writing: 'stt_realtime: access' } as const;
const ofLiveSpeech = { product: 'speak', reading: 'tts_realtime: access', writing: 'tts_realtime: access' } as const;
const ofIsolate = { product: 'isolate', reading: 'audio_isolation: read', writing: 'audio_isolation: write' } as const;
const hooks = {
  product: 'webhooks',
  area: 'webhooks',
  reading: 'webhooks: access',
  writing: 'webhooks: access',
} as const;
const ofClone = { ...ofVoices, product: 'clone', area: 'clone' } as const;
const oldSpeak = { product: 'speak', area: 'legacy', credential: 'legacy-key', ...noGrant } as const;
const oldStt = { ...oldSpeak, product: 'transcribe' } as const;

const transcription = '/v1/stt/transcriptions/{transcription_id}';
const webhook = '/v1/webhooks/{webhook_id}';
const enrollment = '/v1/voice-enrollments/{id}';
const cloned = '/v1/voices/{voice_id}';

/** Every route of contract 4.1 to 4.16, under our own names. */
export const endpoints = {
  // 4.1, 4.2
  'account.permissions': get(ofAccount, '/api/v1/account/api-key-permissions', account.readPermissionCatalog),
  'account.scopes': get(ofAccount, '/api/v1/account/api-key-scopes', account.readScopeCatalog),
  'account.keys.create': post(ofAccount, 'free', '/api/v1/account/api-keys', account.readAccountKey),
  'account.keys.list': get(ofAccount, '/api/v1/account/api-keys', account.readAccountKeys),
  'account.keys.update': change(ofAccount, 'PATCH', '/api/v1/account/api-keys/{key_id}', account.readAccountKey),
  'account.keys.revoke': post(ofAccount, 'free', '/api/v1/account/api-keys/{key_id}/revoke', null, {
    retry: 'safe',
    answer: 'none',
  }),
  'account.keys.remove': change(ofAccount, 'DELETE', '/api/v1/account/api-keys/{key_id}', null),
  'usage.analytics': get(ofUsage, '/api/v1/account/analytics', account.readAnalytics),
  'usage.request-logs': get(ofUsage, '/api/v1/account/request-logs', account.readRequestLogs),

  // 4.3, 4.4
  'ask.models': get(ofAsk, '/v1/models', ask.readModels),
  'ask.complete': post(ofAsk, 'tokens', '/v1/chat/completions', null, { ...keyed, ...slow(120), answer: 'events' }),
  'ask.request': get(ofAsk, '/v1/llm/requests/{id}', ask.readQuestionStatus),
  'ask.files.upload': post(ofFiles, 'free', '/v1/files', ask.readAskFile, slow(130)),
  'ask.files.list': get(ofFiles, '/v1/files', ask.readAskFiles),
  'ask.files.read': get(ofFiles, '/v1/files/{file_id}', ask.readAskFile),
  'ask.files.remove': change(ofFiles, 'DELETE', '/v1/files/{file_id}', null, { answer: 'json' }),

  // 4.5, 4.8
  'speak.generate': post(ofSpeak, 'characters', '/v1/tts', null, { ...keyed, ...slow(120), answer: 'audio' }),
  'speak.languages': get(ofSpeak, '/v1/tts/languages', speak.readSpeechCatalog),
  'speak.list': get(ofSpeak, '/v1/tts/generations', speak.readGenerations),
  'speak.read': get(ofSpeak, '/v1/tts/generations/{generation_id}', speak.readGeneration),
  'speak.remove': change(ofSpeak, 'DELETE', '/v1/tts/generations/{generation_id}', null),
  'speak.stream': socket({ ...ofLiveSpeech, credential: 'ticket' }, 'characters', '/v1/tts/stream'),
  'voices.list': get(ofVoices, '/v1/voices', speak.readVoices),

  // 4.6
  'stt.submit': post(ofStt, 'audio', '/v1/stt', null, { ...keyed, ...slow(300) }),
  'stt.list': get(ofStt, '/v1/stt/transcriptions', readTranscriptionPage),
  'stt.read': get(ofStt, transcription, null, { target: 'job' }),
  'stt.rename': change(ofStt, 'PATCH', transcription, null),
  // A revision counted twice would look like a conflict with our own edit.
  'stt.save-editor': change(ofStt, 'PUT', `${transcription}/editor`, null, { retry: 'never', answer: 'json' }),
  'stt.remove': change(ofStt, 'DELETE', transcription, null),
  'stt.export': get(ofStt, `${transcription}/export`, null, { answer: 'text' }),

  // 4.9, 4.10
  'realtime.ticket': post(ofLive, 'free', '/v1/ticket', readTicket, { retry: 'safe' }),
  'dictate.stream': socket({ ...ofLive, area: 'dictation', credential: 'ticket' }, 'audio', '/v1/stt/stream'),

  // 4.7
  'isolate.submit': post(ofIsolate, 'audio', '/v1/voice-isolations', isolation.readIsolation, {
    ...keyed,
    ...slow(300),
  }),
  'isolate.batch': post(ofIsolate, 'audio', '/v1/voice-isolations/batch', isolation.readBatch, {
    ...keyed,
    ...slow(300),
    area: 'isolation-batch',
  }),
  'isolate.list': get(ofIsolate, '/v1/voice-isolations', isolation.readIsolations),
  'isolate.read': get(ofIsolate, '/v1/voice-isolations/{id}', isolation.readIsolation, { target: 'job' }),
  'isolate.remove': change(ofIsolate, 'DELETE', '/v1/voice-isolations/{id}', null),
  'isolate.exports.create': post(ofIsolate, 'free', '/v1/voice-isolations/{id}/exports', isolation.readIsolationExport),
  'isolate.exports.read': get(ofIsolate, '/v1/voice-isolations/{id}/exports/{format}', isolation.readIsolationExport),

  // 4.11
  'webhooks.create': post(hooks, 'free', '/v1/webhooks', account.readWebhook),
  'webhooks.list': get(hooks, '/v1/webhooks', account.readWebhookPage, assumed),
  'webhooks.read': get(hooks, webhook, account.readWebhook, assumed),
  'webhooks.update': change(hooks, 'PATCH', webhook, account.readWebhook, assumed),
  'webhooks.remove': change(hooks, 'DELETE', webhook, null, assumed),
  'webhooks.rotate': post(hooks, 'free', `${webhook}/rotate-secret`, account.readWebhook, assumed),
  'webhooks.test': post(hooks, 'free', `${webhook}/test`, account.readDelivery, assumed),
  'webhooks.deliveries': get(hooks, `${webhook}/deliveries`, account.readDeliveryPage, assumed),
  'webhooks.retry': post(hooks, 'free', `${webhook}/deliveries/{delivery_id}/retry`, account.readDelivery, assumed),

  // 4.12
  'clone.upload': post(ofClone, 'free', '/v1/voice-enrollments', speak.readEnrollment, slow(200)),
  'clone.approve': post(ofClone, 'free', `${enrollment}/transcript`, speak.readEnrollment, slow(200)),
  'clone.verify': post(ofClone, 'free', `${enrollment}/verify`, speak.readEnrollment, {
    area: 'clone-verify',
    ...slow(200),
  }),
  'clone.challenge': post(ofClone, 'free', `${enrollment}/challenge`, speak.readEnrollment, {
    ...assumed,
    ...slow(200),
  }),
  'clone.read': get(ofClone, enrollment, speak.readEnrollment, assumed),
  'clone.capabilities': get(ofClone, '/v1/voice-enrollments/capabilities', speak.readCloneCapabilities, assumed),
  'clone.metadata.read': get(ofClone, cloned, speak.readVoiceMetadata, assumed),
  'clone.metadata.replace': change(ofClone, 'PUT', cloned, null, { ...assumed, ...slow(200) }),
  'clone.remove': change(ofClone, 'DELETE', cloned, null, { area: 'clone-remove', ...assumed, ...slow(200) }),

  // 4.14 to 4.16: no creation of the legacy API has an idempotency key.
  'legacy.speak.submit': post(oldSpeak, 'characters', '/api/v1/tts/post/', legacy.readLegacySpeech, slow(120)),
  'legacy.speak.status': get(oldSpeak, '/api/v1/tts/status/{id}/', legacy.readLegacySpeech, { target: 'job' }),
  'legacy.speak.list': get(oldSpeak, '/api/v1/tts/get/', legacy.readLegacySpeeches),
  'legacy.speak.stream': socket(oldSpeak, 'characters', '/api/v1/tts/realtime'),
  'legacy.speak.call': row(oldSpeak, {
    transport: 'grpc',
    method: 'POST',
    path: '/RealtimeTTS/Synthesize',
    meter: 'characters',
    retry: 'never',
    answer: 'messages',
    read: null,
    ...slow(120),
  }),
  'legacy.stt.submit': post(oldStt, 'audio', '/api/v1/stt/post/', legacy.readLegacyTranscription, slow(300)),
  'legacy.stt.list': get(oldStt, '/api/v1/stt/get/', legacy.readLegacyTranscriptions),
  'legacy.stt.audios': get(oldStt, '/api/v1/stt/audios/', null),
  'legacy.stt.submit-long': post(oldStt, 'audio', '/api/v2/stt/post/', null, slow(300)),
  'legacy.stt.list-long': get(oldStt, '/api/v2/stt/get/', legacy.readLegacyTranscriptions),
  'legacy.stt.read-long': get(oldStt, '/api/v2/stt/get/{id}/', null, { target: 'job' }),
} satisfies Readonly<Record<string, Endpoint>>;

export type EndpointName = keyof typeof endpoints;

/** What the reader of a route makes of a success. */
export type Read<N extends EndpointName> = (typeof endpoints)[N]['read'] extends Reader<infer T> ? T : never;

/** What a route is charged by. */
export const meterOf = (name: EndpointName): Endpoint['meter'] => endpoints[name].meter;

const paid = (Object.keys(endpoints) as EndpointName[]).filter((name) => meterOf(name) !== 'free');

/** The name of this paid route, or null for a free one. Matched by method and address. */
export const paidRoute = ({ transport, method, path }: Endpoint): EndpointName | null =>
  paid.find((name) => {
    const known = endpoints[name];
    return known.transport === transport && known.method === method && known.path === path;
  }) ?? null;
