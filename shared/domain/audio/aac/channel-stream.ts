import { Undecodable } from '../pcm-block.ts';
import type { BitReader, Bands } from './audio-config.ts';

/** Books 1 to 11, for spectral values; book n is at index n - 1. */
export const spectralCodebooks: readonly Codebook[] = [
  {
    codesPerLength: [1, 0, 0, 0, 8, 0, 24, 0, 24, 8, 16],
    symbols: [
      40, 67, 13, 39, 49, 41, 37, 43, 31, 58, 22, 38, 46, 34, 42, 76, 36, 4, 28, 64, 48, 16, 44, 70, 32, 52, 50, 10, 68,
      12, 66, 14, 30, 73, 19, 61, 51, 47, 35, 33, 55, 65, 45, 25, 15, 7, 29, 59, 57, 21, 1, 27, 53, 69, 77, 23, 79, 5,
      9, 75, 63, 11, 3, 17, 71, 60, 20, 24, 56, 80, 8, 72, 6, 0, 74, 62, 26, 18, 2, 54, 78,
    ],
  },
  {
    codesPerLength: [0, 0, 1, 1, 7, 24, 15, 19, 14],
    symbols: [
      40, 67, 13, 41, 37, 39, 31, 43, 49, 34, 22, 46, 42, 48, 38, 12, 58, 64, 4, 36, 70, 68, 32, 16, 50, 28, 14, 30, 10,
      76, 52, 44, 66, 47, 65, 19, 33, 61, 75, 71, 25, 29, 79, 15, 1, 11, 55, 73, 59, 21, 7, 17, 5, 3, 27, 69, 63, 45,
      53, 23, 9, 51, 57, 35, 77, 60, 20, 56, 0, 24, 26, 80, 6, 62, 18, 8, 72, 54, 2, 74, 78,
    ],
  },
  {
    codesPerLength: [1, 0, 0, 4, 2, 6, 3, 5, 15, 15, 8, 9, 3, 3, 5, 2],
    symbols: [
      0, 27, 1, 9, 3, 36, 4, 12, 10, 30, 13, 28, 39, 40, 31, 37, 54, 2, 5, 63, 48, 7, 16, 45, 14, 66, 6, 21, 15, 18, 11,
      57, 49, 22, 42, 43, 46, 33, 34, 19, 67, 41, 64, 32, 8, 17, 75, 51, 29, 55, 25, 72, 52, 38, 58, 44, 76, 24, 23, 35,
      73, 69, 78, 26, 79, 70, 50, 53, 20, 60, 47, 61, 68, 65, 80, 77, 71, 59, 56, 74, 62,
    ],
  },
  {
    codesPerLength: [0, 0, 0, 10, 6, 0, 9, 21, 8, 14, 11, 2],
    symbols: [
      40, 13, 37, 39, 31, 27, 36, 0, 4, 30, 28, 12, 1, 10, 3, 9, 67, 43, 49, 41, 66, 64, 48, 58, 16, 14, 42, 22, 32, 46,
      38, 34, 63, 57, 45, 55, 11, 21, 5, 15, 19, 29, 7, 33, 54, 2, 18, 6, 52, 76, 70, 44, 50, 68, 51, 75, 69, 25, 17,
      73, 23, 61, 35, 79, 47, 59, 65, 53, 71, 77, 24, 72, 8, 60, 20, 56, 80, 26, 78, 74, 62,
    ],
  },
  {
    codesPerLength: [1, 0, 0, 4, 4, 0, 4, 12, 12, 12, 18, 10, 4],
    symbols: [
      40, 31, 49, 41, 39, 48, 32, 30, 50, 22, 42, 58, 38, 21, 59, 29, 51, 23, 57, 33, 47, 13, 67, 37, 43, 12, 52, 68,
      28, 14, 66, 46, 34, 24, 60, 20, 56, 11, 65, 25, 55, 69, 61, 15, 19, 36, 4, 77, 76, 3, 44, 75, 27, 53, 35, 5, 45,
      64, 10, 16, 26, 2, 78, 54, 62, 70, 6, 18, 74, 63, 1, 7, 71, 17, 79, 73, 9, 72, 8, 80, 0,
    ],
  },
  {
    codesPerLength: [0, 0, 0, 9, 0, 16, 13, 8, 23, 8, 4],
    symbols: [
      40, 49, 39, 41, 31, 50, 32, 48, 30, 57, 59, 23, 21, 22, 33, 58, 47, 51, 38, 29, 42, 56, 24, 20, 60, 14, 68, 66,
      34, 12, 52, 46, 28, 67, 13, 37, 43, 69, 11, 25, 61, 65, 55, 19, 15, 70, 64, 10, 16, 45, 27, 77, 5, 3, 53, 75, 35,
      36, 6, 2, 62, 18, 4, 78, 74, 26, 76, 54, 44, 9, 17, 63, 73, 71, 79, 7, 1, 80, 8, 0, 72,
    ],
  },
  {
    codesPerLength: [1, 0, 2, 1, 0, 4, 5, 10, 14, 15, 8, 4],
    symbols: [
      0, 8, 1, 9, 17, 10, 16, 2, 25, 11, 18, 24, 3, 19, 26, 12, 33, 13, 41, 27, 20, 4, 32, 34, 21, 42, 5, 49, 40, 14,
      35, 29, 28, 43, 22, 50, 15, 30, 6, 48, 36, 57, 37, 58, 44, 51, 23, 59, 52, 45, 38, 31, 56, 7, 53, 46, 60, 39, 47,
      61, 62, 54, 55, 63,
    ],
  },
  {
    codesPerLength: [0, 0, 1, 5, 7, 10, 14, 15, 8, 4],
    symbols: [
      9, 17, 8, 10, 1, 18, 0, 16, 2, 25, 11, 26, 19, 27, 33, 12, 34, 20, 24, 3, 35, 28, 42, 41, 21, 13, 43, 29, 36, 44,
      4, 37, 32, 22, 50, 49, 14, 30, 51, 45, 40, 52, 5, 38, 57, 58, 23, 53, 59, 15, 46, 31, 54, 60, 48, 39, 6, 61, 62,
      55, 47, 56, 7, 63,
    ],
  },
  {
    codesPerLength: [1, 0, 2, 1, 0, 4, 3, 8, 11, 20, 31, 38, 32, 14, 4],
    symbols: [
      0, 13, 1, 14, 27, 15, 26, 2, 40, 28, 16, 39, 3, 29, 41, 17, 53, 30, 18, 54, 42, 4, 52, 66, 31, 19, 43, 67, 79, 55,
      5, 32, 65, 20, 44, 21, 105, 56, 68, 80, 92, 6, 106, 34, 45, 33, 57, 118, 22, 93, 78, 69, 81, 107, 7, 119, 47, 58,
      46, 8, 131, 82, 35, 70, 104, 91, 94, 132, 120, 108, 23, 95, 83, 71, 60, 59, 48, 144, 73, 117, 109, 133, 36, 9,
      145, 121, 84, 157, 61, 110, 24, 122, 134, 72, 96, 37, 25, 158, 146, 49, 74, 85, 111, 147, 10, 97, 159, 130, 135,
      62, 86, 38, 123, 124, 63, 143, 87, 50, 75, 112, 99, 161, 51, 148, 98, 160, 149, 136, 64, 100, 76, 11, 162, 88,
      156, 137, 77, 101, 125, 12, 150, 113, 126, 138, 102, 163, 89, 115, 151, 103, 90, 114, 139, 116, 127, 128, 129,
      141, 165, 140, 152, 164, 153, 166, 167, 142, 154, 155, 168,
    ],
  },
  {
    codesPerLength: [0, 0, 0, 3, 8, 14, 17, 25, 31, 41, 22, 8],
    symbols: [
      14, 15, 27, 28, 13, 1, 16, 41, 40, 29, 42, 26, 2, 30, 54, 17, 53, 0, 55, 43, 39, 3, 56, 31, 67, 18, 66, 68, 44,
      69, 57, 80, 32, 81, 52, 79, 4, 19, 45, 70, 82, 58, 83, 93, 46, 33, 71, 106, 94, 65, 92, 5, 105, 20, 107, 95, 59,
      34, 84, 96, 21, 47, 108, 60, 72, 109, 73, 97, 85, 119, 78, 86, 120, 48, 118, 35, 6, 110, 121, 61, 132, 22, 98,
      111, 122, 99, 133, 74, 134, 36, 131, 49, 123, 87, 104, 62, 91, 145, 100, 146, 136, 23, 144, 124, 7, 112, 135, 50,
      75, 113, 148, 8, 147, 37, 101, 88, 137, 63, 24, 158, 125, 159, 149, 76, 160, 150, 161, 51, 89, 117, 138, 130, 157,
      9, 64, 126, 162, 38, 114, 127, 25, 151, 163, 102, 77, 90, 139, 115, 164, 10, 103, 143, 140, 152, 153, 11, 154,
      128, 141, 156, 116, 165, 142, 129, 155, 167, 12, 166, 168,
    ],
  },
  {
    codesPerLength: [0, 0, 0, 2, 6, 7, 16, 59, 55, 95, 43, 6],
    symbols: [
      0, 18, 288, 17, 1, 35, 19, 36, 20, 52, 53, 34, 37, 2, 54, 69, 21, 70, 38, 71, 55, 51, 3, 86, 87, 39, 72, 22, 88,
      56, 89, 73, 104, 40, 103, 105, 57, 23, 84, 67, 277, 275, 276, 106, 278, 68, 74, 4, 50, 90, 101, 279, 274, 280, 41,
      121, 58, 107, 91, 118, 282, 122, 120, 281, 135, 33, 24, 75, 283, 123, 284, 152, 273, 108, 169, 42, 92, 186, 285,
      139, 138, 59, 85, 286, 203, 124, 76, 109, 125, 5, 140, 287, 220, 25, 137, 254, 93, 237, 60, 141, 126, 43, 142,
      155, 156, 271, 77, 110, 102, 157, 94, 143, 127, 26, 173, 6, 172, 154, 158, 78, 44, 159, 61, 111, 174, 144, 175,
      160, 190, 27, 119, 176, 128, 62, 95, 171, 79, 189, 223, 112, 224, 45, 272, 96, 192, 191, 161, 129, 145, 16, 81, 7,
      64, 193, 222, 225, 207, 47, 226, 146, 113, 178, 177, 240, 208, 28, 80, 188, 63, 30, 206, 130, 65, 97, 98, 242, 82,
      194, 241, 209, 227, 210, 136, 195, 46, 162, 243, 115, 180, 257, 147, 163, 244, 179, 99, 196, 239, 48, 114, 29,
      229, 8, 228, 131, 211, 132, 258, 205, 116, 49, 260, 259, 31, 164, 83, 245, 149, 230, 148, 100, 66, 181, 197, 212,
      261, 262, 150, 256, 133, 153, 9, 166, 165, 213, 246, 183, 247, 214, 117, 134, 167, 263, 198, 201, 32, 182, 184,
      232, 231, 200, 199, 151, 249, 233, 217, 264, 248, 170, 215, 168, 10, 216, 187, 218, 185, 234, 13, 250, 265, 266,
      202, 251, 221, 11, 235, 267, 268, 219, 238, 252, 236, 204, 253, 14, 12, 269, 255, 15, 270,
    ],
  },
];

