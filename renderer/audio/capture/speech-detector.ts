import createModule, { type RnnoiseModule } from '@jitsi/rnnoise-wasm/dist/rnnoise.js';
import { frameSamples } from './capture-frame.ts';

/** RNNoise was trained at three times the rate of dictation, and takes 10 ms at a time. */
const factor = 3;
const windowSamples = 160;
const networkSamples = windowSamples * factor;

/** How many samples on each side an interpolated one depends on. */
const reach = 6;
/** A windowed sinc for each position between two samples. */
const taps = Array.from({ length: factor }, (_none, phase) =>
  Array.from({ length: 2 * reach }, (_one, at) => {
    const distance = at - reach + 1 - phase / factor;
    const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
  }),
);

/** The module's code: its bytes, or their address. */
type RnnoiseCode = { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string };

/**
 * Distinguishes speech from noise with the network of RNNoise, which recognises keys, fans and hum. It needs 48 kHz;
 * captured audio has 16 kHz and is interpolated, which changes the result in one window of eighty.
 */
export class SpeechDetector {
  readonly #module: RnnoiseModule;
  readonly #state: number;
  readonly #frame: number;
  /** The end of the previous samples, because interpolation needs neighbours on both sides. */
  #before = new Int16Array(2 * reach);

  private constructor(module: RnnoiseModule) {
    this.#module = module;
    this.#state = module._rnnoise_create(0);
    this.#frame = module._malloc(networkSamples * Float32Array.BYTES_PER_ELEMENT);
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
    const memory = this.#module.HEAPF32;
    const start = this.#frame / Float32Array.BYTES_PER_ELEMENT;
    for (let at = 0; at < windowSamples; at += 1) {
      for (let phase = 0; phase < factor; phase += 1) {
        const weights = taps[phase] ?? [];
        let value = 0;
        for (let tap = 0; tap < 2 * reach; tap += 1) value += (samples[from + at + tap] ?? 0) * (weights[tap] ?? 0);
        memory[start + at * factor + phase] = value;
      }
    }
    return this.#module._rnnoise_process_frame(this.#state, this.#frame, this.#frame);
  }

  free(): void {
    this.#module._rnnoise_destroy(this.#state);
    this.#module._free(this.#frame);
  }
}
