import { interleave16 } from '../audio/encode/audio-writer.ts';
import { open } from 'node:fs/promises';
import { Undecodable, type PcmBlock } from '../../shared/domain/audio/pcm-block.ts';
import { rnnoiseRate, rnnoiseFrame, rnnoiseScale, type Rnnoise } from '../../shared/domain/audio/rnnoise.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import { wavHeader, wavHeaderBytes } from '../../shared/domain/media/wav-header.ts';
import { openAudio } from '../audio/decode/open-audio.ts';
import { openRnnoise } from '../audio/open-rnnoise.ts';

/** The target level of speech, as a fraction of full scale; anything softer than the least is a pause. */
const wantedLevel = 0.1;
const leastLevel = 0.004;
const mostGain = 6;
/** How long the level and the gain take to follow. */
const followSeconds = 0.25;
const ceiling = 0.95;

/** Brings soft and loud passages of one channel to the same level, and adds nothing that was not recorded. */
class SpeechLeveller {
  readonly #keep: number;
  #meanSquare = 0;
  #gain = 1;

  constructor(sampleRate: number) {
    this.#keep = Math.exp(-1 / (followSeconds * sampleRate));
  }

  push(samples: Float32Array): Float32Array {
    return samples.map((sample) => {
      this.#meanSquare = this.#keep * this.#meanSquare + (1 - this.#keep) * sample * sample;
      const level = Math.sqrt(this.#meanSquare);
      const wanted = level < leastLevel ? 1 : Math.min(mostGain, wantedLevel / level);
      this.#gain = this.#keep * this.#gain + (1 - this.#keep) * wanted;
      // Bends peaks that would otherwise clip.
      return ceiling * Math.tanh((sample * this.#gain) / ceiling);
    });
  }
}

/** Listeners of speech gain nothing from more than two channels. */
const mostChannels = 2;

/** One channel by RNNoise at 48 kHz. The output has the length of the input, aligned in time. */
class CleanChannel {
  readonly #network: Rnnoise;
  readonly #resampler: Resampler;
  /** Null: speech is not restored. */
  readonly #leveller: SpeechLeveller | null;
  #pending = new Float32Array();
  #read = 0;
  /** The network looks one frame back, so its first frame lies before the start of the audio. */
  #written = -rnnoiseFrame;

  constructor(network: Rnnoise, sampleRate: number, restoresSpeech: boolean) {
    this.#network = network;
    this.#resampler = new Resampler(sampleRate, rnnoiseRate);
    this.#leveller = restoresSpeech ? new SpeechLeveller(rnnoiseRate) : null;
  }

  push(samples: Float32Array): Float32Array {
    return this.#process(this.#resampler.push(samples));
  }

  flushResampler(): Float32Array {
    return this.#process(this.#resampler.flush());
  }

  /** The end of the audio, which silence pushes out. */
  finish(): Float32Array {
    const length = this.#read;
    const rest = this.#process(new Float32Array(2 * rnnoiseFrame));
    return rest.subarray(0, rest.length - (this.#written - length));
  }

  #process(samples: Float32Array): Float32Array {
    this.#read += samples.length;
    const joined = new Float32Array(this.#pending.length + samples.length);
    joined.set(this.#pending);
    joined.set(samples, this.#pending.length);
    const output = new Float32Array(joined.length - (joined.length % rnnoiseFrame));
    for (let at = 0; at < output.length; at += rnnoiseFrame) {
      const frame = this.#network.frame();
      for (let index = 0; index < rnnoiseFrame; index += 1) frame[index] = (joined[at + index] ?? 0) * rnnoiseScale;
      this.#network.process();
      output.set(
        this.#network.frame().map((value) => value / rnnoiseScale),
        at,
      );
    }
    this.#pending = joined.slice(output.length);
    const heard = output.subarray(Math.max(0, -this.#written));
    this.#written += output.length;
    return this.#leveller?.push(heard) ?? heard;
  }

  free(): void {
    this.#network.free();
  }
}

/** Writes the audio of a file without its noise as a 48 kHz WAV, piece by piece. Throws what the decoders throw. */
export async function suppressFile(
  inputPath: string,
  outputPath: string,
  restoresSpeech: boolean,
  onProgress: () => void,
): Promise<void> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  let channels: readonly CleanChannel[] = [];
  try {
    let bytes = 0;
    const append = async (parts: readonly Float32Array[]): Promise<void> => {
      const data = interleave16(parts);
      await output.write(data, 0, data.length, wavHeaderBytes + bytes);
      bytes += data.length;
    };
    for await (const block of (await openAudio(input, inputPath)).blocks) {
      if (channels.length === 0) channels = await openChannels(block, restoresSpeech);
      await append(channels.map((channel, at) => channel.push(block.channels[at] ?? new Float32Array())));
      onProgress();
    }
    if (channels.length === 0) throw new Undecodable('invalid_audio', 'no sound could be decoded');
    await append(channels.map((channel) => channel.flushResampler()));
    await append(channels.map((channel) => channel.finish()));
    await output.write(wavHeader(bytes, rnnoiseRate, channels.length), 0, wavHeaderBytes, 0);
    await output.sync();
  } finally {
    for (const channel of channels) channel.free();
    await input.close();
    await output.close();
  }
}

const openChannels = ({ channels, sampleRate }: PcmBlock, restoresSpeech: boolean): Promise<CleanChannel[]> =>
  Promise.all(
    channels.slice(0, mostChannels).map(async () => new CleanChannel(await openRnnoise(), sampleRate, restoresSpeech)),
  );