/** Differences of scale factors; symbol 60 is no difference. */
export const scaleFactorCodebook: Codebook = {
  codesPerLength: [1, 0, 1, 3, 2, 4, 3, 5, 4, 6, 6, 6, 5, 8, 4, 7, 3, 7, 46],
  symbols: [
    60, 59, 61, 58, 62, 57, 63, 56, 64, 55, 65, 66, 54, 67, 53, 68, 52, 69, 51, 70, 50, 49, 71, 72, 48, 73, 47, 74, 46,
    76, 75, 77, 78, 45, 43, 44, 79, 42, 41, 80, 40, 81, 39, 82, 38, 83, 37, 35, 85, 33, 36, 34, 84, 32, 87, 89, 30, 31,
    86, 29, 26, 27, 28, 24, 88, 25, 22, 23, 90, 21, 19, 3, 1, 2, 0, 98, 99, 100, 101, 102, 117, 97, 91, 92, 93, 94, 95,
    96, 104, 111, 112, 113, 114, 115, 116, 110, 105, 106, 107, 108, 109, 118, 6, 8, 9, 10, 5, 103, 120, 119, 4, 7, 15,
    16, 18, 20, 17, 11, 12, 14, 13,
  ],
};

/** Longer codes than this are rare. */
const quickBits = 11;
const lengthBits = 4;
const lengthMask = 2 ** lengthBits - 1;

