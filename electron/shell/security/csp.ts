/** The page's policy, exactly as in the security rules; `nonce` is new for each load. */
export const pagePolicy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `media-src 'self' blob: app-media:`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `object-src 'none'`,
    `frame-src 'none'`,
    `child-src 'none'`,
    `manifest-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/**
 * A worker's own policy is sent with its script. WebAssembly is compiled only there: the audio decoders run in workers,
 * so that a compromised page still can't run code it brought along.
 */
export const workerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Built worker scripts contain `worker` in their name. */
export const isWorkerScript = (path: string): boolean => /^\/assets\/[^/]*worker[^/]*\.js$/.test(path);
