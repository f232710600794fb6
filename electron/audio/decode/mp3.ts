import { MPEGDecoder } from 'mpg123-decoder';
import type { FileHandle } from 'node:fs/promises';
import type { PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';
import { Bytes, readMp3Frame } from '../../../shared/domain/media/bytes.ts';
import { id3Size } from './file-kind.ts';
import { fromFrame, release, type OpenedAudio } from './opened-audio.ts';

const chunkBytes = 16 * 1024;
const walkBytes = 256 * 1024;
/** A frame may take its bits from as many frames before it. */
const runUpFrames = 12;
/** Samples that every decoder is late by, which a LAME tag does not count. */
const decoderDelay = 529;

/** The decoder finds the frames, skips tags and removes the encoder's padding. mediabunny lists each frame to seek. */
export async function openMp3(file: FileHandle, fromSecond: number): Promise<OpenedAudio> {
  const opened = { container: 'mp3', codec: 'mp3', seconds: async () => (await walk(file, Infinity)).seconds };
  if (fromSecond === 0) return { ...opened, blocks: decode(file, 0, true) };
  const { at, sample, rate, padding } = await walk(file, fromSecond);
  return { ...opened, blocks: fromFrame(decode(file, at, false), Math.round(fromSecond * rate) + padding - sample) };
}

async function* decode(file: FileHandle, from: number, enableGapless: boolean): AsyncGenerator<PcmBlock> {
  const decoder = new MPEGDecoder({ enableGapless });
  await decoder.ready;
  try {
    const buffer = Buffer.alloc(chunkBytes);
    for (let position = from; ;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(buffer.subarray(0, bytesRead));
      if (samplesDecoded > 0) yield { channels: channelData, sampleRate };
      release(channelData);
    }
  } finally {
    decoder.free();
  }
}

interface Walk {
  /** The frame to begin with, in bytes, and the sample it begins with. */
  readonly at: number;
  readonly sample: number;
  readonly rate: number;
  /** Samples that the encoder put before the recording. */
  readonly padding: number;
  /** From the beginning to where the walk ended. */
  readonly seconds: number | null;
}

/** By the headers alone: an hour takes some hundredths of a second. */
async function walk(file: FileHandle, toSecond: number): Promise<Walk> {
  const buffer = Buffer.alloc(walkBytes);
  const head = await file.read(buffer, 0, 10, 0);
  let start = id3Size(buffer.subarray(0, head.bytesRead));
  let [sample, rate, isInStep] = [0, 0, false];
  let padding: Padding = { before: 0, after: 0 };
  const recent: { readonly at: number; readonly sample: number }[] = [];
  const read = async () => (await file.read(buffer, 0, walkBytes, start)).bytesRead;
  for (let length = await read(); length > 4; length = await read()) {
    const bytes = new Bytes(buffer.subarray(0, length));
    let at = 0;
    for (; at + 4 <= length;) {
      const frame = readMp3Frame(bytes, at);
      const next = at + (frame?.sizeBytes ?? 1);
      if (frame !== null && next + 4 > length && at > 0 && length === walkBytes) break;
      const isFrame = frame !== null && (isInStep || (readMp3Frame(bytes, next)?.rate ?? 0) === frame.rate);
      isInStep = isFrame && next <= length;
      if (isInStep && frame !== null) {
        const found = rate === 0 ? paddingOf(bytes, at) : null;
        ({ rate } = frame);
        if (found !== null) padding = found;
        else {
          if (sample - padding.before >= toSecond * rate)
            return { ...(recent[0] ?? { at: start + at, sample }), rate, padding: padding.before, seconds: null };
          recent.push({ at: start + at, sample });
          if (recent.length > runUpFrames) recent.shift();
          sample += frame.samples;
        }
      }
      at = isInStep ? next : at + 1;
    }
    start += at;
    if (length < walkBytes) break;
  }
  const seconds = rate === 0 ? null : Math.max(0, sample - padding.before - padding.after) / rate;
  return { ...(recent[0] ?? { at: start, sample }), rate, padding: padding.before, seconds };
}

interface Padding {
  readonly before: number;
  readonly after: number;
}

/** What the first frame says instead of sound (Xing, Info with a LAME tag); null when it is sound. */
function paddingOf(bytes: Bytes, at: number): Padding | null {
  const tag = [36, 21, 13].find((side) => bytes.says(at + side, 'Xing') || bytes.says(at + side, 'Info'));
  if (tag === undefined) return null;
  const flags = bytes.u32be(at + tag + 4) ?? 0;
  const fields = [4, 4, 100, 4].reduce((sum, size, bit) => sum + ((flags >> bit) & 1) * size, 8);
  const encoder = bytes.u8(at + tag + fields) ?? 0;
  const both = (bytes.u32be(at + tag + fields + 20) ?? 0) & 0xff_ffff;
  if (encoder === 0 || both === 0) return { before: 0, after: 0 };
  return { before: (both >> 12) + decoderDelay, after: Math.max(0, (both & 0xfff) - decoderDelay) };
}
