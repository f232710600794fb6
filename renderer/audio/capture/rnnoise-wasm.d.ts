declare module '@jitsi/rnnoise-wasm/dist/rnnoise.js' {
  export interface RnnoiseModule {
    /** A view of the module's memory; replaced after the memory has grown. */
    readonly HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** Reads and writes 480 samples in the range of 16-bit numbers; returns the probability of a voice, 0..1. */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
  }
  export default function createModule(
    code: { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string },
  ): Promise<RnnoiseModule>;
}
