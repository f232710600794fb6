import type { AssumptionName } from './assumptions.ts';

/** Which secret a route takes; chosen by the transport, never by a caller. */
export type CredentialClass = 'api-key' | 'access-token' | 'legacy-key' | 'none';

/** Whether the same request may be repeated after a lost answer. */
export type RetryClass = 'safe' | 'with-idempotency-key' | 'never';

export type Product = 'transcribe' | 'dictate' | 'speak' | 'isolate' | 'voices' | 'ask';

/** One route of the service as data, for the client, the practice service and the tools alike. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Template; `{name}` is filled with an encoded value. Also what logs name a request by. */
  readonly path: `/${string}`;
  readonly credential: CredentialClass;
  readonly product: Product;
  /** The grant it needs, as section 2.2 of the service's document writes it. */
  readonly permission: `${string}: ${'read' | 'write' | 'access'}`;
  readonly retry: RetryClass;
  /** Longest wait for the first byte of an answer after the last byte of the request, milliseconds. */
  readonly firstByteMs: number;
  /** What a success carries. */
  readonly answer: 'json' | 'text' | 'none';
  /** Whether the document shows the route itself. */
  readonly evidence: 'documented' | 'assumed';
  /** What the reading of its answers rests on beyond the document. */
  readonly assumes: readonly AssumptionName[];
}

const readMs = 30_000;
const uploadMs = 300_000;
const key = { credential: 'api-key', evidence: 'documented' } as const;
const stt = { ...key, product: 'transcribe' } as const;
const read = { method: 'GET', retry: 'safe', firstByteMs: readMs, answer: 'json' } as const;

const transcription = [
  'transcription-body',
  'transcription-id',
  'transcription-status',
  'transcript-fields',
  'time-units',
  'speaker-labels',
  'failure-reason',
] as const;
const discovery = ['denied-read'] as const;

export const endpoints = {
  'stt.submit': {
    ...stt,
    method: 'POST',
    path: '/v1/stt',
    permission: 'speech_to_text: write',
    retry: 'with-idempotency-key',
    firstByteMs: uploadMs,
    answer: 'json',
    assumes: transcription,
  },
  'stt.list': {
    ...stt,
    ...read,
    path: '/v1/stt/transcriptions',
    permission: 'speech_to_text: read',
    assumes: ['history-body', 'denied-read'],
  },
  'stt.read': {
    ...stt,
    ...read,
    path: '/v1/stt/transcriptions/{transcription_id}',
    permission: 'speech_to_text: read',
    assumes: transcription,
  },
  'stt.rename': {
    ...stt,
    method: 'PATCH',
    path: '/v1/stt/transcriptions/{transcription_id}',
    permission: 'speech_to_text: write',
    retry: 'safe',
    firstByteMs: readMs,
    answer: 'none',
    assumes: ['change-answers'],
  },
  'stt.remove': {
    ...stt,
    method: 'DELETE',
    path: '/v1/stt/transcriptions/{transcription_id}',
    permission: 'speech_to_text: write',
    retry: 'safe',
    firstByteMs: readMs,
    answer: 'none',
    assumes: ['change-answers'],
  },
  'stt.export': {
    ...stt,
    ...read,
    path: '/v1/stt/transcriptions/{transcription_id}/export',
    permission: 'speech_to_text: read',
    answer: 'text',
    assumes: ['export-body'],
  },
  'speak.languages': {
    ...key,
    ...read,
    product: 'speak',
    path: '/v1/tts/languages',
    permission: 'text_to_speech: read',
    assumes: discovery,
  },
  'speak.list': {
    ...key,
    ...read,
    product: 'speak',
    path: '/v1/tts/generations',
    permission: 'text_to_speech: read',
    assumes: discovery,
  },
  'voices.list': {
    ...key,
    ...read,
    product: 'voices',
    path: '/v1/voices',
    permission: 'voices: read',
    assumes: discovery,
  },
  'isolate.list': {
    ...key,
    ...read,
    product: 'isolate',
    path: '/v1/voice-isolations',
    permission: 'audio_isolation: read',
    assumes: discovery,
  },
  'ask.models': { ...key, ...read, product: 'ask', path: '/v1/models', permission: 'llm: read', assumes: discovery },
} as const satisfies Readonly<Record<string, Endpoint>>;
