import { joined, type ByteSource, type Part } from './decoded-audio.ts';
import { findFreshPage, headersOfOgg, walkPage } from './ogg-pages.ts';

interface Frame {
  readonly length: number;
  readonly kind: number;
}

const bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
const bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];
const sampleRates = [44_100, 48_000, 32_000, 0];

function frameAt(bytes: Uint8Array, at: number): Frame | null {
  const [sync, version, rates] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
  // Eleven bits of ones, no reserved version, Layer III.
  if (sync !== 0xff || (version & 0xe6) !== 0xe2 || (version & 0x18) === 0x08) return null;
  const isFirst = (version & 0x18) === 0x18;
  const divisor = isFirst ? 1 : (version & 0x18) === 0x10 ? 2 : 4;
  const sampleRate = (sampleRates[(rates >> 2) & 3] ?? 0) / divisor;
  const bitRate = (isFirst ? bitRates1 : bitRates2)[rates >> 4] ?? 0;
  if (sampleRate === 0 || bitRate === 0) return null;
  const length = Math.floor(((isFirst ? 144_000 : 72_000) * bitRate) / sampleRate) + ((rates >> 1) & 1);
  return { length, kind: (version << 8) | (rates & 0x0c) };
}

/** This many frames in a row are no coincidence. */
const sureFrames = 4;

export function areFramesAt(bytes: Uint8Array, at: number): boolean {
  const first = frameAt(bytes, at);
  let next = at;
  for (let count = 0; count < sureFrames; count += 1) {
    const frame = frameAt(bytes, next);
    if (first === null || frame === null || frame.kind !== first.kind) return false;
    next += frame.length;
  }
  return true;
}

function findFrames(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at += 1) if (areFramesAt(bytes, at)) return at;
  return -1;
}

function walkFrames(
  bytes: Uint8Array,
  known: number,
  from: number,
): { readonly at: number; readonly count: number } | null {
  let at = known;
  for (let count = 0; at < bytes.length; count += 1) {
    if (at >= from) return { at, count };
    const frame = frameAt(bytes, at);
    if (frame === null) return null;
    at += frame.length;
  }
  return null;
}

interface Header {
  readonly at: number;
  /** Of the frame, or of its first sample where frames differ in length. */
  readonly number: number;
  readonly next: number;
  /** What all frames of a recording share: the way of counting, sample rate and depth. */
  readonly kind: number;
}

/** The first bytes of any header: a sync code of fifteen bits, without what says how frames are counted. */
const sync = 0xff;
const secondSync = 0xf8;
const longestHeader = 16;
/** Longer than any frame: 65,535 samples of eight channels. */
const mostFrameBytes = 2 * 1024 * 1024;

/** The frame header that is here, told by its fields and the checksum at its end (RFC 9639, 9.1); null if none is. */
function headerAt(bytes: Uint8Array, at: number): Header | null {
  const byte = (place: number) => bytes[at + place] ?? 0;
  if (byte(0) !== sync || (byte(1) & 0xfe) !== secondSync) return null;
  const [block, rate, depth] = [byte(2) >> 4, byte(2) & 15, byte(3) & 15];
  if (block === 0 || rate === 15 || byte(3) >> 4 > 10 || depth >> 1 === 3 || (depth & 1) === 1) return null;
  // The number is written as UTF-8 is, of up to seven bytes.
  const ones = Math.clz32(~(byte(4) << 24));
  if (ones === 1 || ones > 7) return null;
  let number = byte(4) & (0x7f >> ones);
  let end = 5;
  // It may be larger than what bit operations can hold.
  for (; end < 4 + ones; end += 1) number = number * 64 + (byte(end) & 0x3f);
  const samples = block === 6 ? byte(end) + 1 : byte(end) * 256 + byte(end + 1) + 1;
  end += block === 6 ? 1 : block === 7 ? 2 : 0;
  end += rate === 12 ? 1 : rate > 12 ? 2 : 0;
  if (checksum(bytes.subarray(at, at + end)) !== bytes[at + end]) return null;
  const isCountedInSamples = (byte(1) & 1) === 1;
  return {
    at,
    number,
    next: number + (isCountedInSamples ? samplesOf(block) || samples : 1),
    kind: (byte(1) << 16) | (rate << 8) | depth,
  };
}

