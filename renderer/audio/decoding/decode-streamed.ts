import { byteStream } from './media-input.ts';
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
async function* decodeStreamed(url: string, decoder: StreamDecoder): AsyncGenerator<DecodedAudio, void, undefined> {
  await decoder.ready;
  try {
    for await (const bytes of byteStream(url)) {
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

export const decodeMp3: Decode = async function* (url) {
  const { MPEGDecoder } = await import('mpg123-decoder');
  yield* decodeStreamed(url, new MPEGDecoder({ enableGapless: true }));
};

export const decodeFlac: Decode = async function* (url) {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  yield* decodeStreamed(url, new FLACDecoder());
};

export const decodeVorbis: Decode = async function* (url) {
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  yield* decodeStreamed(url, new OggVorbisDecoder());
};
