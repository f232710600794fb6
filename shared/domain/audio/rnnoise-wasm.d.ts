interface RnnoiseModule {
  /** A view of the module's memory; replaced after the memory has grown. */
  readonly HEAPF32: Float32Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _rnnoise_create(model: number): number;
  _rnnoise_destroy(state: number): void;
  _rnnoise_process_frame(state: number, output: number, input: number): number;
}
declare module '@jitsi/rnnoise-wasm/dist/rnnoise.js' {
  export default function createModule(
    code: { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string },
  ): Promise<RnnoiseModule>;
}
declare module '@jitsi/rnnoise-wasm/dist/rnnoise-sync.js' {
  export default function createModule(): RnnoiseModule & { readonly ready: Promise<unknown> };
}