export const frameLength = 1024;

export type WindowSequence = 'long' | 'start' | 'short' | 'stop';
const sequences = ['long', 'start', 'short', 'stop'] as const;

/** Book numbers above the spectral ones describe a band without values. */
export const bandKinds = { zero: 0, noise: 13, intensityInverse: 14, intensity: 15 } as const;

export interface WindowInfo {
  readonly sequence: WindowSequence;
  readonly isKaiser: boolean;
  /** How many windows share scale factors; one group of one for long windows. */
  readonly groups: readonly number[];
  readonly bandCount: number;
  readonly borders: readonly number[];
  readonly windowLength: number;
}

export interface TnsFilter {
  readonly length: number;
  readonly isBackward: boolean;
  readonly coefficients: readonly number[];
}

export interface ChannelStream {
  readonly info: WindowInfo;
  readonly bandBooks: Uint8Array;
  readonly scaleFactors: Int32Array;
  readonly quantised: Int32Array;
  readonly tns: readonly (readonly TnsFilter[])[];
}

/** ics_info */
export function readWindowInfo(bits: BitReader, bands: Bands): WindowInfo {
  bits.skip(1);
  const sequence = sequences[bits.read(2)] ?? 'long';
  const isKaiser = bits.readFlag();
  if (sequence !== 'short') {
    const bandCount = bits.read(6);
    if (bits.readFlag()) throw new Undecodable('unsupported_codec', 'AAC with prediction');
    if (bandCount >= bands.long.length) throw new Undecodable('invalid_audio', 'more bands than there are');
    return { sequence, isKaiser, groups: [1], bandCount, borders: bands.long, windowLength: frameLength };
  }
  const bandCount = bits.read(4);
  if (bandCount >= bands.short.length) throw new Undecodable('invalid_audio', 'more bands than there are');
  const grouping = bits.read(7);
  const groups = [1];
  for (let bit = 6; bit >= 0; bit -= 1) {
    if (((grouping >> bit) & 1) === 1) groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1;
    else groups.push(1);
  }
  return { sequence, isKaiser, groups, bandCount, borders: bands.short, windowLength: frameLength / 8 };
}

