import { FLACDecoder } from '@wasm-audio-decoders/flac';
import type { FileHandle } from 'node:fs/promises';
import type { PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';
import { id3Size } from './file-kind.ts';
import { fromFrame, release, refuseTooMuch, type OpenedAudio } from './opened-audio.ts';

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
const chunkBytes = 64 * 1024;
const framesPerBlock = 16;

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

/** A header counts when its number follows on from one before it, because audio data can look like a header. */
export async function* flacFrames(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest = new Uint8Array(0);
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
    const both = new Uint8Array(rest.length + piece.length);
    both.set(rest);
    both.set(piece, rest.length);
    rest = both;
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

async function* piecesFrom(file: FileHandle, from: number): AsyncGenerator<Uint8Array, void, undefined> {
  const piece = new Uint8Array(chunkBytes);
  for (let at = from; ;) {
    const { bytesRead } = await file.read(piece, 0, chunkBytes, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** The parser of the decoder makes objects that pile up and stops at damage, so frames are taken apart here. */
async function* decode(file: FileHandle, from: number): AsyncGenerator<PcmBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  async function* decoded(frames: Uint8Array[]): AsyncGenerator<PcmBlock> {
    const { channelData, sampleRate } = await decoder.decodeFrames(frames);
    yield { channels: channelData, sampleRate };
    release(channelData);
  }
  try {
    let frames: Uint8Array[] = [];
    for await (const frame of flacFrames(piecesFrom(file, from))) {
      frames.push(frame);
      if (frames.length < framesPerBlock) continue;
      yield* decoded(frames);
      frames = [];
    }
    if (frames.length > 0) yield* decoded(frames);
  } finally {
    decoder.free();
  }
}

interface Facts {
  readonly rate: number;
  readonly channels: number;
  /** Of the recording; 0 where it was not known when it was written. */
  readonly samples: number;
  readonly perFrame: number;
}

const factsBytes = 26;

/** The first block of a FLAC has rate (20 bits), channels (3), depth (5) and number of samples (36) at offset 18. */
async function readFacts(file: FileHandle): Promise<Facts | null> {
  const head = Buffer.alloc(factsBytes);
  await file.read(head, 0, 10, 0);
  await file.read(head, 0, factsBytes, id3Size(head));
  if (head.toString('latin1', 0, 4) !== 'fLaC') return null;
  const facts = head.readBigUInt64BE(18);
  const rate = Number(facts >> 44n);
  const channels = Number((facts >> 41n) & 7n) + 1;
  return rate === 0
    ? null
    : { rate, channels, samples: Number(facts & 0xf_ffff_ffffn), perFrame: head.readUInt16BE(8) };
}

/** mediabunny's reader of this container never returns from some files that are cut short. */
export async function openFlac(file: FileHandle, fromSecond: number): Promise<OpenedAudio> {
  const facts = await readFacts(file);
  if (facts !== null) refuseTooMuch(facts.samples / facts.rate, facts.rate * facts.channels);
  const opened = {
    container: 'flac',
    codec: 'flac',
    seconds: async () => (facts === null || facts.samples === 0 ? null : facts.samples / facts.rate),
  };
  if (fromSecond === 0 || facts === null) return { ...opened, blocks: decode(file, 0) };
  const first = Math.round(fromSecond * facts.rate);
  const { at, sample } = await findFrame(file, first, facts.perFrame);
  return { ...opened, blocks: fromFrame(decode(file, at), first - sample) };
}

/** A frame at or shortly before a sample, found by halving the file. */
async function findFrame(file: FileHandle, wanted: number, perFrame: number) {
  const found = { at: 0, sample: 0 };
  let [low, high] = [0, (await file.stat()).size];
  const bytes = new Uint8Array(4 * chunkBytes);
  while (high - low > bytes.length) {
    const middle = Math.floor((low + high) / 2);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, middle);
    const header = sureHeader(bytes.subarray(0, bytesRead));
    const sample = header === null ? Infinity : header.number * ((header.kind >> 16) & 1 ? 1 : perFrame);
    if (header === null || sample > wanted) high = middle;
    else {
      low = middle + header.at + 1;
      [found.at, found.sample] = [middle + header.at, sample];
    }
  }
  return found;
}

/** The first header that another one follows on. */
function sureHeader(bytes: Uint8Array): Header | null {
  for (let header = nextHeader(bytes, 0); header !== null; header = nextHeader(bytes, header.at + 1)) {
    const { at, next, kind } = header;
    for (let after = nextHeader(bytes, at + 1); after !== null; after = nextHeader(bytes, after.at + 1))
      if (after.number === next && after.kind === kind) return header;
  }
  return null;
}
