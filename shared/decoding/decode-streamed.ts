import type { ByteSource } from './byte-source.ts';
import { cutOfMp3, endOf, type StreamCut } from './stream-cuts.ts';
import { release, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';

interface Block {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** The common interface of the wasm decoders for whole files. */
interface StreamDecoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Block | Promise<Block>;
  flush?(): Promise<Block>;
  free(): void;
}

/** The part of a file to decode, after its headers. */
interface Range {
  readonly head?: Uint8Array;
  readonly from?: number;
  readonly to?: Promise<number>;
}

/**
 * Decodes plain files with the wasm decoders' own demuxers, in order. They run in the calling worker: the packages'
 * `…WebWorker` classes start workers from blobs, which the policy forbids.
 */
async function* decodeStreamed(
  source: ByteSource,
  decoder: StreamDecoder,
  { head, from, to }: Range = {},
): AsyncGenerator<DecodedAudio, void, undefined> {
  await decoder.ready;
  try {
    if (head !== undefined && head.length > 0) yield toAudio(await decoder.decode(head));
    for await (const bytes of source.stream(from, to)) {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
        const block = await decoder.decode(bytes.subarray(at, at + pieceBytes));
        // Before the headers are complete it knows no sample rate either.
        if (block.samplesDecoded > 0) yield toAudio(block);
        release(block.channelData);
      }
    }
    if (decoder.flush !== undefined) yield toAudio(await decoder.flush());
  } finally {
    decoder.free();
  }
}

/** The samples of a piece, a second of speech, stay in the processor's cache: 64 KiB take a tenth more time. */
const pieceBytes = 8 * 1024;

const toAudio = ({ channelData, samplesDecoded, sampleRate }: Block): DecodedAudio => ({
  channels: isTwiceTheSame(channelData, samplesDecoded) ? channelData.slice(0, 1) : channelData,
  frames: samplesDecoded,
  sampleRate,
});

/** The MP3 decoder returns mono as two equal channels; comparing some samples is enough to process only one. */
function isTwiceTheSame([left, right]: readonly Float32Array[], frames: number): boolean {
  if (left === undefined || right === undefined) return false;
  const step = Math.max(1, Math.floor(frames / 257));
  for (let i = 0; i < frames; i += step) if (left[i] !== right[i]) return false;
  return true;
}

/** Splits a file in two where possible; otherwise the first worker reads all of it and the second nothing. */
async function* decodePart(
  source: ByteSource,
  part: Part,
  cutOf: (source: ByteSource) => Promise<StreamCut | null>,
  open: () => Promise<StreamDecoder>,
): AsyncGenerator<DecodedAudio, void, undefined> {
  if (part !== 'second') {
    // The beginning is decoded while the middle is looked for.
    const range = part === 'all' ? {} : { to: endOf(cutOf(source)) };
    yield* decodeStreamed(source, await open(), range);
    return;
  }
  const cut = await cutOf(source);
  if (cut === null) return;
  let toSkip = -1;
  for await (const audio of decodeStreamed(source, await open(), cut)) {
    // An MP3 frame has 1,152 samples, half as many at lower sample rates.
    if (toSkip < 0 && audio.frames > 0) toSkip = cut.runUp * (audio.sampleRate >= 32_000 ? 1152 : 576);
    const skip = Math.min(Math.max(0, toSkip), audio.frames);
    toSkip = Math.max(0, toSkip - skip);
    if (skip === 0) yield audio;
    else if (skip < audio.frames)
      yield {
        ...audio,
        channels: audio.channels.map((samples) => samples.subarray(skip)),
        frames: audio.frames - skip,
      };
  }
}

export const decodeMp3: Decode = (source, part = 'all') =>
  decodePart(source, part, cutOfMp3, async () => {
    const { MPEGDecoder } = await import('mpg123-decoder');
    return new MPEGDecoder({ enableGapless: part !== 'second' });
  });

/** Keeps the encoder's padding before the recording, like WebCodecs, so that samples correspond. */
export const decodeMp3WithRunUp: Decode = async function* (source) {
  const { MPEGDecoder } = await import('mpg123-decoder');
  yield* decodeStreamed(source, new MPEGDecoder({ enableGapless: false }));
};
