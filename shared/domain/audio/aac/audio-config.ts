import { Undecodable } from '../pcm-block.ts';

/** Reads bits, most significant first. Bits beyond the end read as zero and set `isPastEnd`. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

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

/** Where the scale factor bands of a sampling rate begin, with the end after them (ISO/IEC 14496-3, 4.5.4). */
export interface Bands {
  readonly long: readonly number[];
  readonly short: readonly number[];
  /** No prediction over the spectrum above this band. */
  readonly tnsLong: number;
  readonly tnsShort: number;
}

/** Band borders from the widths, which repeat: `[width, how often]`. */
const borders = (...runs: readonly (readonly [number, number])[]): readonly number[] => {
  const starts = [0];
  for (const [width, times] of runs) for (let n = 0; n < times; n += 1) starts.push((starts.at(-1) ?? 0) + width);
  return starts;
};

const long96 = borders([4, 14], [8, 5], [12, 5], [16, 2], [24, 1], [28, 1], [36, 1], [44, 1], [64, 11]);
const long64 = borders([4, 14], [8, 4], [12, 3], [16, 3], [20, 1], [24, 2], [28, 1], [36, 1], [40, 18]);
const long48 = borders([4, 10], [8, 7], [12, 4], [16, 2], [20, 2], [24, 2], [28, 2], [32, 19], [96, 1]);
const long32 = borders([4, 10], [8, 7], [12, 4], [16, 2], [20, 2], [24, 2], [28, 2], [32, 22]);
const long24 = borders(
  [4, 11],
  [8, 10],
  [12, 4],
  [16, 3],
  [20, 2],
  [24, 2],
  [28, 2],
  [32, 1],
  [36, 2],
  [40, 1],
  [44, 1],
  [48, 1],
  [52, 2],
  [64, 5],
);
const long16 = borders(
  [8, 11],
  [12, 9],
  [16, 4],
  [20, 3],
  [24, 2],
  [28, 2],
  [32, 1],
  [36, 1],
  [40, 2],
  [44, 1],
  [48, 1],
  [52, 1],
  [56, 1],
  [60, 1],
  [64, 3],
);
const long8 = borders(
  [12, 13],
  [16, 7],
  [20, 4],
  [24, 3],
  [28, 2],
  [32, 1],
  [36, 2],
  [40, 1],
  [44, 1],
  [48, 1],
  [52, 1],
  [56, 1],
  [60, 1],
  [64, 1],
  [80, 1],
);
const short96 = borders([4, 6], [8, 3], [16, 1], [28, 1], [36, 1]);
const short48 = borders([4, 5], [8, 3], [12, 3], [16, 3]);
const short24 = borders([4, 7], [8, 3], [12, 2], [16, 2], [20, 1]);
const short16 = borders([4, 8], [8, 2], [12, 2], [16, 1], [20, 2]);
const short8 = borders([4, 7], [8, 4], [12, 1], [16, 1], [20, 2]);

const sampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
] as const;

const byRateIndex: readonly Bands[] = [
  { long: long96, short: short96, tnsLong: 31, tnsShort: 9 },
  { long: long96, short: short96, tnsLong: 31, tnsShort: 9 },
  { long: long64, short: short96, tnsLong: 34, tnsShort: 10 },
  { long: long48, short: short48, tnsLong: 40, tnsShort: 14 },
  { long: long48, short: short48, tnsLong: 42, tnsShort: 14 },
  { long: long32, short: short48, tnsLong: 51, tnsShort: 14 },
  { long: long24, short: short24, tnsLong: 46, tnsShort: 14 },
  { long: long24, short: short24, tnsLong: 46, tnsShort: 14 },
  { long: long16, short: short16, tnsLong: 42, tnsShort: 14 },
  { long: long16, short: short16, tnsLong: 42, tnsShort: 14 },
  { long: long16, short: short16, tnsLong: 42, tnsShort: 14 },
  { long: long8, short: short8, tnsLong: 39, tnsShort: 14 },
  { long: long8, short: short8, tnsLong: 39, tnsShort: 14 },
];

const rateLimits = [92_017, 75_132, 55_426, 46_009, 37_566, 27_713, 23_004, 18_783, 13_856, 11_502, 9391];

/** Bands for any rate: an unusual one uses those of its neighbour (ISO/IEC 14496-3, table 4.82). */
export function bandsFor(sampleRate: number): Bands {
  const index = rateLimits.findIndex((limit) => sampleRate >= limit);
  const bands = byRateIndex[index === -1 ? 11 : index];
  if (bands === undefined) throw new RangeError('every rate has bands');
  return bands;
}

export interface AudioConfig {
  /** The rate that is decoded; with SBR the file promises twice as much, and the upper half is omitted. */
  readonly sampleRate: number;
  /** 0: the frames say it. */
  readonly channels: number;
}

const lowComplexity = 2;
const spectralBandReplication = 5;
const parametricStereo = 29;

function readObjectType(bits: BitReader): number {
  const type = bits.read(5);
  return type === 31 ? 32 + bits.read(6) : type;
}

function readRate(bits: BitReader): number {
  const index = bits.read(4);
  const rate = index === 15 ? bits.read(24) : sampleRates[index];
  if (rate === undefined || rate < 1000) throw new Undecodable('invalid_audio', 'AAC with an impossible sampling rate');
  return rate;
}

/** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). Low complexity is what recorders and phones write. */
export function readAudioConfig(description: Uint8Array): AudioConfig {
  const bits = new BitReader(description);
  let type = readObjectType(bits);
  const sampleRate = readRate(bits);
  const channels = bits.read(4);
  if (type === spectralBandReplication || type === parametricStereo) {
    readRate(bits);
    type = readObjectType(bits);
  }
  if (type !== lowComplexity)
    throw new Undecodable('unsupported_codec', `AAC of type ${type}; only low complexity is supported`);
  if (bits.readFlag()) throw new Undecodable('unsupported_codec', 'AAC with frames of 960 samples');
  return { sampleRate, channels };
}
