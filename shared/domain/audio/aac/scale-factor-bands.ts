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

/** The sampling rates in the order of their index in AAC. */
export const sampleRates = [
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

/** The rates with their own bands, and the lowest rate that still uses them. */
const rateLimits = [92_017, 75_132, 55_426, 46_009, 37_566, 27_713, 23_004, 18_783, 13_856, 11_502, 9391];

/** Bands for any rate: an unusual one uses those of its neighbour (ISO/IEC 14496-3, table 4.82). */
export function bandsFor(sampleRate: number): Bands {
  const index = rateLimits.findIndex((limit) => sampleRate >= limit);
  const bands = byRateIndex[index === -1 ? 11 : index];
  if (bands === undefined) throw new RangeError('every rate has bands');
  return bands;
}
