import {
  AudioSampleSink,
  EncodedPacketSink,
  MATROSKA,
  OGG,
  WEBM,
  type AudioSample,
  type InputAudioTrack,
} from 'mediabunny';
import { Resampler } from '../../../shared/domain/media/resample.ts';
import type { DecodedAudio } from '../../../shared/decoding/decoded-audio.ts';
import { openMedia, primaryTrack } from '../../../shared/decoding/media-input.ts';
import { fetchSource } from '../decoding/fetch-source.ts';

export interface TrackReader {
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly durationMs: number;
  /** Silence before the recording begins. A block is valid until the next one is requested. */
  read(fromFrame: number, rate: number): AsyncGenerator<readonly Float32Array[], void, undefined>;
  close(): void;
}

/** Listeners of speech gain nothing from more than two channels. */
const mostChannels = 2;
/** Decoders need preceding audio to settle, Opus up to half a second of it. */
const leadSeconds = 1;

export type ReadInOrder = () => AsyncGenerator<DecodedAudio, void, undefined>;

type Facts = Pick<TrackReader, 'sampleRate' | 'channelCount' | 'durationMs'>;

/** Throws without a decoder. `inOrder` avoids the demuxer, which keeps an entry for each packet. */
export async function openTrack(url: string, inOrder: ReadInOrder | null = null): Promise<TrackReader> {
  const input = openMedia(fetchSource(url));
  try {
    const track = await primaryTrack(input);
    if (!(await track.canDecode())) throw new Error('The browser has no decoder for this recording');
    const [sampleRate, channels, seconds] = await Promise.all([
      track.getSampleRate(),
      track.getNumberOfChannels(),
      durationOf(track),
    ]);
    const facts = {
      sampleRate,
      channelCount: Math.min(mostChannels, channels),
      durationMs: Math.round(seconds * 1000),
    };
    const format = await input.getFormat();
    // Matroska's times are whole milliseconds: parts read apart would not meet at the same sample.
    if (inOrder === null || format === MATROSKA || format === WEBM) return packetReader(track, format === OGG, facts);
    input.dispose();
    return orderedReader(inOrder, facts);
  } catch (cause) {
    input.dispose();
    throw cause;
  }
}

/** Leaves out what comes before the asked position; holds no demuxer. */
function orderedReader(decode: ReadInOrder, facts: Facts): TrackReader {
  const { sampleRate, channelCount } = facts;
  return {
    ...facts,
    close: () => undefined,
    async *read(fromFrame, rate) {
      const first = Math.max(0, Math.round((fromFrame * sampleRate) / rate));
      if (fromFrame < 0) yield silence(channelCount, -fromFrame);
      const resamplers = resamplersFor(facts, rate);
      let toSkip = first;
      for await (const { channels, frames, sampleRate: given } of decode()) {
        if (given !== sampleRate) throw new Error('The decoders differ about the sample rate');
        const skip = Math.min(toSkip, frames);
        toSkip -= skip;
        const planes = Array.from({ length: channelCount }, (_, index) =>
          (channels[index] ?? channels[0] ?? new Float32Array()).subarray(skip, frames),
        );
        if (skip < frames) yield planes.map((plane, index) => resamplers[index]?.push(plane) ?? plane);
      }
      yield resamplers.map((resampler) => resampler.flush());
    },
  };
}

function packetReader(track: InputAudioTrack, isOgg: boolean, facts: Facts): TrackReader {
  const { sampleRate, channelCount } = facts;
  return {
    ...facts,
    close: () => track.input.dispose(),
    async *read(fromFrame, rate) {
      if (fromFrame < 0) yield silence(channelCount, -fromFrame);
      const first = Math.max(0, Math.round((fromFrame * sampleRate) / rate));
      const resamplers = resamplersFor(facts, rate);
      // Reused for each block: three hours have half a million blocks, which the engine would let pile up.
      const own: Float32Array<ArrayBuffer>[] = Array.from({ length: channelCount }, () => new Float32Array());
      const lead = first / sampleRate - leadSeconds;
      const fromSecond = lead < leadSeconds ? 0 : lead;
      const early = isOgg && fromSecond > 0 ? await withheldFrames(track, fromSecond, sampleRate) : 0;
      for await (const sample of new AudioSampleSink(track).samples(fromSecond)) {
        const planes = takeFrom(sample, first - early, own);
        if (planes !== null) yield planes.map((plane, index) => resamplers[index]?.push(plane) ?? plane);
      }
      yield resamplers.map((resampler) => resampler.flush());
    },
  };
}

const resamplersFor = ({ sampleRate, channelCount }: Facts, rate: number): Resampler[] =>
  rate === sampleRate ? [] : Array.from({ length: channelCount }, () => new Resampler(sampleRate, rate));

/** In seconds. The file's own statement first: finding the last packet of an MP3 means reading it all. */
const durationOf = async (track: InputAudioTrack): Promise<number> =>
  (await track.getDurationFromMetadata()) ?? (await track.computeDuration());

/** Opus skips a beginning, Vorbis's first packet only completes the one before it; times don't say so. */
async function withheldFrames(track: InputAudioTrack, fromSecond: number, sampleRate: number): Promise<number> {
  const codec = await track.getCodec();
  if (codec === 'vorbis') {
    const packet = await new EncodedPacketSink(track).getPacket(fromSecond);
    return Math.round((packet?.duration ?? 0) * sampleRate);
  }
  const head = codec === 'opus' ? (await track.getDecoderConfig())?.description : undefined;
  if (head === undefined) return 0;
  const bytes = ArrayBuffer.isView(head) ? new DataView(head.buffer, head.byteOffset) : new DataView(head);
  return bytes.getUint16(10, true);
}

const silence = (channelCount: number, frames: number): readonly Float32Array[] =>
  Array.from({ length: channelCount }, () => new Float32Array(frames));

function takeFrom(
  sample: AudioSample,
  first: number,
  own: Float32Array<ArrayBuffer>[],
): readonly Float32Array[] | null {
  try {
    const start = Math.round(sample.timestamp * sample.sampleRate);
    const skip = Math.min(sample.numberOfFrames, Math.max(0, first - start));
    if (skip === sample.numberOfFrames) return null;
    return own.map((known, planeIndex) => {
      if (known.length < sample.numberOfFrames) own[planeIndex] = new Float32Array(sample.numberOfFrames);
      const plane = (own[planeIndex] ?? known).subarray(0, sample.numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
      return plane.subarray(skip);
    });
  } finally {
    sample.close();
  }
}
