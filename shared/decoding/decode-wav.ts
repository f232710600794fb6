import { err, ok, type Result } from '../result/result.ts';
import { headBytes, whole, type ByteSource, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';

const maxHeaderBytes = 1 << 20;
const allowedBits: Readonly<Record<WavEncoding, readonly number[]>> = {
  pcm: [8, 16, 24, 32],
  float: [32, 64],
  alaw: [8],
  mulaw: [8],
};
const tag = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Damaged float files contain NaN and infinities; they count as silence and as full scale. */
const sane = (value: number) => (Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value)));

/** G.711 tables: telephone recordings. */
const mulaw = Float32Array.from({ length: 256 }, (_, byte) => {
  const code = ~byte & 0xff;
  const magnitude = (((code & 0x0f) << 3) + 0x84) << ((code & 0x70) >> 4);
  return ((code & 0x80) === 0 ? magnitude - 0x84 : 0x84 - magnitude) / 32_768;
});
const alaw = Float32Array.from({ length: 256 }, (_, byte) => {
  const code = byte ^ 0x55;
  const exponent = (code & 0x70) >> 4;
  const mantissa = ((code & 0x0f) << 4) + (exponent === 0 ? 8 : 0x108);
  const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
  return ((code & 0x80) === 0 ? -magnitude : magnitude) / 32_768;
});

const maxFrames = 32_768;

/** WAV by our own reader: it needs no decoder, and no browser reads every variant. */
export const decodeWav: Decode = async function* (source, part = whole) {
  const stretch = part.of === 1 ? null : await stretchOf(source, part);
  if (stretch !== null)
    yield* unpackFrames(source.stream(stretch.from, stretch.to), stretch.format, stretch.to - stretch.from);
  else if (part.index === 0) yield* unpackWav(source.stream());
};

async function stretchOf(source: ByteSource, { index, of }: Part) {
  const head = await source.read(0, headBytes);
  const read = head === null ? null : readWavFormat(head.bytes);
  if (head === null || read?.ok !== true) return null;
  const { dataOffset, dataBytes, frameBytes, sampleRate } = read.value;
  const end = Math.min(head.size, dataOffset + (dataBytes ?? Infinity));
  const seconds = (end - dataOffset) / frameBytes / sampleRate;
  // At a whole second, where a bucket of every waveform begins.
  const placeOf = (share: number) => dataOffset + Math.floor(seconds * share) * sampleRate * frameBytes;
  return { format: read.value, from: placeOf(index / of), to: index + 1 === of ? end : placeOf((index + 1) / of) };
}

/** The samples of a WAV that arrives in pieces of any size. Throws when it is no WAV, or an unsupported one. */
export async function* unpackWav(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const source = pieces[Symbol.asyncIterator]();
  let head: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  try {
    for (let piece = await source.next(); piece.done !== true; piece = await source.next()) {
      head = join(head, piece.value);
      const format = readWavFormat(head);
      if (format.ok) {
        const samples = head.subarray(format.value.dataOffset);
        yield* unpackFrames(chained(samples, source), format.value, format.value.dataBytes ?? Infinity);
        return;
      }
      if (format.error !== 'need-more') throw new Error(`This WAV can't be read: ${format.error}`);
      head = head.slice();
    }
  } finally {
    await source.return?.();
  }
  throw new Error('This WAV ends before its sound begins');
}

async function* chained<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T, void, undefined> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* unpackFrames(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  format: WavFormat,
  dataBytes: number,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const { frameBytes, sampleRate } = format;
  const unpack = createUnpacker(format, maxFrames);
  const unpacked = (bytes: Uint8Array<ArrayBuffer>, count: number): DecodedAudio => {
    const shorts = shortsOf(format, bytes, count);
    if (shorts === null) return { channels: unpack(bytes, count), frames: count, sampleRate };
    let channels: readonly Float32Array[] | null = null;
    return {
      shorts,
      frames: count,
      sampleRate,
      // Once: loops over samples ask for it again and again.
      get channels() {
        return (channels ??= unpack(bytes, count));
      },
    };
  };
  let bytesLeft = dataBytes;
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  for await (const piece of pieces) {
    rest = join(rest, piece);
    while (rest.byteLength >= frameBytes && bytesLeft >= frameBytes) {
      const frames = Math.min(maxFrames, Math.floor(Math.min(rest.byteLength, bytesLeft) / frameBytes));
      const bytes = frames * frameBytes;
      yield unpacked(rest.subarray(0, bytes), frames);
      rest = rest.subarray(bytes);
      bytesLeft -= bytes;
    }
    if (bytesLeft < frameBytes) return;
    // The piece is gone with the next one.
    rest = rest.slice();
  }
}

function join(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.byteLength === 0) return b;
  const both = new Uint8Array(a.byteLength + b.byteLength);
  both.set(a);
  both.set(b, a.byteLength);
  return both;
}

type ReadSample = (view: DataView, at: number) => number;

/** Unpacks whole frames into one array per channel, values -1..1. The arrays are reused by the next call. */
type UnpackFrames = (bytes: Uint8Array, frames: number) => readonly Float32Array[];

