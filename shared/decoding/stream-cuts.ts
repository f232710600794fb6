import type { ByteSource } from './byte-source.ts';
import type { Part } from './decoded-audio.ts';
import { findFlacFrame } from './flac-frames.ts';
import { findFrames, walkFrames } from './mp3-frames.ts';
import { findFreshPage, headersOfOgg, walkPage } from './ogg-pages.ts';

/** A place where a plain file can be split, so that workers can read a part each. */
export interface StreamCut {
  /** The part before it ends before this byte. */
  readonly at: number;
  /** Where reading the part after it starts; the decoder's run-up is before `at`. */
  readonly from: number;
  /** Frames or packets between `from` and `at`, whose audio belongs to the part before. */
  readonly runUp: number;
}

/** Finds a cut near this share of a file, 0 to 1; null when there is none. */
type FindCut = (source: ByteSource, share: number) => Promise<StreamCut | null>;

/** The bytes of a part. */
export interface Stretch {
  /** Null at the beginning of the file. */
  readonly start: StreamCut | null;
  /** Known later than the start, so that the beginning can be decoded meanwhile. */
  readonly end: Promise<number>;
}

/**
 * A part goes on to the next cut that is found, and is empty where that is its own as well. Null for one whose own cut is
 * not found: the part before it has its bytes.
 */
export async function stretchOf(source: ByteSource, { index, of }: Part, findCut: FindCut): Promise<Stretch | null> {
  const start = index === 0 ? null : await findCut(source, index / of);
  if (index > 0 && start === null) return null;
  const findEnd = async (): Promise<number> => {
    for (let next = index + 1; next < of; next += 1) {
      // oxlint-disable-next-line no-await-in-loop -- nearly always the first one is found
      const cut = await findCut(source, next / of);
      if (cut !== null) return cut.at;
    }
    return Infinity;
  };
  return { start, end: findEnd() };
}

/** How far back an MP3 frame depends on earlier ones. */
const runUpBytes = 8 * 1024;

/** The bytes around a place in a long file, and their offset. */
async function readAround(source: ByteSource, share: number, before: number, after: number) {
  const size = (await source.read(0, 1))?.size ?? 0;
  const start = Math.floor(size * share) - before;
  const read = start > before ? await source.read(start, before + after) : null;
  return read === null ? null : { start, bytes: read.bytes };
}

/** An MP3 frame, with a few before it. */
export const cutOfMp3: FindCut = async (source, share) => {
  const around = await readAround(source, share, runUpBytes, 2 * runUpBytes);
  const known = around === null ? -1 : findFrames(around.bytes);
  const found = around === null || known < 0 ? null : walkFrames(around.bytes, known, runUpBytes);
  if (around === null || found === null) return null;
  return { at: around.start + found.at, from: around.start + known, runUp: found.count };
};

/** A frame of a plain FLAC, which depends on no other. */
export const cutOfFlac: FindCut = async (source, share) => {
  const around = await readAround(source, share, 0, 256 * 1024);
  const found = around === null ? -1 : findFlacFrame(around.bytes);
  if (around === null || found < 0) return null;
  return { at: around.start + found, from: around.start + found, runUp: 0 };
};

/** The pages at the beginning of an Ogg with one stream that have no granule position; empty when it has too many. */
export async function headOfOgg(source: ByteSource): Promise<Uint8Array<ArrayBuffer>> {
  const first = await source.read(0, 128 * 1024);
  return first === null ? new Uint8Array() : first.bytes.slice(0, headersOfOgg(first.bytes));
}

/** A page of an Ogg with one stream, with the page before it. */
export const cutOfOgg: FindCut = async (source, share) => {
  const around = await readAround(source, share, 0, 256 * 1024);
  const known = around === null ? -1 : findFreshPage(around.bytes);
  const next = around === null || known < 0 ? null : walkPage(around.bytes, known);
  if (around === null || next === null || (await headOfOgg(source)).length === 0) return null;
  return { at: around.start + next.at, from: around.start + known, runUp: next.packets };
};
