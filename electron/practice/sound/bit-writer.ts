/** Writes numbers bit by bit, the highest bit first. */
export class BitWriter {
  #bytes = new Uint8Array(16_384);
  #length = 0;
  #current = 0;
  #filled = 0;

  /** `bits` up to 32. */
  write(value: number, bits: number): void {
    for (let at = bits - 1; at >= 0; at -= 1) {
      this.#current = (this.#current << 1) | ((value >>> at) & 1);
      this.#filled += 1;
      if (this.#filled === 8) this.#pushByte();
    }
  }

  /** So many zeros and a one. */
  writeUnary(zeros: number): void {
    for (let left = zeros; left > 0; left -= 24) this.write(0, Math.min(24, left));
    this.write(1, 1);
  }

  #pushByte(): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = this.#current;
    this.#length += 1;
    this.#current = 0;
    this.#filled = 0;
  }

  /** Fills the last byte with zeros. */
  align(): void {
    if (this.#filled > 0) this.write(0, 8 - this.#filled);
  }

  /** What was written so far, in whole bytes. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
