import type { MPEGDecodedAudio } from 'mpg123-decoder';
import { byteStream } from './read-bytes.ts';
import { cutOfMp3, endOf } from './stream-cuts.ts';
import type { Decode, DecodedAudio } from './decoded-audio.ts';

/** Small enough for frequent progress of a long recording, large enough for negligible call overhead. */
const pieceBytes = 64 * 1024;
/** Where memory counts: the samples of a piece are some seconds of speech. */
const smallPieceBytes = 16 * 1024;

const toAudio = ({ channelData, samplesDecoded, sampleRate }: MPEGDecodedAudio): DecodedAudio => ({
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

/** The part of a file to decode. */
interface Range {
  readonly from?: number;
  readonly to?: Promise<number>;
}

/** Decodes in the calling worker: the package's own workers start from blobs, which the policy forbids. */
async function* decodeRange(
  url: string,
  { from, to }: Range,
  enableGapless: boolean,
  bytesAtOnce = pieceBytes,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless });
  await decoder.ready;
  try {
    for await (const bytes of byteStream(url, from, to)) {
      for (let at = 0; at < bytes.byteLength; at += bytesAtOnce) {
        const block = decoder.decode(bytes.subarray(at, at + bytesAtOnce));
        // Before the headers are complete it knows no sample rate either.
        if (block.samplesDecoded > 0) yield toAudio(block);
      }
    }
  } finally {
    decoder.free();
  }
}

/** Splits a file in two where possible; otherwise the first worker reads all of it and the second nothing. */
export const decodeMp3: Decode = async function* (url, part = 'all') {
  if (part !== 'second') {
    // The beginning is decoded while the middle is looked for.
    yield* decodeRange(url, part === 'all' ? {} : { to: endOf(cutOfMp3(url)) }, true);
    return;
  }
  const cut = await cutOfMp3(url);
  if (cut === null) return;
  let toSkip = -1;
  for await (const audio of decodeRange(url, { from: cut.from }, false)) {
    // A frame has 1,152 samples, half as many at lower sample rates.
    if (toSkip < 0) toSkip = cut.runUp * (audio.sampleRate >= 32_000 ? 1152 : 576);
    const skip = Math.min(toSkip, audio.frames);
    toSkip -= skip;
    if (skip < audio.frames)
      yield {
        ...audio,
        channels: audio.channels.map((samples) => samples.subarray(skip)),
        frames: audio.frames - skip,
      };
  }
};

/** Keeps the encoder's padding before the recording, like WebCodecs, so that samples correspond. */
export const decodeMp3WithRunUp: Decode = (url) => decodeRange(url, {}, false, smallPieceBytes);
