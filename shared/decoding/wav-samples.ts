import type { WavFormat } from './wav-format.ts';

/** Reads one sample at a byte offset as -1..1. */
type ReadSample = (view: DataView, at: number) => number;

/** Unpacks whole frames into one array per channel, values -1..1. The arrays are reused by the next call. */
export type UnpackFrames = (bytes: Uint8Array, frames: number) => readonly Float32Array[];

/** The samples of whole frames as the file has them; null when they are no 16-bit integers, or can't be read as such. */
export function shortsOf(format: WavFormat, bytes: Uint8Array, frames: number): Int16Array | null {
  const isShorts =
    format.encoding === 'pcm' && format.bitsPerSample === 16 && format.frameBytes === 2 * format.channels;
  if (!isShorts || !isLittleEndian || bytes.byteOffset % 2 !== 0) return null;
  return new Int16Array(bytes.buffer, bytes.byteOffset, frames * format.channels);
}

/** An unpacker for blocks of at most `maxFrames` frames of a format. */
export function createUnpacker(format: WavFormat, maxFrames: number): UnpackFrames {
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

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

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
