import { Undecodable, type PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';

export interface OpenedAudio {
  readonly container: string;
  readonly codec: string;
  readonly blocks: AsyncIterable<PcmBlock>;
  /** Its length; null where it does not say so. */
  readonly seconds: () => Promise<number | null>;
  readonly plain?: PlainSamples;
}

/** Samples that stand in the file as a WAV of ours has them. */
export interface PlainSamples {
  readonly start: number;
  readonly end: number;
  readonly sampleRate: number;
  readonly channelCount: number;
}

/** Gives the memory of samples back at once: the engine would collect the arrays later than they come. */
export function release(channels: readonly Float32Array[]): void {
  for (const { buffer } of channels) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The blocks without so many samples at their beginning. */
export async function* fromFrame(blocks: AsyncIterable<PcmBlock>, frames: number): AsyncGenerator<PcmBlock> {
  let toSkip = frames;
  for await (const block of blocks) {
    const skip = Math.min(toSkip, block.channels[0]?.length ?? 0);
    toSkip -= skip;
    const channels = skip === 0 ? block.channels : block.channels.map((samples) => samples.subarray(skip));
    if (channels[0]?.length !== 0) yield { ...block, channels };
  }
}

/** Silence packs so well that a file of a megabyte may hold days of it; longer audio than this is not decoded. */
const longestAudioMs = 6 * 3_600_000;
const mostSamples = (longestAudioMs / 1000) * 48_000 * 2;

export function refuseTooMuch(seconds: number, samplesPerSecond: number): void {
  if (Number.isFinite(seconds) && (seconds * 1000 > longestAudioMs || seconds * samplesPerSecond > mostSamples))
    throw new Undecodable('audio_too_large', 'the recording is longer than six hours');
}
