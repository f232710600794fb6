import { AacDecoder } from '../domain/audio/aac/aac-decoder.ts';
import { whole, type ByteSource, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';

const typeAt = (view: DataView | null, at: number): string =>
  view === null ? '' : String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));

/** The kind of AAC, in the first five bits of its description; others are left to WebCodecs. */
const lowComplexity = 2;

/** The part of a sample entry of sound before its boxes, in bytes; newer versions of QuickTime have a longer one. */
const soundEntryBytes = 28;
const decoderDescriptor = 5;

/** The tables of a day of sound take less; larger ones are not held. */
const mostTableBytes = 64 * 1024 * 1024;
const headerBytes = 16;
const framesPerBlock = 48;
/** More than a second, which is searched for the place to split, and a frame before it, with which it overlaps. */
const runUpFrames = 100;

/** The recording that was opened last: its tables are asked for when the engine is chosen, and when it begins. */
let last: { readonly source: ByteSource; readonly frames: Promise<Mp4Frames | null> } | null = null;

/** AAC of a plain MP4 in constant memory. Null if it is not plain, or mostly video unless `readsVideo`. */
export async function openAacInOrder(source: ByteSource, readsVideo = false): Promise<Decode | null> {
  if (last?.source !== source) last = { source, frames: findMoov(source).then((moov) => moov && plainFrames(moov)) };
  const frames = await last.frames;
  if (frames === null || !(readsVideo || isMostlyAudio(frames))) return null;
  return (_source, part = whole) => decodePart(source, frames, part);
}

interface Stretch {
  readonly frames: Mp4Frames;
  /** Samples to leave out at the beginning, and to give at most, by the length of a frame and the sample rate. */
  readonly skip: (frameLength: number, rate: number) => number;
  readonly most: (frameLength: number, rate: number) => number;
}

/** Parts meet at whole seconds, where a bucket of every waveform begins. */
function stretchOf(frames: Mp4Frames, { index, of }: Part): Stretch {
  const padding = (rate: number) => Math.round(frames.paddingSeconds * rate);
  const frameAt = (place: number) => Math.floor((frames.sizes.length * place) / of);
  const sampleAt = (place: number, length: number, rate: number) =>
    Math.max(0, Math.floor((frameAt(place) * length - padding(rate)) / rate)) * rate;
  const begin = Math.max(0, frameAt(index) - runUpFrames);
  return {
    frames: framesFrom(frames, begin),
    skip: (length, rate) => sampleAt(index, length, rate) + padding(rate) - begin * length,
    most: (length, rate) =>
      index + 1 === of ? Infinity : sampleAt(index + 1, length, rate) - sampleAt(index, length, rate),
  };
}

function framesFrom({ sizes, chunkStarts, framesPerChunk, ...rest }: Mp4Frames, from: number): Mp4Frames {
  let [chunk, first] = [0, 0];
  for (; first + (framesPerChunk[chunk] ?? Infinity) <= from; chunk += 1) first += framesPerChunk[chunk] ?? 0;
  const past = sizes.subarray(first, from).reduce((sum, size) => sum + size, 0);
  return {
    ...rest,
    sizes: sizes.subarray(from),
    chunkStarts: chunkStarts.slice(chunk).map((start, index) => (index === 0 ? start + past : start)),
    framesPerChunk: framesPerChunk.slice(chunk).map((count, index) => (index === 0 ? count - (from - first) : count)),
  };
}

/** Damaged tables are left to the demuxer, which may know better. */
function plainFrames(moov: DataView): Mp4Frames | null {
  try {
    return readMp4Frames(moov);
  } catch {
    return null;
  }
}

/** The demuxer asks for the audio of a video alone instead of reading all of the file. */
function isMostlyAudio({ sizes, chunkStarts }: Mp4Frames): boolean {
  const span = (chunkStarts.at(-1) ?? 0) - (chunkStarts[0] ?? 0);
  return 2 * sizes.reduce((sum, size) => sum + size, 0) >= span;
}

