export interface Bytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole recording. */
  readonly size: number;
}

/** A recording that can be read from any place; a page reads it from an address, main from a file. */
export interface ByteSource {
  /** At most `count` bytes starting at `from`, and the size of the recording; null when it is shorter or can't be read. */
  read(from: number, count: number): Promise<Bytes | null>;
  /**
   * The bytes in a range, in order, with the end exclusive. An end that is still looked for is in the middle: what is
   * known of the beginning may come before it is there. A piece is valid until the next one is requested.
   */
  stream(from?: number, to?: number | Promise<number>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
}

/** The decoder, the place to split and the first picture are all found in this much of a recording. */
export const headBytes = 256 * 1024;

/** Pieces of bytes one after the other, in memory of their own. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
