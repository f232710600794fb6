/** A view of bytes in which every read beyond the end gives null: file headers lie, so nothing here may throw. */
export class Bytes {
  readonly #view: DataView;
  readonly length: number;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = bytes.byteLength;
  }

  u8(at: number): number | null {
    return this.#has(at, 1) ? this.#view.getUint8(at) : null;
  }

  u16le(at: number): number | null {
    return this.#has(at, 2) ? this.#view.getUint16(at, true) : null;
  }

  u16be(at: number): number | null {
    return this.#has(at, 2) ? this.#view.getUint16(at, false) : null;
  }

  u32le(at: number): number | null {
    return this.#has(at, 4) ? this.#view.getUint32(at, true) : null;
  }

  u32be(at: number): number | null {
    return this.#has(at, 4) ? this.#view.getUint32(at, false) : null;
  }

  /** As a number: exact up to 2^53, which is more than any duration here may be. */
  u64le(at: number): number | null {
    return this.#has(at, 8) ? Number(this.#view.getBigUint64(at, true)) : null;
  }

  u64be(at: number): number | null {
    return this.#has(at, 8) ? Number(this.#view.getBigUint64(at, false)) : null;
  }

  /** Whether the ASCII `text` is at `at`. */
  says(at: number, text: string): boolean {
    if (!this.#has(at, text.length)) return false;
    for (let index = 0; index < text.length; index++) {
      if (this.#view.getUint8(at + index) !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  /** The first place of the ASCII `text`, or -1. */
  find(text: string, from = 0): number {
    for (let at = from; at + text.length <= this.length; at++) if (this.says(at, text)) return at;
    return -1;
  }

  /** The last place of the ASCII `text`, or -1. */
  findLast(text: string): number {
    for (let at = this.length - text.length; at >= 0; at--) if (this.says(at, text)) return at;
    return -1;
  }

  #has(at: number, size: number): boolean {
    return Number.isInteger(at) && at >= 0 && at + size <= this.length;
  }
}
