import createModule, { type RnnoiseModule } from '@jitsi/rnnoise-wasm/dist/rnnoise.js';
import { frameSamples } from './capture-frame.ts';

/** RNNoise was trained at three times the rate of dictation, and takes 10 ms at a time. */
const factor = 3;
const windowSamples = 160;
const networkSamples = windowSamples * factor;

/** Samples on each side of a new one that it is made of. */
const reach = 6;
/** A windowed sinc for each of the places between two samples. */
const taps = Array.from({ length: factor }, (_none, phase) =>
  Array.from({ length: 2 * reach }, (_one, at) => {
    const distance = at - reach + 1 - phase / factor;
    const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
  }),
);

/** How the module gets its code: the bytes, or where they are. */
type RnnoiseCode = { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string };

/**
 * Tells speech from noise by the network of RNNoise, which hears keys, fans and hum for what they are. It wants 48 kHz;
 * what is captured is 16 kHz, so the samples between are put in, which changes its mind in one window of eighty.
 */
export class SpeechDetector {
  readonly #module: RnnoiseModule;
  readonly #state: number;
  readonly #frame: number;
  /** The last samples of before, because those between are made of their neighbours on both sides. */
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

  /** How probable speech is in a frame of 20 ms, from 0 to 1: of its two windows the more certain one counts. */
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
