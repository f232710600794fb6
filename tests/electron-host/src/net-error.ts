/** A failure of the network, in Chromium's words. */
export class NetError extends Error {
  constructor(code: string) {
    super(`net::${code}`);
  }
}
