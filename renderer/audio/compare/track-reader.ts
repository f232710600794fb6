import { AudioSampleSink, type AudioSample, type InputAudioTrack } from 'mediabunny';
import { Resampler } from '../../../shared/domain/media/resample.ts';
import type { Decode } from '../decoding/decoded-audio.ts';
import { openMediaInput, primaryTrack } from '../decoding/media-input.ts';

/** A recording that can be read from any place, in samples of one rate that have no gap between them. */
export interface TrackReader {
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly durationMs: number;
  /**
   * Blocks of samples at `rate` from `fromFrame` on, counted at that rate; silence before the recording begins. The
   * same decoder serves measuring and playing, so what was measured with it is true for what is heard. A block holds
   * until the next one is asked for.
   */
  read(fromFrame: number, rate: number): AsyncGenerator<readonly Float32Array[], void, undefined>;
  close(): void;
}

/** More channels than two are of no use to listeners of speech. */
const mostChannels = 2;
/** Several recordings are open at once, each for the player and for the measuring, and are read in order. */
const cacheBytes = 4 * 1024 * 1024;
/** Decoders need some of what came before to find their feet. */
const leadSeconds = 0.1;

/** What is read from here on is read in order, where there is a way to. */
const inOrderSeconds = 1;

/**
 * Opens a recording from its same-origin address. Throws when the browser has no decoder for it. `inOrder` reads it from
 * its beginning instead of WebCodecs: for MP3 and FLAC the demuxer keeps an entry of each packet as long as the recording
 * is open, and the engine is slow to collect the packets; three hours are half a million of them.
 */
export async function openTrack(url: string, inOrder: Decode | null = null): Promise<TrackReader> {
  const input = openMediaInput(url, cacheBytes);
  try {
    const track = await primaryTrack(input);
    if (!(await track.canDecode())) throw new Error('The browser has no decoder for this recording');
    const [sampleRate, channels, seconds] = await Promise.all([
      track.getSampleRate(),
      track.getNumberOfChannels(),
      durationOf(track),
    ]);
    const channelCount = Math.min(mostChannels, channels);
    return {
      sampleRate,
      channelCount,
      durationMs: Math.round(seconds * 1000),
      close: () => {
        input.dispose();
      },
      async *read(fromFrame, rate) {
        if (fromFrame < 0) yield silence(channelCount, -fromFrame);
        const first = Math.max(0, Math.round((fromFrame * sampleRate) / rate));
        const resamplers =
          rate === sampleRate ? [] : Array.from({ length: channelCount }, () => new Resampler(sampleRate, rate));
        if (inOrder !== null && first <= inOrderSeconds * sampleRate) {
          let toSkip = first;
          for await (const { channels, frames, sampleRate: given } of inOrder(url)) {
            if (given !== sampleRate) throw new Error('The decoders differ about the sample rate');
            const skip = Math.min(toSkip, frames);
            toSkip -= skip;
            const planes = Array.from({ length: channelCount }, (_, index) =>
              (channels[index] ?? channels[0] ?? new Float32Array()).subarray(skip, frames),
            );
            if (skip < frames) yield planes.map((plane, index) => resamplers[index]?.push(plane) ?? plane);
          }
          yield resamplers.map((resampler) => resampler.flush());
          return;
        }
        // Filled anew for each block: three hours are half a million blocks, and the engine lets them pile up.
        const own: Float32Array<ArrayBuffer>[] = Array.from({ length: channelCount }, () => new Float32Array());
        const samples = new AudioSampleSink(track).samples(Math.max(0, first / sampleRate - leadSeconds));
        for await (const sample of samples) {
          const planes = takeFrom(sample, first, own);
          if (planes !== null) yield planes.map((plane, index) => resamplers[index]?.push(plane) ?? plane);
        }
        yield resamplers.map((resampler) => resampler.flush());
      },
    };
  } catch (cause) {
    input.dispose();
    throw cause;
  }
}

/**
 * Seconds. What the file says of itself comes first: to find the last packet of an MP3 all of them are read, and the
 * demuxer keeps an entry of each for as long as the recording is open.
 */
const durationOf = async (track: InputAudioTrack): Promise<number> =>
  (await track.getDurationFromMetadata()) ?? (await track.computeDuration());

const silence = (channelCount: number, frames: number): readonly Float32Array[] =>
  Array.from({ length: channelCount }, () => new Float32Array(frames));

/** The samples of a decoded block that stand at `first` or later; null when there are none. */
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
