import createModule from '@jitsi/rnnoise-wasm/dist/rnnoise-sync.js';

/** The only rate that RNNoise was trained for, and the number of samples it takes at a time. */
export const suppressorRate = 48_000;
const frameLength = 480;
const fullScale = 32_768;

async function openModule(): Promise<ReturnType<typeof createModule>> {
  const module = createModule();
  await module.ready;
  return module;
}
/** One module for all channels of a thread, because creating one costs memory and time. */
let opening: Promise<ReturnType<typeof createModule>> | null = null;

/** RNNoise on one channel at 48 kHz. The output has the length of the input, aligned in time. */
export class NoiseSuppressor {
  readonly #module: ReturnType<typeof createModule>;
  readonly #state: number;
  readonly #frame: number;
  #pending = new Float32Array();
  #read = 0;
  #written = 0;
  /** The network looks one frame back, so its first frame lies before the start of the audio. */
  #isFirst = true;

  private constructor(module: ReturnType<typeof createModule>) {
    this.#module = module;
    this.#state = module._rnnoise_create(0);
    this.#frame = module._malloc(frameLength * Float32Array.BYTES_PER_ELEMENT);
  }

  static async open(): Promise<NoiseSuppressor> {
    opening ??= openModule();
    return new NoiseSuppressor(await opening);
  }

  push(samples: Float32Array): Float32Array {
    this.#read += samples.length;
    return this.#process(samples);
  }

  /** The rest, and the end of it. */
  flush(): Float32Array {
    const rest = this.#process(new Float32Array(2 * frameLength));
    const missing = this.#read - (this.#written - rest.length);
    return rest.subarray(0, missing);
  }

  #process(samples: Float32Array): Float32Array {
    const joined = new Float32Array(this.#pending.length + samples.length);
    joined.set(this.#pending);
    joined.set(samples, this.#pending.length);
    const frames = Math.floor(joined.length / frameLength);
    const output = new Float32Array(Math.max(0, frames - (this.#isFirst ? 1 : 0)) * frameLength);
    let at = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      const cleaned = this.#suppress(joined.subarray(frame * frameLength, (frame + 1) * frameLength));
      if (this.#isFirst) this.#isFirst = false;
      else {
        output.set(cleaned, at);
        at += frameLength;
      }
    }
    this.#pending = joined.slice(frames * frameLength);
    this.#written += output.length;
    return output;
  }

  #suppress(frame: Float32Array): Float32Array {
    const start = this.#frame / Float32Array.BYTES_PER_ELEMENT;
    const memory = this.#module.HEAPF32;
    for (let at = 0; at < frameLength; at += 1) memory[start + at] = (frame[at] ?? 0) * fullScale;
    this.#module._rnnoise_process_frame(this.#state, this.#frame, this.#frame);
    return this.#module.HEAPF32.slice(start, start + frameLength).map((value) => value / fullScale);
  }

  free(): void {
    this.#module._rnnoise_destroy(this.#state);
    this.#module._free(this.#frame);
  }
}
