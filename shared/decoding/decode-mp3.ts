import type { MPEGDecoder } from 'mpg123-decoder';
import type { ByteSource } from './byte-source.ts';
import { release, whole, type Decode, type DecodedAudio } from './decoded-audio.ts';
import { cutOfMp3, stretchOf } from './stream-cuts.ts';

/** The samples of a piece, a second of speech, stay in the processor's cache: 64 KiB take a tenth more time. */
const pieceBytes = 8 * 1024;

/** Decodes plain MP3 in WebAssembly. */
export const decodeMp3: Decode = async function* (source, part = whole) {
  const stretch = await stretchOf(source, part, cutOfMp3);
  if (stretch === null) return;
  const { start, end } = stretch;
  let toSkip = -1;
  for await (const audio of decodeStretch(source, { isGapless: start === null, from: start?.from ?? 0, end })) {
    // A frame has 1,152 samples, half as many at lower sample rates.
    if (toSkip < 0) toSkip = (start?.runUp ?? 0) * (audio.sampleRate >= 32_000 ? 1152 : 576);
    const skip = Math.min(toSkip, audio.frames);
    toSkip -= skip;
    if (skip === 0) yield audio;
    else if (skip < audio.frames)
      yield {
        ...audio,
        channels: audio.channels.map((samples) => samples.subarray(skip)),
        frames: audio.frames - skip,
      };
  }
};

/** Keeps the encoder's padding before the recording, like WebCodecs, so that samples correspond. */
export const decodeMp3WithPadding: Decode = (source) =>
  decodeStretch(source, { isGapless: false, from: 0, end: Infinity });

interface Stretch {
  /** Leaves out the encoder's padding. */
  readonly isGapless: boolean;
  readonly from: number;
  readonly end: number | Promise<number>;
}

/** The decoder runs in the calling worker: the package's own worker starts from a blob, which the policy forbids. */
async function* decodeStretch(
  source: ByteSource,
  { isGapless, from, end }: Stretch,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: isGapless });
  await decoder.ready;
  try {
    for await (const bytes of source.stream(from, end)) {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
        const block = decoder.decode(bytes.subarray(at, at + pieceBytes));
        // Before the first frame is complete it knows no sample rate either.
        if (block.samplesDecoded > 0) yield toAudio(block);
        release(block.channelData);
      }
    }
  } finally {
    decoder.free();
  }
}

const toAudio = ({ channelData, samplesDecoded, sampleRate }: ReturnType<MPEGDecoder['decode']>): DecodedAudio => ({
  channels: isTwiceTheSame(channelData, samplesDecoded) ? channelData.slice(0, 1) : channelData,
  frames: samplesDecoded,
  sampleRate,
});

/** The decoder returns mono as two equal channels; comparing some samples is enough to process only one. */
function isTwiceTheSame([left, right]: readonly Float32Array[], frames: number): boolean {
  if (left === undefined || right === undefined) return false;
  const step = Math.max(1, Math.floor(frames / 257));
  for (let i = 0; i < frames; i += step) if (left[i] !== right[i]) return false;
  return true;
}
