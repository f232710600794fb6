import { AacDecoder } from '../domain/audio/aac/aac-decoder.ts';
import { whole, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';
import { boxHeader, readMp4Frames, type Mp4Frames } from './mp4-frames.ts';
import type { ByteSource } from './byte-source.ts';

/** The tables of a day of sound take less; larger ones are not held. */
const mostTableBytes = 64 * 1024 * 1024;
const headerBytes = 16;
/** About a second. */
const framesPerBlock = 48;
/** More than a second, which is searched for the place to split, and a frame before it, with which it overlaps. */
const runUpFrames = 100;

/** The recording that was opened last: its tables are asked for when the engine is chosen, and when it begins. */
let last: { readonly source: ByteSource; readonly frames: Promise<Mp4Frames | null> } | null = null;

/**
 * Reads AAC of a plain MP4 in order, in constant memory: the demuxer makes several objects for each frame, which pile up
 * in long recordings (decision 0041), and takes long to load. Null when the file is not plain, or when most of it would
 * be read for nothing: a video, unless memory counts more than time.
 */
export async function openAacInOrder(source: ByteSource, readsVideo = false): Promise<Decode | null> {
  if (last?.source !== source) last = { source, frames: findMoov(source).then((moov) => moov && plainFrames(moov)) };
  const frames = await last.frames;
  if (frames === null || !(readsVideo || isMostlyAudio(frames))) return null;
  return (_source, part = whole) => decodePart(source, frames, part);
}

/** What is decoded: frames of the file, and which of their samples. */
interface Stretch {
  readonly frames: Mp4Frames;
  /** Samples to leave out at the beginning, and to give at most, by the length of a frame and the sample rate. */
  readonly skip: (frameLength: number, rate: number) => number;
  readonly most: (frameLength: number, rate: number) => number;
}

/** Parts meet at whole seconds, where a bucket of every waveform begins. */
function stretchOf(frames: Mp4Frames, { index, of }: Part): Stretch {
  const padding = (rate: number) => Math.round(frames.paddingSeconds * rate);
  const frameAt = (place: number) => Math.floor((frames.sizes.length * place) / of);
  const sampleAt = (place: number, length: number, rate: number) =>
    Math.max(0, Math.floor((frameAt(place) * length - padding(rate)) / rate)) * rate;
  const begin = Math.max(0, frameAt(index) - runUpFrames);
  return {
    frames: framesFrom(frames, begin),
    skip: (length, rate) => sampleAt(index, length, rate) + padding(rate) - begin * length,
    most: (length, rate) =>
      index + 1 === of ? Infinity : sampleAt(index + 1, length, rate) - sampleAt(index, length, rate),
  };
}

/** The tables from a frame on. */
function framesFrom({ sizes, chunkStarts, framesPerChunk, ...rest }: Mp4Frames, from: number): Mp4Frames {
  let [chunk, first] = [0, 0];
  for (; first + (framesPerChunk[chunk] ?? Infinity) <= from; chunk += 1) first += framesPerChunk[chunk] ?? 0;
  const past = sizes.subarray(first, from).reduce((sum, size) => sum + size, 0);
  return {
    ...rest,
    sizes: sizes.subarray(from),
    chunkStarts: chunkStarts.slice(chunk).map((start, index) => (index === 0 ? start + past : start)),
    framesPerChunk: framesPerChunk.slice(chunk).map((count, index) => (index === 0 ? count - (from - first) : count)),
  };
}

/** Damaged tables are left to the demuxer, which may know better. */
function plainFrames(moov: DataView): Mp4Frames | null {
  try {
    return readMp4Frames(moov);
  } catch {
    return null;
  }
}

/** The demuxer asks for the audio of a video alone instead of reading all of the file. */
function isMostlyAudio({ sizes, chunkStarts }: Mp4Frames): boolean {
  const span = (chunkStarts.at(-1) ?? 0) - (chunkStarts[0] ?? 0);
  return 2 * sizes.reduce((sum, size) => sum + size, 0) >= span;
}

async function findMoov(source: ByteSource): Promise<DataView | null> {
  for (let at = 0; ;) {
    const head = await source.read(at, headerBytes);
    const view = head && new DataView(head.bytes.buffer, head.bytes.byteOffset, head.bytes.byteLength);
    const header = view && boxHeader(view, 0);
    if (header === null || header.length < header.headerBytes) return null;
    if (header.type === 'moov') {
      if (header.length > mostTableBytes) return null;
      const content = await source.read(at + header.headerBytes, header.length - header.headerBytes);
      return content && new DataView(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
    }
    at += header.length;
  }
}

async function* decodePart(
  source: ByteSource,
  all: Mp4Frames,
  part: Part,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const stretch = stretchOf(all, part);
  const pieces = source.stream(stretch.frames.chunkStarts[0]);
  try {
    yield* decodePieces(pieces, stretch);
  } finally {
    // The tables may come after the last frame: the request does not end by itself.
    await pieces.return();
  }
}

type Pieces = ReturnType<ByteSource['stream']>;

async function* decodePieces(
  pieces: Pieces,
  { frames, skip: skipOf, most: mostOf }: Stretch,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const decoder = new AacDecoder({ description: frames.description });
  let planes: Float32Array<ArrayBuffer>[] = [];
  let [filled, rate, toSkip, left] = [0, 0, -1, 0];
  const block = (): DecodedAudio => ({
    channels: planes.map((plane) => plane.subarray(0, filled)),
    frames: filled,
    sampleRate: rate,
  });
  for await (const frame of bytesOfFrames(pieces, frames)) {
    const { channels, sampleRate } = decoder.decode(frame);
    const length = channels[0]?.length ?? 0;
    if (toSkip < 0) [toSkip, left] = [skipOf(length, sampleRate), mostOf(length, sampleRate)];
    if (planes.length !== channels.length || filled + length > (planes[0]?.length ?? 0)) {
      if (filled > 0) yield block();
      filled = 0;
      if (planes.length !== channels.length) planes = channels.map(() => new Float32Array(framesPerBlock * length));
    }
    const skip = Math.min(toSkip, length);
    const taken = Math.min(length - skip, left);
    toSkip -= skip;
    left -= taken;
    for (const [index, plane] of planes.entries())
      plane.set((channels[index] ?? plane).subarray(skip, skip + taken), filled);
    filled += taken;
    rate = sampleRate;
    if (left === 0) break;
  }
  if (filled > 0) yield block();
}

/** The bytes of each frame in order, valid until the next one. */
async function* bytesOfFrames(
  pieces: Pieces,
  { sizes, chunkStarts, framesPerChunk }: Mp4Frames,
): AsyncGenerator<Uint8Array, void, undefined> {
  /** What has come and is not read yet: `held` bytes, the first of them at `from` in the file. */
  let buffer = new Uint8Array(256 * 1024);
  let [from, held, frame] = [chunkStarts[0] ?? 0, 0, 0];
  for (const [chunk, start] of chunkStarts.entries()) {
    let at = start;
    for (let left = framesPerChunk[chunk] ?? 0; left > 0; left -= 1) {
      const size = sizes[frame] ?? 0;
      while (at + size > from + held) {
        const { done, value } = await pieces.next();
        // The file ends early, as after a broken copy.
        if (done) return;
        const past = Math.min(held, at - from);
        buffer.copyWithin(0, past, held);
        [from, held] = [from + past, held - past];
        if (held + value.length > buffer.length) {
          const larger = new Uint8Array(2 * (held + value.length));
          larger.set(buffer.subarray(0, held));
          buffer = larger;
        }
        buffer.set(value, held);
        held += value.length;
      }
      yield buffer.subarray(at - from, at - from + size);
      at += size;
      frame += 1;
    }
  }
}