/** The samples of whole frames as the file has them; null when they are no 16-bit integers, or can't be read as such. */
function shortsOf(format: WavFormat, bytes: Uint8Array, frames: number): Int16Array | null {
  const isShorts =
    format.encoding === 'pcm' && format.bitsPerSample === 16 && format.frameBytes === 2 * format.channels;
  if (!isShorts || !isLittleEndian || bytes.byteOffset % 2 !== 0) return null;
  return new Int16Array(bytes.buffer, bytes.byteOffset, frames * format.channels);
}

function createUnpacker(format: WavFormat, maxFrames: number): UnpackFrames {
  const outputs = Array.from({ length: format.channels }, () => new Float32Array(maxFrames));
  const read = readerOf(format);
  const sampleBytes = format.bitsPerSample / 8;
  return (bytes, frames) => {
    // Most recordings: a typed array reads them several times as fast as a function per sample.
    const shorts = shortsOf(format, bytes, frames);
    if (shorts !== null) {
      for (const [channel, output] of outputs.entries())
        for (let frame = 0, at = channel; frame < frames; frame += 1, at += outputs.length)
          output[frame] = (shorts[at] as number) / 32_768;
      return outputs;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const [channel, output] of outputs.entries()) {
      let at = channel * sampleBytes;
      for (let frame = 0; frame < frames; frame += 1) {
        output[frame] = read(view, at);
        at += format.frameBytes;
      }
    }
    return outputs;
  };
}

function readerOf({ encoding, bitsPerSample }: WavFormat): ReadSample {
  switch (encoding) {
    case 'alaw':
      return (view, at) => alaw[view.getUint8(at)] ?? 0;
    case 'mulaw':
      return (view, at) => mulaw[view.getUint8(at)] ?? 0;
    case 'float':
      return bitsPerSample === 64
        ? (view, at) => sane(view.getFloat64(at, true))
        : (view, at) => sane(view.getFloat32(at, true));
    case 'pcm':
      return pcmReader(bitsPerSample);
  }
}

function pcmReader(bits: number): ReadSample {
  switch (bits) {
    case 8:
      return (view, at) => (view.getUint8(at) - 128) / 128;
    case 24:
      return (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608;
    case 32:
      return (view, at) => view.getInt32(at, true) / 2_147_483_648;
    default:
      return (view, at) => view.getInt16(at, true) / 32_768;
  }
}

type WavEncoding = 'pcm' | 'float' | 'alaw' | 'mulaw';

/** The header of a WAV; `dataBytes` is null when the writer never filled it in (streams, crashes). */
interface WavFormat {
  readonly encoding: WavEncoding;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  readonly frameBytes: number;
  readonly dataOffset: number;
  readonly dataBytes: number | null;
}

/** `need-more` asks for a longer beginning of the file. */
type WavError = 'not-wav' | 'need-more' | 'unsupported';

export function readWavFormat(bytes: Uint8Array): Result<WavFormat, WavError> {
  if (bytes.byteLength < 12) return err('need-more');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const riff = tag(view, 0);
  if (!['RIFF', 'RF64', 'BW64'].includes(riff) || tag(view, 8) !== 'WAVE') return err('not-wav');
  let at = 12;
  let format: Omit<WavFormat, 'dataOffset' | 'dataBytes'> | null = null;
  let longDataBytes: number | null = null;
  while (at < maxHeaderBytes) {
    if (at + 8 > bytes.byteLength) return err('need-more');
    const name = tag(view, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === 'data') {
      if (format === null) return err('unsupported');
      const known = size === 0 || size === 0xffff_ffff ? longDataBytes : size;
      return ok({ ...format, dataOffset: body, dataBytes: known });
    }
    if (name === 'fmt ' || name === 'ds64') {
      if (body + Math.min(size, 40) > bytes.byteLength) return err('need-more');
      if (name === 'ds64' && size >= 16) longDataBytes = Number(view.getBigUint64(body + 8, true)) || null;
      if (name === 'fmt ') {
        format = readFmt(view, body, size);
        if (format === null) return err('unsupported');
      }
    }
    at = body + size + (size % 2);
  }
  return err('unsupported');
}

function readFmt(view: DataView, at: number, size: number): Omit<WavFormat, 'dataOffset' | 'dataBytes'> | null {
  if (size < 16) return null;
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const frameBytes = view.getUint16(at + 12, true);
  const bitsPerSample = view.getUint16(at + 14, true);
  const code = view.getUint16(at, true);
  // WAVE_FORMAT_EXTENSIBLE keeps the real code in the first two bytes of its GUID.
  const encoding = encodingOf(code === 0xfffe && size >= 26 ? view.getUint16(at + 24, true) : code);
  const isSane = channels >= 1 && channels <= 32 && sampleRate >= 100 && sampleRate <= 768_000;
  if (encoding === null || !isSane || !allowedBits[encoding].includes(bitsPerSample)) return null;
  return frameBytes === (channels * bitsPerSample) / 8
    ? { encoding, channels, sampleRate, bitsPerSample, frameBytes }
    : null;
}

function encodingOf(code: number): WavEncoding | null {
  switch (code) {
    case 1:
      return 'pcm';
    case 3:
      return 'float';
    case 6:
      return 'alaw';
    case 7:
      return 'mulaw';
    default:
      return null;
  }
}
