/** Reads bits, most significant first. Bits beyond the end read as zero and set `isPastEnd`. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** At most 24 bits at once. */
  read(count: number): number {
    if (count === 0) return 0;
    const value = this.peek(count);
    this.#position += count;
    return value;
  }

  /** The next bits, 1 to 24 of them, which stay to be read. */
  peek(count: number): number {
    const at = this.#position >> 3;
    const bytes = this.#bytes;
    const word =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    return (word << (this.#position & 7)) >>> (32 - count);
  }

  readFlag(): boolean {
    return this.read(1) === 1;
  }

  skip(count: number): void {
    this.#position += count;
  }

  alignToByte(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  get isPastEnd(): boolean {
    return this.#position > this.#bytes.length * 8;
  }
}
