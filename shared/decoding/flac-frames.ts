import { joined } from './byte-source.ts';

interface Header {
  /** Where it begins in the searched bytes. */
  readonly at: number;
  /** Of the frame, or of its first sample where frames differ in length. */
  readonly number: number;
  /** The number of the frame that follows. */
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
  // Codes that mean nothing.
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

/** The number of samples by its code; 0 when it stands at the end of the header. */
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

/** The next header from a place on, before `end`. */
function nextHeader(bytes: Uint8Array, from: number, end = bytes.length): Header | null {
  for (let at = bytes.indexOf(sync, from); at >= 0 && at < end; at = bytes.indexOf(sync, at + 1)) {
    const header = headerAt(bytes, at);
    if (header !== null) return header;
  }
  return null;
}

/** Where the first frame begins; -1 when none does. */
export const findFlacFrame = (bytes: Uint8Array): number => nextHeader(bytes, 0)?.at ?? -1;

/**
 * The frames of a plain FLAC, from its beginning or from any place on. Headers do not tell the length of a frame, and
 * audio data can look like one: a header counts when its number follows on from one before it. So damage costs the frames it
 * lies in, and recordings that were put one after the other begin to count anew.
 */
export async function* flacFrames(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let searched = 0;
  /** A frame that is not complete, and what looked like headers since then. */
  let open: Header[] = [];
  /** What lies between these headers and up to a place. */
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
  /** All that looks like a frame, when nothing follows on from it. */
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
