import { Undecodable } from '../pcm-block.ts';
import type { BitReader } from './bit-reader.ts';
import { readable, readSymbol, scaleFactorCodebook, spectralCodebooks, type ReadableBook } from './codebooks.ts';
import type { Bands } from './scale-factor-bands.ts';

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
  /** Borders inside one window. */
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
  /** Per group and band, at `group * bandCount + band`. */
  readonly bandBooks: Uint8Array;
  readonly scaleFactors: Int32Array;
  /** Quantised values, window after window. */
  readonly quantised: Int32Array;
  /** Filters per window. */
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

/** A spectral book: each code stands for two or four neighbouring values. */
interface SpectralBook {
  readonly book: ReadableBook;
  readonly perCode: 2 | 4;
  /** Of each symbol in turn. */
  readonly values: Int8Array;
  /** Whether the signs of the values follow their code. */
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

/** Reads the values of a band from `start` to `end`. */
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

/**
 * individual_channel_stream; `shared` is the window info of a pair that uses one for both. The stream is valid until the
 * next one is read into the same room.
 */
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
