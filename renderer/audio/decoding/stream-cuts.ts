import { findFrames, walkFrames } from './mp3-frames.ts';
import { headersOfOgg, isFreshPage } from './ogg-pages.ts';
import { readBytes } from './read-bytes.ts';

/** Where a plain file is split so that two workers can read it. */
export interface StreamCut {
  /** The first half ends before this byte. */
  readonly at: number;
  /** The file headers, which a decoder needs before the second half. */
  readonly head: Uint8Array<ArrayBuffer>;
  /** Where reading the second half starts; the decoder's warm-up is before `at`. */
  readonly from: number;
  /** Frames between `from` and `at`, whose audio belongs to the first half. */
  readonly runUp: number;
}

/** Where the first half ends, which is the whole when there is no cut. */
export const endOf = async (cut: Promise<StreamCut | null>): Promise<number> => (await cut)?.at ?? Infinity;

/** How far back an MP3 frame depends on earlier ones. */
const runUpBytes = 8 * 1024;
const nothing: Uint8Array<ArrayBuffer> = new Uint8Array(0);

/** The bytes around the middle of a long file, and their offset. */
async function readMiddle(url: string, before: number, after: number) {
  const size = (await readBytes(url, 0, 1))?.size ?? 0;
  const start = Math.floor(size / 2) - before;
  const read = start > before ? await readBytes(url, start, before + after) : null;
  return read === null ? null : { start, bytes: read.bytes };
}

/** The frame in the middle of an MP3, with a few before it; null when no frames are found. */
export async function cutOfMp3(url: string): Promise<StreamCut | null> {
  const middle = await readMiddle(url, runUpBytes, 2 * runUpBytes);
  const known = middle === null ? -1 : findFrames(middle.bytes);
  const found = middle === null || known < 0 ? null : walkFrames(middle.bytes, known, runUpBytes);
  if (middle === null || found === null) return null;
  return { at: middle.start + found.at, head: nothing, from: middle.start + known, runUp: found.count };
}

/** The length of `fLaC` and the stream info block, which is always the first. */
const flacHeadBytes = 42;

/** A frame in the middle of a FLAC, which depends on no other. Null when none is found, as in other containers. */
export async function cutOfFlac(url: string): Promise<StreamCut | null> {
  const first = await readBytes(url, 0, flacHeadBytes);
  if (first === null || String.fromCharCode(...first.bytes.subarray(0, 4)) !== 'fLaC') return null;
  const middle = await readMiddle(url, 0, 256 * 1024);
  const at = middle?.bytes.findIndex((_byte, place) => isFlacFrame(middle.bytes, place)) ?? -1;
  if (middle === null || at < 0) return null;
  const head = first.bytes.slice();
  // Of the headers it is the last one here.
  head[4] = (head[4] ?? 0) | 0x80;
  return { at: middle.start + at, head, from: middle.start + at, runUp: 0 };
}

/** Whether a frame header is here, by its fields and the checksum at its end (RFC 9639, 9.1). */
function isFlacFrame(bytes: Uint8Array, at: number): boolean {
  const [sync, kind, sizes, channels, number] = bytes.subarray(at, at + 5);
  if (sync !== 0xff || kind === undefined || (kind & 0xfe) !== 0xf8) return false;
  if (sizes === undefined || channels === undefined || number === undefined) return false;
  const [block, rate, depth] = [sizes >> 4, sizes & 15, (channels >> 1) & 7];
  if (block === 0 || rate === 15 || channels >> 4 > 10 || depth === 3 || (channels & 1) === 1) return false;
  // The number is written as UTF-8 is.
  const ones = Math.clz32(~(number << 24));
  if (ones === 1 || ones > 7) return false;
  const length =
    4 + Math.max(1, ones) + (block === 6 ? 1 : block === 7 ? 2 : 0) + (rate === 12 ? 1 : rate > 12 ? 2 : 0);
  let sum = 0;
  for (let place = at; place < at + length; place += 1) {
    sum ^= bytes[place] ?? 0;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ ((sum & 0x80) === 0 ? 0 : 0x07)) & 0xff;
  }
  return sum === bytes[at + length];
}

/** A page in the middle of an Ogg with one stream; its headers are the pages without a granule position. */
export async function cutOfOgg(url: string): Promise<StreamCut | null> {
  const first = await readBytes(url, 0, 128 * 1024);
  const headBytes = first === null ? 0 : headersOfOgg(first.bytes);
  const middle = headBytes === 0 ? null : await readMiddle(url, 0, 128 * 1024);
  const at = middle?.bytes.findIndex((_byte, place) => isFreshPage(middle.bytes, place)) ?? -1;
  if (first === null || middle === null || at < 0) return null;
  return { at: middle.start + at, head: first.bytes.slice(0, headBytes), from: middle.start + at, runUp: 0 };
}
