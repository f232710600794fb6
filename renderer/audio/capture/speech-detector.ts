import createModule from '@jitsi/rnnoise-wasm/dist/rnnoise.js';
import { sincTaps, weighted } from '../../../shared/domain/audio/true-peak.ts';
import { Rnnoise, rnnoiseFrame } from '../../../shared/domain/audio/rnnoise.ts';
import { frameSamples } from './capture-frame.ts';

/** RNNoise was trained at three times the rate of dictation. */
const factor = 3;
const windowSamples = rnnoiseFrame / factor;
const reach = 6;
const taps = sincTaps(factor, reach);

type RnnoiseCode = { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string };

/** Tells speech from keys, fans and hum; interpolating changes the result in one window of eighty. */
export class SpeechDetector {
  readonly #network: Rnnoise;
  #before = new Int16Array(2 * reach);

  private constructor(module: RnnoiseModule) {
    this.#network = new Rnnoise(module);
  }

  static async open(code: RnnoiseCode): Promise<() => SpeechDetector> {
    const module = await createModule(code);
    return () => new SpeechDetector(module);
  }

  /** The higher probability of the two windows in a frame of 20 ms. */
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