/** Room for what a channel has in each frame: hours have too many frames for arrays of their own. */
export class ChannelRoom {
  /** At most eight groups of sixteen bands, or one of 51. */
  readonly bandBooks = new Uint8Array(128);
  readonly scaleFactors = new Int32Array(128);
  readonly quantised = new Int32Array(frameLength);
}

function readSections(bits: BitReader, info: WindowInfo, books: Uint8Array): void {
  const lengthBits = info.sequence === 'short' ? 3 : 5;
  const more = (1 << lengthBits) - 1;
  for (let group = 0; group < info.groups.length; group += 1) {
    for (let band = 0; band < info.bandCount;) {
      const book = bits.read(4);
      let length = 0;
      let step: number;
      do {
        step = bits.read(lengthBits);
        length += step;
      } while (step === more && !bits.isPastEnd);
      if (book === 12 || length === 0 || band + length > info.bandCount)
        throw new Undecodable('invalid_audio', 'sections that do not fit');
      books.fill(book, group * info.bandCount + band, group * info.bandCount + band + length);
      band += length;
    }
  }
}

function readScaleFactors(
  bits: BitReader,
  { bandBooks, scaleFactors: factors }: ChannelRoom,
  count: number,
  globalGain: number,
): void {
  const difference = (): number => readSymbol(bits, scaleFactorBook) - 60;
  let gain = globalGain;
  let noise = globalGain - 90;
  let isFirstNoise = true;
  let position = 0;
  for (let at = 0; at < count; at += 1) {
    switch (bandBooks[at] ?? bandKinds.zero) {
      case bandKinds.zero:
        factors[at] = 0;
        break;
      case bandKinds.intensity:
      case bandKinds.intensityInverse:
        position += difference();
        factors[at] = position;
        break;
      case bandKinds.noise:
        noise += isFirstNoise ? bits.read(9) - 256 : difference();
        isFirstNoise = false;
        factors[at] = noise;
        break;
      default:
        gain += difference();
        factors[at] = gain;
    }
  }
}

