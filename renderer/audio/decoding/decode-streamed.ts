import { findFrames, walkFrames } from './mp3-frames.ts';
import { byteStream, readBytes } from './read-bytes.ts';
import type { Decode, DecodedAudio } from './decoded-audio.ts';

interface Block {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** The part that the wasm decoders for whole files have in common. */
interface StreamDecoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Block | Promise<Block>;
  flush?(): Promise<Block>;
  free(): void;
}

/**
 * Decoding of plain files by the wasm decoders' own demuxers, in order. They run in the worker that called: the
 * packages' `…WebWorker` classes start workers from blobs, which the policy forbids.
 */
async function* decodeStreamed(
  url: string,
  decoder: StreamDecoder,
  [from, to]: readonly [from: number, to: number] = [0, Infinity],
): AsyncGenerator<DecodedAudio, void, undefined> {
  await decoder.ready;
  try {
    for await (const bytes of byteStream(url, from, to)) {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
        yield toAudio(await decoder.decode(bytes.subarray(at, at + pieceBytes)));
      }
    }
    if (decoder.flush !== undefined) yield toAudio(await decoder.flush());
  } finally {
    decoder.free();
  }
}

/** Small enough that a long recording is heard of often, large enough that calls cost nothing. */
const pieceBytes = 64 * 1024;

const toAudio = ({ channelData, samplesDecoded, sampleRate }: Block): DecodedAudio => ({
  channels: isTwiceTheSame(channelData, samplesDecoded) ? channelData.slice(0, 1) : channelData,
  frames: samplesDecoded,
  sampleRate,
});

/** The MP3 decoder gives mono as two equal channels; looking at some samples is enough not to fold them twice. */
function isTwiceTheSame([left, right]: readonly Float32Array[], frames: number): boolean {
  if (left === undefined || right === undefined) return false;
  const step = Math.max(1, Math.floor(frames / 257));
  for (let i = 0; i < frames; i += step) if (left[i] !== right[i]) return false;
  return true;
}

export const decodeMp3: Decode = async function* (url, part = 'all') {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const cut = part === 'all' ? null : await cutOfMp3(url);
  if (cut === null) {
    if (part !== 'second') yield* decodeStreamed(url, new MPEGDecoder({ enableGapless: true }));
    return;
  }
  const decoder = new MPEGDecoder({ enableGapless: part === 'first' });
  if (part === 'first') {
    yield* decodeStreamed(url, decoder, [0, cut.at]);
    return;
  }
  let toSkip = -1;
  for await (const audio of decodeStreamed(url, decoder, [cut.runUpFrom, Infinity])) {
    // A frame holds 1,152 samples, at the lower sample rates half of them.
    if (toSkip < 0 && audio.sampleRate > 0) toSkip = cut.runUp * (audio.sampleRate >= 32_000 ? 1152 : 576);
    const skip = Math.min(Math.max(0, toSkip), audio.frames);
    toSkip -= skip;
    if (skip < audio.frames)
      yield {
        ...audio,
        channels: audio.channels.map((samples) => samples.subarray(skip)),
        frames: audio.frames - skip,
      };
  }
};

/** What a frame refers back to lies this near before it. */
const runUpBytes = 8 * 1024;

/** The frame in the middle of a file, and a few before it that the decoder needs; null where no frames are found. */
async function cutOfMp3(url: string) {
  const size = (await readBytes(url, 0, 1))?.size ?? 0;
  const middle = Math.floor(size / 2);
  const read = size > 4 * runUpBytes ? await readBytes(url, middle - runUpBytes, 3 * runUpBytes) : null;
  const known = read === null ? -1 : findFrames(read.bytes);
  const found = read === null || known < 0 ? null : walkFrames(read.bytes, known, runUpBytes);
  if (found === null) return null;
  const start = middle - runUpBytes;
  return { at: start + found.at, runUpFrom: start + known, runUp: found.count };
}

export const decodeFlac: Decode = async function* (url) {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  yield* decodeStreamed(url, new FLACDecoder());
};

export const decodeVorbis: Decode = async function* (url) {
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  yield* decodeStreamed(url, new OggVorbisDecoder());
};
