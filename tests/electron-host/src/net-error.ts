/** A failure of the network, in Chromium's words. */
export class NetError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`net::${code}`);
    this.code = code;
  }
}
