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

  says(at: number, text: string): boolean {
    if (!this.#has(at, text.length)) return false;
    for (let index = 0; index < text.length; index++) {
      if (this.#view.getUint8(at + index) !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  find(text: string, from = 0): number {
    for (let at = from; at + text.length <= this.length; at++) if (this.says(at, text)) return at;
    return -1;
  }

  findLast(text: string): number {
    for (let at = this.length - text.length; at >= 0; at--) if (this.says(at, text)) return at;
    return -1;
  }

  #has(at: number, size: number): boolean {
    return Number.isInteger(at) && at >= 0 && at + size <= this.length;
  }
}

const bitrates: Readonly<Record<string, readonly number[]>> = {
  v1l1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  v2l3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const rates = [44_100, 48_000, 32_000];

export interface Mp3Frame {
  readonly sizeBytes: number;
  readonly kbps: number;
  readonly rate: number;
  readonly samples: number;
}

export function readMp3Frame(bytes: Bytes, at: number): Mp3Frame | null {
  const header = bytes.u32be(at);
  if (header === null || header >>> 21 !== 0x7ff) return null;
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const bitrateIndex = (header >>> 12) & 15;
  const rateIndex = (header >>> 10) & 3;
  if (version === 1 || layer === 4 || bitrateIndex === 0 || bitrateIndex === 15 || rateIndex === 3) return null;
  const isFirst = version === 3;
  const kbps = bitrates[`v${isFirst ? 1 : 2}l${layer}`]?.[bitrateIndex - 1];
  const fullRate = rates[rateIndex];
  if (kbps === undefined || fullRate === undefined) return null;
  const rate = fullRate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  const sizeBytes =
    layer === 1
      ? (Math.floor((12 * kbps * 1000) / rate) + padding) * 4
      : Math.floor(((samples / 8) * kbps * 1000) / rate) + padding;
  return { sizeBytes, kbps, rate, samples };
}

export const mp3FrameSize = (bytes: Bytes, at: number): number | null => readMp3Frame(bytes, at)?.sizeBytes ?? null;
