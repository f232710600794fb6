import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import {
  asFilledText,
  asText,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asCount,
  fieldsOf,
  readNamed,
  type JsonObject,
} from './values.ts';
import { readTranscript } from './read-transcript.ts';

/** The audio format that the service accepts; null: not given (contract 4.10). */
export interface StreamFormat {
  readonly audioFormat: string | null;
  readonly sampleRate: number | null;
  readonly channels: number | null;
}

/**
 * One message of a live transcription. `partial` is undocumented but accepted; `unknown` is a type of a newer service;
 * `unreadable` is no message at all.
 */
export type DictationMessage =
  | { readonly kind: 'ready'; readonly format: StreamFormat }
  | { readonly kind: 'final'; readonly result: ReceivedTranscript }
  | { readonly kind: 'partial'; readonly text: string }
  | { readonly kind: 'error'; readonly code: string; readonly message: string | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreadable' };

const finalNames = new Set(['final', 'final_transcript', 'result', 'transcript', 'completed']);
const partialNames = new Set(['partial', 'interim', 'partial_transcript', 'delta']);
const readyNames = new Set(['ready', 'session_ready', 'session_started', 'connected']);

/** A message of a live stream as JSON, and its type; null: no message. */
export function readStreamMessage(text: string): { readonly name: string; readonly body: JsonObject } | null {
  const json = parseGuardedJson(text);
  const body = json.isJson ? json.value : null;
  if (!isJsonObject(body)) return null;
  const named = pick(body, ['event', 'type', 'action', 'status'], asFilledText)?.toLowerCase();
  const name = named ?? (Object.hasOwn(body, 'error') || Object.hasOwn(body, 'error_code') ? 'error' : '');
  return { name, body };
}

/** The code and the text of an error event, at its top or under `error`. */
export function readStreamError(body: JsonObject): { readonly code: string; readonly message: string | null } {
  const inner = body['error'];
  const sources = isJsonObject(inner) ? [body, inner] : [body];
  const code = pickFrom(sources, ['code', 'error_code'], (value) =>
    typeof value === 'number' ? String(value) : asFilledText(value),
  );
  const bare = asFilledText(inner);
  return {
    code: (code ?? bare ?? 'unknown_error').toLowerCase(),
    message: pickFrom(sources, ['message', 'error_message', 'detail'], asFilledText) ?? null,
  };
}

/**
 * Parses a text frame of the stream. Never throws, whatever the frame contains. `knownDurationMs`: what was committed.
 */
export function readDictationMessage(text: string, knownDurationMs?: number): DictationMessage {
  const message = readStreamMessage(text);
  if (message === null) return { kind: 'unreadable' };
  const { name, body } = message;
  if (name === 'error') return { kind: 'error', ...readStreamError(body) };
  if (readyNames.has(name)) return { kind: 'ready', format: readStreamFormat(body) };
  if (finalNames.has(name)) {
    const result = readTranscript(unwrap(body), true, knownDurationMs);
    return result === null ? { kind: 'unknown' } : { kind: 'final', result };
  }
  const partial = partialNames.has(name) ? pick(body, ['text', 'transcript', 'delta'], asText) : undefined;
  return partial === undefined ? { kind: 'unknown' } : { kind: 'partial', text: partial };
}

/** The format in a `ready`, at its top or under `format` or `audio`. */
export function readStreamFormat(body: JsonObject): StreamFormat {
  const sources = [
    body,
    ...['format', 'audio', 'config'].flatMap((name) => (isJsonObject(body[name]) ? [body[name]] : [])),
  ];
  const of = <T>(names: readonly string[], accept: (value: unknown) => T | undefined): T | null =>
    pickFrom(sources, names, accept) ?? null;
  return {
    audioFormat: of(['audio_format', 'encoding', 'format'], asFilledText)?.toLowerCase() ?? null,
    sampleRate: of(['sample_rate', 'sampleRate', 'rate'], asCount),
    channels: of(['channels', 'channel_count'], asCount),
  };
}

/** A message of a speech stream, by the assumption `speech-stream` and by the documented legacy one. */
export type SpeechMessage =
  | { readonly kind: 'ready'; readonly format: StreamFormat }
  /** Audio as text: base64 of what a binary frame would contain. */
  | { readonly kind: 'sound'; readonly base64: string }
  | { readonly kind: 'done'; readonly characters: number | null; readonly durationMs: number | null }
  | { readonly kind: 'error'; readonly code: string; readonly message: string | null }
  /** Information without consequence: that work began, or its progress. */
  | { readonly kind: 'note' }
  | { readonly kind: 'unknown' };

const doneNames = new Set(['final', 'done', 'end', 'ended', 'completed', 'complete', 'finished', 'stream_end']);
const noteNames = new Set([
  'started',
  'start',
  'queued',
  'processing',
  'progress',
  'metadata',
  'chunk',
  'pong',
  'ping',
]);
const audioNames = ['audio', 'audio_base64', 'data', 'chunk'];

/** Parses a text frame of the live stream of speech (assumptions: speech-stream). Never throws. */
export function readSpeechMessage(text: string): SpeechMessage {
  const message = readStreamMessage(text);
  if (message === null) return { kind: 'unknown' };
  const { name, body } = message;
  if (name === 'error') return { kind: 'error', ...readStreamError(body) };
  if (readyNames.has(name)) return { kind: 'ready', format: readStreamFormat(body) };
  const { count } = fieldsOf(body);
  if (doneNames.has(name))
    return { kind: 'done', characters: count('characters', 'character_count'), durationMs: count('duration_ms') };
  const base64 = pick(body, audioNames, asFilledText);
  if (base64 !== undefined && base64.length >= 4 && /^[A-Za-z0-9+/]+={0,2}$/u.test(base64))
    return { kind: 'sound', base64 };
  return noteNames.has(name) ? { kind: 'note' } : { kind: 'unknown' };
}

/** A ticket (contract 2.6). The address comes without the ticket in it. */
export function readTicket(body: unknown) {
  const source = readNamed(body, ['realtime_ticket'], ['ticket']);
  if (source === null) return null;
  const { text, moment } = fieldsOf(source);
  const ticket = text('ticket');
  return ticket === null
    ? null
    : { ticket, service: text('service'), expiresAt: moment('expires_at'), websocketUrl: text('websocket_url') };
}
