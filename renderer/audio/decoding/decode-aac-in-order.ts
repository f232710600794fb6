import { AacDecoder } from '../../../shared/domain/audio/aac/aac-decoder.ts';
import type { Decode, DecodedAudio } from './decoded-audio.ts';
import { boxHeader, readMp4Frames, type Mp4Frames } from './mp4-frames.ts';
import { byteStream, readBytes } from './read-bytes.ts';

/** The tables of a day of sound take less; larger ones are not held. */
const mostTableBytes = 64 * 1024 * 1024;
const headerBytes = 16;
/** About a second. */
const framesPerBlock = 48;

/**
 * Reads AAC of a plain MP4 from beginning to end, in constant memory: the demuxer makes several objects for each frame,
 * which pile up in long recordings (decision 0041). Null when the file is not plain.
 */
export async function openAacInOrder(url: string): Promise<Decode | null> {
  const moov = await findMoov(url);
  const frames = moov && plainFrames(moov);
  return frames && (() => decodeFrames(url, frames));
}

/** Damaged tables are left to the demuxer, which may know better. */
function plainFrames(moov: DataView): Mp4Frames | null {
  try {
    return readMp4Frames(moov);
  } catch {
    return null;
  }
}

async function findMoov(url: string): Promise<DataView | null> {
  for (let at = 0; ;) {
    const head = await readBytes(url, at, headerBytes);
    const view = head && new DataView(head.bytes.buffer, head.bytes.byteOffset, head.bytes.byteLength);
    const header = view && boxHeader(view, 0);
    if (header === null || header.length < header.headerBytes) return null;
    if (header.type === 'moov') {
      if (header.length > mostTableBytes) return null;
      const content = await readBytes(url, at + header.headerBytes, header.length - header.headerBytes);
      return content && new DataView(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
    }
    at += header.length;
  }
}

async function* decodeFrames(url: string, frames: Mp4Frames): AsyncGenerator<DecodedAudio, void, undefined> {
  const pieces = byteStream(url, frames.chunkStarts[0]);
  try {
    yield* decodePieces(pieces, frames);
  } finally {
    // The tables may come after the last frame: the request does not end by itself.
    await pieces.return();
  }
}

type Pieces = ReturnType<typeof byteStream>;

async function* decodePieces(pieces: Pieces, frames: Mp4Frames): AsyncGenerator<DecodedAudio, void, undefined> {
  const decoder = new AacDecoder({ description: frames.description });
  let planes: Float32Array<ArrayBuffer>[] = [];
  let [filled, rate, toSkip] = [0, 0, -1];
  const block = (): DecodedAudio => ({
    channels: planes.map((plane) => plane.subarray(0, filled)),
    frames: filled,
    sampleRate: rate,
  });
  for await (const frame of bytesOfFrames(pieces, frames)) {
    const { channels, sampleRate } = decoder.decode(frame);
    const length = channels[0]?.length ?? 0;
    if (toSkip < 0) toSkip = Math.round(frames.paddingSeconds * sampleRate);
    if (planes.length !== channels.length || filled + length > (planes[0]?.length ?? 0)) {
      if (filled > 0) yield block();
      filled = 0;
      if (planes.length !== channels.length) planes = channels.map(() => new Float32Array(framesPerBlock * length));
    }
    const skip = Math.min(toSkip, length);
    toSkip -= skip;
    for (const [index, plane] of planes.entries()) plane.set((channels[index] ?? plane).subarray(skip), filled);
    filled += length - skip;
    rate = sampleRate;
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
