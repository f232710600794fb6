import createModule from '@jitsi/rnnoise-wasm/dist/rnnoise.js';
import { sincTaps, weighted } from '../../../shared/domain/audio/interpolation.ts';
import { Rnnoise, rnnoiseFrame } from '../../../shared/domain/audio/rnnoise.ts';
import { frameSamples } from './capture-frame.ts';

/** RNNoise was trained at three times the rate of dictation. */
const factor = 3;
const windowSamples = rnnoiseFrame / factor;
/** How many samples on each side an interpolated one depends on. */
const reach = 6;
const taps = sincTaps(factor, reach);

/** The module's code: its bytes, or their address. */
type RnnoiseCode = { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string };

/**
 * Distinguishes speech from noise with the network of RNNoise, which recognises keys, fans and hum. It needs 48 kHz;
 * captured audio has 16 kHz and is interpolated, which changes the result in one window of eighty.
 */
export class SpeechDetector {
  readonly #network: Rnnoise;
  /** The end of the previous samples, because interpolation needs neighbours on both sides. */
  #before = new Int16Array(2 * reach);

  private constructor(module: RnnoiseModule) {
    this.#network = new Rnnoise(module);
  }

  static async open(code: RnnoiseCode): Promise<() => SpeechDetector> {
    const module = await createModule(code);
    return () => new SpeechDetector(module);
  }

  /** The probability of speech in a frame of 20 ms, from 0 to 1: the higher one of its two windows. */
  hear(pcm: Int16Array): number {
    const joined = new Int16Array(this.#before.length + pcm.length);
    joined.set(this.#before);
    joined.set(pcm, this.#before.length);
    this.#before = joined.slice(-2 * reach);
    let most = 0;
    for (let at = 0; at + windowSamples <= frameSamples && at < pcm.length; at += windowSamples)
      most = Math.max(most, this.#ask(joined, at));
    return most;
  }

  #ask(samples: Int16Array, from: number): number {
    const frame = this.#network.frame();
    for (let at = 0; at < windowSamples; at += 1)
      taps.forEach((weights, phase) => (frame[at * factor + phase] = weighted(samples, from + at, weights)));
    return this.#network.process();
  }

  free(): void {
    this.#network.free();
  }
}
