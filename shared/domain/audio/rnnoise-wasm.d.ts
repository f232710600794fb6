declare module '@jitsi/rnnoise-wasm/dist/rnnoise.js' {
  export default function createModule(
    code: { readonly wasmBinary: Uint8Array } | { readonly locateFile: () => string },
  ): Promise<import('./rnnoise.ts').RnnoiseModule>;
}
declare module '@jitsi/rnnoise-wasm/dist/rnnoise-sync.js' {
  export default function createModule(): import('./rnnoise.ts').RnnoiseModule & { readonly ready: Promise<unknown> };
}
