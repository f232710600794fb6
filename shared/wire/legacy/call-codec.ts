import { err, ok, type Result } from '../../result/result.ts';

/** Address of the one call of the legacy live speech (contract 4.15, `legacy-speech.proto`). */
export const legacyCallPath = '/RealtimeTTS/Synthesize';

/** A turn, or with `end` the request to finish. proto3 does not write empty texts, 0 and false. */
export interface SynthesizeRequest {
  readonly requestId: string;
  readonly speakerId: string;
  readonly language: string;
  readonly text: string;
  /** 0: absent, which means 1. */
  readonly speed: number;
  readonly end: boolean;
}

/** The answer to a turn: a complete WAV file, or an error. */
export interface SynthesizeResponse {
  readonly requestId: string;
  readonly speakerId: string;
  readonly sampleRate: number;
  readonly durationSec: number;
  readonly characters: number;
  readonly audioWav: Uint8Array;
  readonly errorCode: string;
  readonly errorMessage: string;
}

type Kind = 'text' | 'bytes' | 'float' | 'count' | 'flag';
type Value = string | Uint8Array | number | boolean;
type Layout = readonly (readonly [name: string, kind: Kind])[];

const requestLayout = [
  ['requestId', 'text'],
  ['speakerId', 'text'],
  ['language', 'text'],
  ['text', 'text'],
  ['speed', 'float'],
  ['end', 'flag'],
] as const satisfies Layout;
const responseLayout = [
  ['requestId', 'text'],
  ['speakerId', 'text'],
  ['sampleRate', 'count'],
  ['durationSec', 'float'],
  ['characters', 'count'],
  ['audioWav', 'bytes'],
  ['errorCode', 'text'],
  ['errorMessage', 'text'],
] as const satisfies Layout;

const emptyRequest: SynthesizeRequest = { requestId: '', speakerId: '', language: '', text: '', speed: 0, end: false };
const emptyResponse: SynthesizeResponse = {
  requestId: '',
  speakerId: '',
  sampleRate: 0,
  durationSec: 0,
  characters: 0,
  audioWav: new Uint8Array(),
  errorCode: '',
  errorMessage: '',
};

/**
 * The bytes of a request, by protobuf's rules (proto3): handwritten, because generated codecs compile code from text.
 */
export const encodeRequest = (request: Partial<SynthesizeRequest>): Uint8Array =>
  encode({ ...emptyRequest, ...request }, requestLayout);
/** The bytes of a response, by the same rules; absent fields have their defaults, which take no bytes. */
export const encodeResponse = (response: Partial<SynthesizeResponse>): Uint8Array =>
  encode({ ...emptyResponse, ...response }, responseLayout);

/** Parses a message; unknown fields are skipped, and invalid bytes are a failure. Never throws. */
export const decodeRequest = (bytes: Uint8Array): Result<SynthesizeRequest, 'malformed'> =>
  decode(bytes, emptyRequest, requestLayout);
/** Parses a response like a request: absent fields have their defaults. Never throws. */
export const decodeResponse = (bytes: Uint8Array): Result<SynthesizeResponse, 'malformed'> =>
  decode(bytes, emptyResponse, responseLayout);

const wireTypes = { text: 2, bytes: 2, float: 5, count: 0, flag: 0 } as const satisfies Record<Kind, number>;

function encode<T extends object>(message: T, layout: Layout): Uint8Array {
  const fields = new Map<string, Value>(Object.entries(message));
  const parts: Uint8Array[] = [];
  for (const [at, [name, kind]] of layout.entries()) {
    const body = encodeValue(kind, fields.get(name));
    if (body !== null) parts.push(varint((at + 1) * 8 + wireTypes[kind]), body);
  }
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/** Null: the default of a missing field. */
function encodeValue(kind: Kind, value: Value | undefined): Uint8Array | null {
  if (typeof value === 'boolean') return value ? varint(1) : null;
  if (typeof value === 'number') {
    if (value === 0 || !Number.isFinite(value)) return null;
    if (kind !== 'float') return varint(Math.max(0, Math.trunc(value)));
    const body = new Uint8Array(4);
    new DataView(body.buffer).setFloat32(0, value, true);
    return body;
  }
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : (value ?? new Uint8Array());
  if (bytes.length === 0) return null;
  const length = varint(bytes.length);
  const body = new Uint8Array(length.length + bytes.length);
  body.set(length);
  body.set(bytes, length.length);
  return body;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  while (left >= 128) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  bytes.push(left);
  return Uint8Array.from(bytes);
}

/** Reads bytes in order; `null` from any step: they end too early or are invalid. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** At most ten bytes. A value beyond the exact integers becomes the nearest number. */
  varint(): number | null {
    let value = 0;
    for (let place = 0; place < 10; place += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return null;
      this.#at += 1;
      value += (byte % 128) * 2 ** (7 * place);
      if (byte < 128) return value;
    }
    return null;
  }

  take(length: number): Uint8Array | null {
    if (length > this.#bytes.length - this.#at) return null;
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  /** The body of a field with one of the four wire types that proto3 writes. */
  body(wireType: number): Uint8Array | number | null {
    if (wireType === 0) return this.varint();
    if (wireType === 1) return this.take(8);
    if (wireType === 5) return this.take(4);
    const length = wireType === 2 ? this.varint() : null;
    return length === null ? null : this.take(length);
  }
}

function decode<T extends object>(bytes: Uint8Array, empty: T, layout: Layout): Result<T, 'malformed'> {
  const found = new Map<string, Value>(Object.entries(empty));
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const number = tag === null ? 0 : Math.floor(tag / 8);
    const body = tag === null || number === 0 ? null : reader.body(tag % 8);
    if (tag === null || body === null) return err('malformed');
    const [name, kind] = layout[number - 1] ?? [];
    if (name === undefined || kind === undefined || wireTypes[kind] !== tag % 8) continue;
    const value = decodeValue(kind, body);
    if (value !== null) found.set(name, value);
  }
  return ok({ ...empty, ...Object.fromEntries(found) });
}

function decodeValue(kind: Kind, body: Uint8Array | number): Value | null {
  if (typeof body === 'number') {
    if (kind === 'flag') return body !== 0;
    // Negative numbers are written as ten bytes; none of these fields can be negative.
    return body <= 0x7fff_ffff ? body : null;
  }
  if (kind === 'text') return new TextDecoder().decode(body);
  if (kind === 'bytes') return body;
  const value = new DataView(body.buffer, body.byteOffset, body.byteLength).getFloat32(0, true);
  return Number.isFinite(value) ? value : null;
}
