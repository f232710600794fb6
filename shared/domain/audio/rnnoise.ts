export const rnnoiseRate = 48_000;
export const rnnoiseFrame = 480;
/** Its samples have the range of 16-bit numbers. */
export const rnnoiseScale = 32_768;

export class Rnnoise {
  readonly #module: RnnoiseModule;
  readonly #state: number;
  readonly #frame: number;

  constructor(module: RnnoiseModule) {
    this.#module = module;
    this.#state = module._rnnoise_create(0);
    this.#frame = module._malloc(rnnoiseFrame * Float32Array.BYTES_PER_ELEMENT);
  }

  /** The samples to process, and afterwards the processed ones. Valid until the next call of this object. */
  frame(): Float32Array {
    const start = this.#frame / Float32Array.BYTES_PER_ELEMENT;
    return this.#module.HEAPF32.subarray(start, start + rnnoiseFrame);
  }

  process(): number {
    return this.#module._rnnoise_process_frame(this.#state, this.#frame, this.#frame);
  }

  free(): void {
    this.#module._rnnoise_destroy(this.#state);
    this.#module._free(this.#frame);
  }
}
