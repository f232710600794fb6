import type { FileHandle } from 'node:fs/promises';
import { Undecodable, type PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';
import type { OpenedAudio } from './opened-audio.ts';

interface Format {
  readonly encoding: 'int' | 'float' | 'alaw' | 'mulaw';
  readonly channelCount: number;
  readonly sampleRate: number;
  readonly bits: number;
  readonly bytesPerFrame: number;
}

const framesPerBlock = 16_384;
const extensible = 0xfffe;
const encodings: Readonly<Record<number, Format['encoding']>> = { 1: 'int', 3: 'float', 6: 'alaw', 7: 'mulaw' };
const widths: Readonly<Record<Format['encoding'], readonly number[]>> = {
  int: [8, 16, 24, 32],
  float: [32, 64],
  alaw: [8],
  mulaw: [8],
};

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

async function readInto(file: FileHandle, buffer: Buffer, position: number, length: number): Promise<DataView> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return new DataView(buffer.buffer, buffer.byteOffset, filled);
}

const readExactly = (file: FileHandle, position: number, length: number): Promise<DataView> =>
  readInto(file, Buffer.alloc(length), position, length);

function parseFormat(chunk: DataView): Format {
  if (chunk.byteLength < 16) throw new Undecodable('invalid_audio', 'the format chunk is cut short');
  const tag = chunk.getUint16(0, true);
  const subFormat = tag === extensible && chunk.byteLength >= 26 ? chunk.getUint16(24, true) : tag;
  const channelCount = chunk.getUint16(2, true);
  const sampleRate = chunk.getUint32(4, true);
  const bits = chunk.getUint16(14, true);
  const encoding = encodings[subFormat];
  if (encoding === undefined) throw new Undecodable('unsupported_codec', `WAV with encoding ${subFormat}`);
  if (!widths[encoding].includes(bits)) throw new Undecodable('unsupported_codec', `WAV with ${bits} bits per sample`);
  if (channelCount < 1 || channelCount > 64 || sampleRate < 1000 || sampleRate > 768_000)
    throw new Undecodable('invalid_audio', 'the format chunk makes no sense');
  return { encoding, channelCount, sampleRate, bits, bytesPerFrame: (bits / 8) * channelCount };
}

function sampleReader({ encoding, bits }: Format): (view: DataView, at: number) => number {
  if (encoding === 'alaw') return (view, at) => alaw[view.getUint8(at)] ?? 0;
  if (encoding === 'mulaw') return (view, at) => mulaw[view.getUint8(at)] ?? 0;
  if (encoding === 'float')
    return bits === 32 ? (view, at) => view.getFloat32(at, true) : (view, at) => view.getFloat64(at, true);
  switch (bits) {
    case 8:
      return (view, at) => (view.getUint8(at) - 128) / 128;
    case 16:
      return (view, at) => view.getInt16(at, true) / 32_768;
    case 24:
      return (view, at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 65_536) / 8_388_608;
    default:
      return (view, at) => view.getInt32(at, true) / 2_147_483_648;
  }
}

/** Fills arrays that are reused for every block, so that a long file produces no garbage. */
function fill(view: DataView, format: Format, targets: readonly Float32Array[]): PcmBlock {
  const read = sampleReader(format);
  const frames = Math.floor(view.byteLength / format.bytesPerFrame);
  const { channelCount } = format;
  // Nearly every WAV is of this kind, and an hour of one is hundreds of millions of samples.
  if (format.encoding === 'int' && format.bits === 16 && view.byteOffset % 2 === 0) {
    const samples = new Int16Array(view.buffer, view.byteOffset, frames * channelCount);
    let channels: readonly Float32Array[] | null = null;
    return {
      sampleRate: format.sampleRate,
      shorts: { samples, frames },
      // Once, and only for who asks: peaks are folded from the integers.
      get channels() {
        return (channels ??= targets.map((target, channel) => {
          for (let frame = 0, at = channel; frame < frames; frame += 1, at += channelCount)
            target[frame] = (samples[at] ?? 0) / 32_768;
          return target.subarray(0, frames);
        }));
      },
    };
  }
  const step = format.bits / 8;
  const channels = targets.map((target, channel) => {
    let at = channel * step;
    for (let frame = 0; frame < frames; frame += 1, at += format.bytesPerFrame) {
      const value = read(view, at);
      target[frame] = Number.isFinite(value) ? value : 0;
    }
    return target.subarray(0, frames);
  });
  return { channels, sampleRate: format.sampleRate };
}

async function* readBlocks(file: FileHandle, format: Format, start: number, end: number): AsyncGenerator<PcmBlock> {
  const step = framesPerBlock * format.bytesPerFrame;
  const buffer = Buffer.alloc(step);
  const targets = Array.from({ length: format.channelCount }, () => new Float32Array(framesPerBlock));
  for (let position = start; position < end; position += step) {
    const view = await readInto(file, buffer, position, Math.min(step, end - position));
    if (view.byteLength < format.bytesPerFrame) return;
    yield fill(view, format, targets);
  }
}

/** Recorders that die leave a data size of 0 or 0xFFFFFFFF: then the audio goes to the end of the file. */
export async function openWav(file: FileHandle, fromSecond = 0): Promise<OpenedAudio> {
  const { size: sizeBytes } = await file.stat();
  let format: Format | null = null;
  let dataSize64: number | null = null;
  let position = 12;
  while (position + 8 <= sizeBytes) {
    const header = await readExactly(file, position, 8);
    const name = String.fromCharCode(...[0, 1, 2, 3].map((at) => header.getUint8(at)));
    const size = header.getUint32(4, true);
    const body = position + 8;
    if (name === 'ds64' && size >= 16) dataSize64 = Number((await readExactly(file, body, 16)).getBigUint64(8, true));
    if (name === 'fmt ') format = parseFormat(await readExactly(file, body, Math.min(size, 40)));
    if (name === 'data') {
      if (format === null) throw new Undecodable('invalid_audio', 'the sound comes before its format');
      const isOpenEnded = size === 0 || (size === 0xffffffff && dataSize64 === null);
      const length = isOpenEnded ? sizeBytes - body : size === 0xffffffff ? (dataSize64 ?? 0) : size;
      const codec = `pcm ${format.encoding}${format.bits}`;
      const end = Math.min(body + length, sizeBytes);
      const { encoding, bits, channelCount, sampleRate, bytesPerFrame } = format;
      const isPlain = encoding === 'int' && bits === 16 && channelCount <= 2;
      const plain = isPlain ? { plain: { start: body, end, sampleRate, channelCount } } : {};
      const from = body + Math.round(fromSecond * sampleRate) * bytesPerFrame;
      const seconds = async () => Math.floor((end - body) / bytesPerFrame) / sampleRate;
      return { container: 'wav', codec, blocks: readBlocks(file, format, from, end), seconds, ...plain };
    }
    position = body + size + (size % 2);
  }
  throw new Undecodable('invalid_audio', 'no sound in the file');
}