const samplesOf = (code: number): number =>
  code === 1 ? 192 : code < 6 ? 576 << (code - 2) : code < 8 ? 0 : 256 << (code - 8);

function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ ((sum & 0x80) === 0 ? 0 : 0x07)) & 0xff;
  }
  return sum;
}

function nextHeader(bytes: Uint8Array, from: number, end = bytes.length): Header | null {
  for (let at = bytes.indexOf(sync, from); at >= 0 && at < end; at = bytes.indexOf(sync, at + 1)) {
    const header = headerAt(bytes, at);
    if (header !== null) return header;
  }
  return null;
}

const findFlacFrame = (bytes: Uint8Array): number => nextHeader(bytes, 0)?.at ?? -1;

/** A header counts when its number follows on from one before it, because audio data can look like a header. */
export async function* flacFrames(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let searched = 0;
  /** A frame that is not complete, and what looked like headers since then. */
  let open: Header[] = [];
  const between = (headers: readonly Header[], end: number) =>
    headers.map(({ at }, index) => rest.subarray(at, headers[index + 1]?.at ?? end));
  const take = (end: number): Uint8Array[] => {
    const frames: Uint8Array[] = [];
    for (let header = nextHeader(rest, searched, end); header !== null; header = nextHeader(rest, searched, end)) {
      const { at, number, kind } = header;
      const before = open.findIndex((known) => known.next === number && known.kind === kind);
      if (before >= 0) {
        // Those before it were cut off by damage, or only looked like headers.
        frames.push(...between(open.slice(0, before + 1), at));
        open = [];
      }
      open.push(header);
      searched = at + 1;
    }
    searched = Math.max(searched, end);
    return frames;
  };
  const takeOpen = (): Uint8Array[] => between(open.splice(0), rest.length);
  for await (const piece of pieces) {
    rest = joined([rest, piece]);
    yield* take(rest.length - longestHeader);
    if (open[0] !== undefined && rest.length - open[0].at > mostFrameBytes) yield* takeOpen();
    const done = Math.min(searched, open[0]?.at ?? Infinity);
    rest = rest.subarray(Math.max(0, done));
    searched -= done;
    open = open.map((header) => ({ ...header, at: header.at - done }));
  }
  yield* take(rest.length);
  yield* takeOpen();
}

export interface StreamCut {
  /** The part before it ends before this byte. */
  readonly at: number;
  /** Where reading the part after it starts; the decoder's run-up is before `at`. */
  readonly from: number;
  /** Frames or packets between `from` and `at`, whose audio belongs to the part before. */
  readonly runUp: number;
}

type FindCut = (source: ByteSource, share: number) => Promise<StreamCut | null>;

export interface Stretch {
  readonly start: StreamCut | null;
  /** Known later than the start, so that the beginning can be decoded meanwhile. */
  readonly end: Promise<number>;
}

/** A part ends at the next cut that is found; null where its own is not: the part before has its bytes. */
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

async function readAround(source: ByteSource, share: number, before: number, after: number) {
  const size = (await source.read(0, 1))?.size ?? 0;
  const start = Math.floor(size * share) - before;
  const read = start > before ? await source.read(start, before + after) : null;
  return read === null ? null : { start, bytes: read.bytes };
}

export const cutOfMp3: FindCut = async (source, share) => {
  const around = await readAround(source, share, runUpBytes, 2 * runUpBytes);
  const known = around === null ? -1 : findFrames(around.bytes);
  const found = around === null || known < 0 ? null : walkFrames(around.bytes, known, runUpBytes);
  if (around === null || found === null) return null;
  return { at: around.start + found.at, from: around.start + known, runUp: found.count };
};

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

export const cutOfOgg: FindCut = async (source, share) => {
  const around = await readAround(source, share, 0, 256 * 1024);
  const known = around === null ? -1 : findFreshPage(around.bytes);
  const next = around === null || known < 0 ? null : walkPage(around.bytes, known);
  if (around === null || next === null || (await headOfOgg(source)).length === 0) return null;
  return { at: around.start + next.at, from: around.start + known, runUp: next.packets };
};