function readPulses(bits: BitReader, info: WindowInfo): readonly { readonly at: number; readonly size: number }[] {
  if (!bits.readFlag()) return [];
  if (info.sequence === 'short') throw new Undecodable('invalid_audio', 'pulses in short windows');
  const count = bits.read(2) + 1;
  let at = info.borders[bits.read(6)] ?? 0;
  return Array.from({ length: count }, () => {
    at += bits.read(5);
    return { at, size: bits.read(4) };
  });
}

function readTns(bits: BitReader, info: WindowInfo): TnsFilter[][] {
  const isShort = info.sequence === 'short';
  const windows = isShort ? 8 : 1;
  if (!bits.readFlag()) return Array.from({ length: windows }, () => []);
  return Array.from({ length: windows }, () => {
    const count = bits.read(isShort ? 1 : 2);
    const resolution = count > 0 ? bits.read(1) + 3 : 0;
    return Array.from({ length: count }, () => {
      const length = bits.read(isShort ? 4 : 6);
      const order = bits.read(isShort ? 3 : 5);
      if (order === 0) return { length, isBackward: false, coefficients: [] };
      const isBackward = bits.readFlag();
      const size = resolution - bits.read(1);
      const coefficients = Array.from({ length: order }, () => {
        const raw = bits.read(size);
        const value = raw >= 1 << (size - 1) ? raw - (1 << size) : raw;
        const half = 1 << (resolution - 1);
        return Math.sin((value * Math.PI) / 2 / (value >= 0 ? half - 0.5 : half + 0.5));
      });
      return { length, isBackward, coefficients };
    });
  });
}

interface SpectralBook {
  readonly book: ReadableBook;
  readonly perCode: 2 | 4;
  readonly values: Int8Array;
  readonly hasSigns: boolean;
}

/** Values per code, how many different ones there are, and how many of them are below zero. */
const layouts: readonly (readonly [2 | 4, number, number])[] = [
  [4, 3, 1],
  [4, 3, 1],
  [4, 3, 0],
  [4, 3, 0],
  [2, 9, 4],
  [2, 9, 4],
  [2, 8, 0],
  [2, 8, 0],
  [2, 13, 0],
  [2, 13, 0],
  [2, 17, 0],
];
const spectralBooks = layouts.map(([perCode, base, negative], index): SpectralBook => {
  const book = spectralCodebooks[index];
  if (book === undefined) throw new RangeError('every layout has a book');
  const values = Int8Array.from({ length: perCode * base ** perCode }, (_, at) => {
    const digit = perCode - 1 - (at % perCode);
    return (Math.floor(Math.floor(at / perCode) / base ** digit) % base) - negative;
  });
  return { book: readable(book), perCode, values, hasSigns: negative === 0 };
});
const scaleFactorBook = readable(scaleFactorCodebook);
const escapeBook = 11;

function readEscape(bits: BitReader): number {
  let size = 4;
  while (bits.readFlag()) {
    size += 1;
    if (size > 20) throw new Undecodable('invalid_audio', 'an endless escape');
  }
  return (1 << size) + bits.read(size);
}

