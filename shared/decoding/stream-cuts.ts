import { findFlacFrame } from './flac-frames.ts';
import { findFrames, walkFrames } from './mp3-frames.ts';
import { headersOfOgg, isFreshPage } from './ogg-pages.ts';
import type { ByteSource } from './byte-source.ts';

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
async function readMiddle(source: ByteSource, before: number, after: number) {
  const size = (await source.read(0, 1))?.size ?? 0;
  const start = Math.floor(size / 2) - before;
  const read = start > before ? await source.read(start, before + after) : null;
  return read === null ? null : { start, bytes: read.bytes };
}

/** The frame in the middle of an MP3, with a few before it; null when no frames are found. */
export async function cutOfMp3(source: ByteSource): Promise<StreamCut | null> {
  const middle = await readMiddle(source, runUpBytes, 2 * runUpBytes);
  const known = middle === null ? -1 : findFrames(middle.bytes);
  const found = middle === null || known < 0 ? null : walkFrames(middle.bytes, known, runUpBytes);
  if (middle === null || found === null) return null;
  return { at: middle.start + found.at, head: nothing, from: middle.start + known, runUp: found.count };
}

/** A frame in the middle of a plain FLAC, which depends on no other; null when none is found. */
export async function cutOfFlac(source: ByteSource): Promise<StreamCut | null> {
  const middle = await readMiddle(source, 0, 256 * 1024);
  const found = middle === null ? -1 : findFlacFrame(middle.bytes);
  if (middle === null || found < 0) return null;
  return { at: middle.start + found, head: nothing, from: middle.start + found, runUp: 0 };
}

/** A page in the middle of an Ogg with one stream; its headers are the pages without a granule position. */
export async function cutOfOgg(source: ByteSource): Promise<StreamCut | null> {
  const first = await source.read(0, 128 * 1024);
  const headBytes = first === null ? 0 : headersOfOgg(first.bytes);
  const middle = headBytes === 0 ? null : await readMiddle(source, 0, 128 * 1024);
  const at = middle?.bytes.findIndex((_byte, place) => isFreshPage(middle.bytes, place)) ?? -1;
  if (first === null || middle === null || at < 0) return null;
  return { at: middle.start + at, head: first.bytes.slice(0, headBytes), from: middle.start + at, runUp: 0 };
}
