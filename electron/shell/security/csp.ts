/** The page's policy, word for word that of the security rules; `nonce` is new for each load. */
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
 * A worker's own policy comes with its script. WebAssembly is compiled nowhere else: the audio decoders live in
 * workers, so that a page that was taken over still can't run code it brought along.
 */
export const workerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Built worker scripts carry `worker` in their name. */
export const isWorkerScript = (path: string): boolean => /^\/assets\/[^/]*worker[^/]*\.js$/.test(path);
