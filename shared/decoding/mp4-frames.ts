/** Where the frames of AAC lie in a plain MP4 (ISO/IEC 14496-12). */
export interface Mp4Frames {
  /** The AudioSpecificConfig of the track. */
  readonly description: Uint8Array;
  /** Of each frame, in bytes. */
  readonly sizes: Uint32Array;
  /** Frames follow each other within a chunk: where each chunk begins in the file, and how many frames it has. */
  readonly chunkStarts: Float64Array;
  readonly framesPerChunk: Uint32Array;
  /** The encoder's padding before the recording, in seconds. */
  readonly paddingSeconds: number;
}

interface Box {
  readonly type: string;
  /** The content, without the header. */
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

/** The content of the first box on this path. */
function find(view: DataView | null, ...path: readonly string[]): DataView | null {
  let found = view;
  for (const type of path) found = found && (boxesIn(found).find((box) => box.type === type)?.view ?? null);
  return found;
}

/**
 * Reads the tables of the first sound track from the content of a `moov` box. Null where they are not plain: in
 * fragments, with another codec, or edited in more ways than by leaving out the encoder's padding. Throws a `RangeError`
 * where a table ends too early.
 */
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

const typeAt = (view: DataView | null, at: number): string =>
  view === null ? '' : String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));

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

/** Each entry holds from its first chunk on until the next entry. */
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

/** The kind of AAC, in the first five bits of its description; others are left to WebCodecs. */
const lowComplexity = 2;

/** The part of a sample entry of sound before its boxes, in bytes; newer versions of QuickTime have a longer one. */
const soundEntryBytes = 28;
const decoderDescriptor = 5;

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
