import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { err, ok, type Result } from '../result/result.ts';

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

/** The bytes of a request (proto3), laid out by hand because generated codecs compile code from text. */
export const encodeRequest = (request: Partial<SynthesizeRequest>): Uint8Array => encode(request, requestLayout);
/** The bytes of a response, by the same rules; absent fields have their defaults, which take no bytes. */
export const encodeResponse = (response: Partial<SynthesizeResponse>): Uint8Array => encode(response, responseLayout);

/** Parses a message; unknown fields are skipped, and invalid bytes are a failure. Never throws. */
export const decodeRequest = (bytes: Uint8Array): Result<SynthesizeRequest, 'malformed'> =>
  decode(bytes, emptyRequest, requestLayout);
/** Parses a response like a request: absent fields have their defaults. Never throws. */
export const decodeResponse = (bytes: Uint8Array): Result<SynthesizeResponse, 'malformed'> =>
  decode(bytes, emptyResponse, responseLayout);

const wireTypes = {
  text: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  float: WireType.Bit32,
  count: WireType.Varint,
  flag: WireType.Varint,
} as const satisfies Record<Kind, WireType>;

function encode(message: object, layout: Layout): Uint8Array {
  const fields = new Map<string, Value | undefined>(Object.entries(message));
  const writer = new BinaryWriter();
  for (const [at, [name, kind]] of layout.entries()) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') writer.tag(at + 1, wireTypes[kind]).string(value);
    else if (value instanceof Uint8Array && value.length > 0) writer.tag(at + 1, wireTypes[kind]).bytes(value);
    else if (value === true) writer.tag(at + 1, wireTypes[kind]).bool(true);
    else if (typeof value === 'number' && value !== 0 && Number.isFinite(value)) {
      const field = writer.tag(at + 1, wireTypes[kind]);
      if (kind === 'float') field.float(value);
      else field.int32(Math.max(0, Math.trunc(value)));
    }
  }
  return writer.finish();
}

function decode<T extends object>(bytes: Uint8Array, empty: T, layout: Layout): Result<T, 'malformed'> {
  const found = new Map<string, Value>();
  const reader = new BinaryReader(bytes);
  try {
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      const [name, kind] = layout[number - 1] ?? [];
      if (name === undefined || kind === undefined || wireTypes[kind] !== wireType) reader.skip(wireType, number);
      else found.set(name, readValue(reader, kind));
    }
  } catch {
    return err('malformed');
  }
  return ok({ ...empty, ...Object.fromEntries(found) });
}

function readValue(reader: BinaryReader, kind: Kind): Value {
  if (kind === 'text') return reader.string();
  if (kind === 'bytes') return reader.bytes();
  if (kind === 'flag') return reader.bool();
  const number = kind === 'float' ? reader.float() : reader.int32();
  return Number.isFinite(number) && (kind === 'float' || number > 0) ? number : 0;
}