async function findMoov(source: ByteSource): Promise<DataView | null> {
  for (let at = 0; ;) {
    const head = await source.read(at, headerBytes);
    const view = head && new DataView(head.bytes.buffer, head.bytes.byteOffset, head.bytes.byteLength);
    const header = view && boxHeader(view, 0);
    if (header === null || header.length < header.headerBytes) return null;
    if (header.type === 'moov') {
      if (header.length > mostTableBytes) return null;
      const content = await source.read(at + header.headerBytes, header.length - header.headerBytes);
      return content && new DataView(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
    }
    at += header.length;
  }
}

async function* decodePart(
  source: ByteSource,
  all: Mp4Frames,
  part: Part,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const stretch = stretchOf(all, part);
  const pieces = source.stream(stretch.frames.chunkStarts[0]);
  try {
    yield* decodePieces(pieces, stretch);
  } finally {
    // The tables may come after the last frame: the request does not end by itself.
    await pieces.return();
  }
}

type Pieces = ReturnType<ByteSource['stream']>;

async function* decodePieces(
  pieces: Pieces,
  { frames, skip: skipOf, most: mostOf }: Stretch,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const decoder = new AacDecoder({ description: frames.description });
  let planes: Float32Array<ArrayBuffer>[] = [];
  let [filled, rate, toSkip, left] = [0, 0, -1, 0];
  const block = (): DecodedAudio => ({
    channels: planes.map((plane) => plane.subarray(0, filled)),
    frames: filled,
    sampleRate: rate,
  });
  for await (const frame of bytesOfFrames(pieces, frames)) {
    const { channels, sampleRate } = decoder.decode(frame);
    const length = channels[0]?.length ?? 0;
    if (toSkip < 0) [toSkip, left] = [skipOf(length, sampleRate), mostOf(length, sampleRate)];
    if (planes.length !== channels.length || filled + length > (planes[0]?.length ?? 0)) {
      if (filled > 0) yield block();
      filled = 0;
      if (planes.length !== channels.length) planes = channels.map(() => new Float32Array(framesPerBlock * length));
    }
    const skip = Math.min(toSkip, length);
    const taken = Math.min(length - skip, left);
    toSkip -= skip;
    left -= taken;
    for (const [index, plane] of planes.entries())
      plane.set((channels[index] ?? plane).subarray(skip, skip + taken), filled);
    filled += taken;
    rate = sampleRate;
    if (left === 0) break;
  }
  if (filled > 0) yield block();
}

async function* bytesOfFrames(
  pieces: Pieces,
  { sizes, chunkStarts, framesPerChunk }: Mp4Frames,
): AsyncGenerator<Uint8Array, void, undefined> {
  let buffer = new Uint8Array(256 * 1024);
  let [from, held, frame] = [chunkStarts[0] ?? 0, 0, 0];
  for (const [chunk, start] of chunkStarts.entries()) {
    let at = start;
    for (let left = framesPerChunk[chunk] ?? 0; left > 0; left -= 1) {
      const size = sizes[frame] ?? 0;
      while (at + size > from + held) {
        const { done, value } = await pieces.next();
        // The file ends early, as after a broken copy.
        if (done) return;
        const past = Math.min(held, at - from);
        buffer.copyWithin(0, past, held);
        [from, held] = [from + past, held - past];
        if (held + value.length > buffer.length) {
          const larger = new Uint8Array(2 * (held + value.length));
          larger.set(buffer.subarray(0, held));
          buffer = larger;
        }
        buffer.set(value, held);
        held += value.length;
      }
      yield buffer.subarray(at - from, at - from + size);
      at += size;
      frame += 1;
    }
  }
}

interface Mp4Frames {
  readonly description: Uint8Array;
  readonly sizes: Uint32Array;
  /** Frames follow each other within a chunk: where each chunk begins in the file, and how many frames it has. */
  readonly chunkStarts: Float64Array;
  readonly framesPerChunk: Uint32Array;
  /** The encoder's padding before the recording, in seconds. */
  readonly paddingSeconds: number;
}

interface Box {
  readonly type: string;
  readonly view: DataView;
}

/** The length of the box at `at`, with its header, and its type; null when its header is not complete. */
export function boxHeader(view: DataView, at: number): { type: string; headerBytes: number; length: number } | null {
  if (at + 8 > view.byteLength) return null;
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
  const length = view.getUint32(at);
  if (length !== 1) return { type, headerBytes: 8, length };
  return at + 16 > view.byteLength ? null : { type, headerBytes: 16, length: Number(view.getBigUint64(at + 8)) };
}

function boxesIn(view: DataView, from = 0): readonly Box[] {
  const boxes: Box[] = [];
  let at = from;
  for (let header = boxHeader(view, at); header !== null; header = boxHeader(view, at)) {
    const { type, headerBytes, length } = header;
    if (length < headerBytes || at + length > view.byteLength) break;
    boxes.push({ type, view: new DataView(view.buffer, view.byteOffset + at + headerBytes, length - headerBytes) });
    at += length;
  }
  return boxes;
}

function find(view: DataView | null, ...path: readonly string[]): DataView | null {
  let found = view;
  for (const type of path) found = found && (boxesIn(found).find((box) => box.type === type)?.view ?? null);
  return found;
}

/** Null for fragments, other codecs and other edits than padding; a `RangeError` where a table ends too early. */
export function readMp4Frames(moov: DataView): Mp4Frames | null {
  const tracks = boxesIn(moov).filter(({ type }) => type === 'trak');
  const track = tracks.find(({ view }) => typeAt(find(view, 'mdia', 'hdlr'), 8) === 'soun')?.view ?? null;
  const tables = find(track, 'mdia', 'minf', 'stbl');
  const [header, sizes] = [find(track, 'mdia', 'mdhd'), readSizes(find(tables, 'stsz'))];
  const chunkStarts = readChunkStarts(find(tables, 'stco'), find(tables, 'co64'));
  const description = readDescription(find(tables, 'stsd'));
  const padding = readPadding(find(track, 'edts', 'elst'));
  if (header === null || sizes === null || chunkStarts === null || description === null || padding === null)
    return null;
  if ((description[0] ?? 0) >> 3 !== lowComplexity) return null;
  const timescale = header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
  const framesPerChunk = readFramesPerChunk(find(tables, 'stsc'), chunkStarts.length);
  const isWhole = framesPerChunk?.reduce((sum, count) => sum + count, 0) === sizes.length;
  if (framesPerChunk === null || !isWhole || sizes.length === 0) return null;
  return { description, sizes, chunkStarts, framesPerChunk, paddingSeconds: padding / timescale };
}

function readSizes(stsz: DataView | null): Uint32Array | null {
  if (stsz === null) return null;
  const [same, count] = [stsz.getUint32(4), stsz.getUint32(8)];
  if (same !== 0 || count > stsz.byteLength / 4) return null;
  return Uint32Array.from({ length: count }, (_, index) => stsz.getUint32(12 + 4 * index));
}

function readChunkStarts(stco: DataView | null, co64: DataView | null): Float64Array | null {
  const table = stco ?? co64;
  if (table === null || table.getUint32(4) > table.byteLength / 4) return null;
  return Float64Array.from({ length: table.getUint32(4) }, (_, index) =>
    table === stco ? table.getUint32(8 + 4 * index) : Number(table.getBigUint64(8 + 8 * index)),
  );
}

function readFramesPerChunk(stsc: DataView | null, chunkCount: number): Uint32Array | null {
  if (stsc === null) return null;
  const perChunk = new Uint32Array(chunkCount);
  const entryCount = stsc.getUint32(4);
  if (entryCount > stsc.byteLength / 12) return null;
  for (let entry = 0; entry < entryCount; entry += 1) {
    const at = 8 + 12 * entry;
    // A second description would be another codec or other channels.
    if (stsc.getUint32(at + 8) !== 1) return null;
    perChunk.fill(stsc.getUint32(at + 4), stsc.getUint32(at) - 1);
  }
  return perChunk;
}

/** How much of the track's beginning is left out, in its own units; null when it is edited in another way. */
function readPadding(elst: DataView | null): number | null {
  if (elst === null) return 0;
  const isLong = elst.getUint8(0) === 1;
  if (elst.getUint32(4) !== 1 || elst.getUint32(isLong ? 24 : 16) !== 0x10000) return null;
  const start = isLong ? Number(elst.getBigInt64(16)) : elst.getInt32(12);
  return start < 0 ? null : start;
}

/** The AudioSpecificConfig in the only sample entry (ISO/IEC 14496-1, 7.2.6). */
function readDescription(stsd: DataView | null): Uint8Array | null {
  if (stsd === null || stsd.getUint32(4) !== 1 || typeAt(stsd, 12) !== 'mp4a' || stsd.getUint16(24) !== 0) return null;
  const esds = boxesIn(stsd, 16 + soundEntryBytes).find(({ type }) => type === 'esds')?.view;
  if (esds === undefined) return null;
  // Each descriptor contains the next one, after some bytes of its own.
  for (let at = 4; at < esds.byteLength;) {
    const tag = esds.getUint8(at);
    let length = 0;
    for (let isMore = true; isMore;) {
      const byte = esds.getUint8((at += 1));
      length = length * 128 + (byte & 0x7f);
      isMore = byte >= 0x80;
    }
    at += 1;
    if (tag === decoderDescriptor) return new Uint8Array(esds.buffer, esds.byteOffset + at, length).slice();
    at += tag === 3 ? 3 : 13;
  }
  return null;
}