function readBand(bits: BitReader, number: number, target: Int32Array, start: number, end: number): void {
  const spectral = spectralBooks[number - 1];
  if (spectral === undefined) throw new Undecodable('invalid_audio', 'an unknown book');
  const { book, perCode, values, hasSigns } = spectral;
  for (let at = start; at < end; at += perCode) {
    const symbol = readSymbol(bits, book) * perCode;
    let signed = 0;
    for (let n = 0; n < perCode; n += 1) {
      const value = values[symbol + n] as number;
      target[at + n] = value;
      if (value !== 0) signed += 1;
    }
    // The signs of all values that are not zero, in their order.
    for (let signs = hasSigns ? bits.read(signed) : 0, n = perCode - 1; signs !== 0; n -= 1) {
      const value = target[at + n] as number;
      if (value === 0) continue;
      if ((signs & 1) === 1) target[at + n] = -value;
      signs >>= 1;
    }
    if (number !== escapeBook) continue;
    for (let n = 0; n < perCode; n += 1) {
      const value = target[at + n] ?? 0;
      if (value === 16 || value === -16) target[at + n] = Math.sign(value) * readEscape(bits);
    }
  }
}

function readSpectrum(bits: BitReader, info: WindowInfo, books: Uint8Array, quantised: Int32Array): void {
  quantised.fill(0);
  let window = 0;
  for (const [group, size] of info.groups.entries()) {
    for (let band = 0; band < info.bandCount; band += 1) {
      const book = books[group * info.bandCount + band] ?? 0;
      if (book === bandKinds.zero || book >= bandKinds.noise) continue;
      for (let member = 0; member < size; member += 1) {
        const start = (window + member) * info.windowLength;
        const end = start + (info.borders[band + 1] ?? 0);
        readBand(bits, book, quantised, start + (info.borders[band] ?? 0), end);
      }
    }
    window += size;
  }
}

/** individual_channel_stream; `shared` is the window info of a pair. Valid until the room is read into again. */
export function readChannelStream(
  bits: BitReader,
  bands: Bands,
  shared: WindowInfo | null,
  room: ChannelRoom,
): ChannelStream {
  const globalGain = bits.read(8);
  const info = shared ?? readWindowInfo(bits, bands);
  const { bandBooks, scaleFactors, quantised } = room;
  readSections(bits, info, bandBooks);
  readScaleFactors(bits, room, info.groups.length * info.bandCount, globalGain);
  const pulses = readPulses(bits, info);
  const tns = readTns(bits, info);
  if (bits.readFlag()) throw new Undecodable('unsupported_codec', 'AAC with gain control');
  readSpectrum(bits, info, bandBooks, quantised);
  for (const { at, size } of pulses) {
    const value = quantised[at] ?? 0;
    if (at < frameLength) quantised[at] = value + (value > 0 ? size : -size);
  }
  if (bits.isPastEnd) throw new Undecodable('invalid_audio', 'the frame is cut short');
  return { info, bandBooks, scaleFactors, quantised, tns };
}

/** Canonical Huffman codebooks (ISO/IEC 14496-3, 4.A): codes per length from one bit on, symbols in code order. */
export interface Codebook {
  readonly codesPerLength: readonly number[];
  readonly symbols: readonly number[];
}

interface ReadableBook extends Codebook {
  /** Symbol and length of the code that these bits begin with; 0 when it is longer. */
  readonly quick: Uint16Array;
}

function readable(book: Codebook): ReadableBook {
  const quick = new Uint16Array(2 ** quickBits);
  let at = 0;
  let index = 0;
  for (const [longer, count] of book.codesPerLength.entries()) {
    const room = 2 ** (quickBits - longer - 1);
    if (room < 1) break;
    for (const symbol of book.symbols.slice(index, index + count)) {
      quick.fill((symbol << lengthBits) | (longer + 1), at, at + room);
      at += room;
    }
    index += count;
  }
  return { ...book, quick };
}

/** Reads the next symbol of a canonical book: at each length, codes are consecutive and shorter codes come first. */
function readSymbol(bits: BitReader, { quick, codesPerLength, symbols }: ReadableBook): number {
  const found = quick[bits.peek(quickBits)] ?? 0;
  if (found !== 0) {
    bits.skip(found & lengthMask);
    return found >> lengthBits;
  }
  let code = 0;
  let first = 0;
  let index = 0;
  for (const count of codesPerLength) {
    code |= bits.read(1);
    if (code - first < count) return symbols[index + code - first] ?? 0;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new Undecodable('invalid_audio', 'a code that is in no book');
}
