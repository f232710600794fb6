import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Libraries are created with this page size, whatever a damaged header says. */
export const pageBytes = 4096;

const logHeaderBytes = 32;
const frameHeaderBytes = 24;
const frameBytes = frameHeaderBytes + pageBytes;
const indexHeaderBytes = 48;

/** One page in SQLite's log, as a transaction left it. */
interface Frame {
  readonly page: number;
  /** Where its content begins in the log. */
  readonly contentAt: number;
  /** Pages of the database after the transaction that ends with this frame; 0: the transaction continues. */
  readonly sizeAfter: number;
  /** Its checksum continues that of the previous frame, and it belongs to the log's current use. */
  readonly isWhole: boolean;
}

type Sums = readonly [number, number];

/** The header of SQLite's log; null when it is damaged, in which case SQLite treats the log as empty. */
interface LogHeader {
  readonly salt: Buffer;
  readonly sums: Sums;
  readonly isBigEndian: boolean;
}

export interface CommittedPages {
  /** Offset of the newest committed content of each page. */
  readonly frames: ReadonlyMap<number, number>;
  /** The size of the database after the last transaction in the log. */
  readonly pageCount: number;
}

/**
 * Complete transactions in an open log of SQLite. SQLite itself stops at the first frame with a wrong checksum; intact
 * frames beyond it are used too, because each one continues the one before.
 */
export function readCommittedPages(log: number): CommittedPages {
  const header = readHeader(log);
  const frames = new Map<number, number>();
  let uncommitted = new Map<number, number>();
  let pageCount = 0;
  for (const frame of header === null ? [] : readFrames(log, header)) {
    if (!frame.isWhole) continue;
    uncommitted.set(frame.page, frame.contentAt);
    if (frame.sizeAfter === 0) continue;
    for (const [page, contentAt] of uncommitted) frames.set(page, contentAt);
    uncommitted = new Map();
    pageCount = frame.sizeAfter;
  }
  return { frames, pageCount };
}

/**
 * Whether SQLite's log next to a database is damaged, so that committed transactions would be lost silently: SQLite
 * treats any error as the end that a crash leaves. To be called before SQLite opens the database. What the owners'
 * shared memory records as committed (`-shm`, which survives a crash of the program) must be in the log; without that
 * record, complete transactions beyond a broken frame are more than any crash leaves.
 */
export function isLogDamaged(databasePath: string): boolean {
  const log = openIfThere(`${databasePath}-wal`);
  if (log === null) return false;
  try {
    // Without a frame it contains nothing that could be lost.
    if (fstatSync(log).size < logHeaderBytes + frameHeaderBytes) return false;
    const header = readHeader(log);
    // The header is flushed before the first frame is written.
    if (header === null) return true;
    const committed = countCommitted(`${databasePath}-shm`, header);
    return committed === null ? goesOnBehindBreak(log, header) : countWhole(log, header, committed) < committed;
  } finally {
    closeSync(log);
  }
}

function readHeader(log: number): LogHeader | null {
  const header = readAt(log, 0, logHeaderBytes);
  if (header === null) return null;
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== 0x377f0682 || header.readUInt32BE(8) !== pageBytes) return null;
  const isBigEndian = (magic & 1) === 1;
  const sums = addUp(header.subarray(0, 24), [0, 0], isBigEndian);
  if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) return null;
  return { salt: Buffer.from(header.subarray(16, 24)), sums, isBigEndian };
}

/** All frames to the end of the file, including those of an earlier use of the log. */
function* readFrames(log: number, { salt, sums, isBigEndian }: LogHeader): Generator<Frame> {
  let before = sums;
  for (let at = logHeaderBytes; ; at += frameBytes) {
    const frame = readAt(log, at, frameBytes);
    if (frame === null) return;
    const own = addUp(frame.subarray(frameHeaderBytes), addUp(frame.subarray(0, 8), before, isBigEndian), isBigEndian);
    const said: Sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const isWhole = own[0] === said[0] && own[1] === said[1] && frame.subarray(8, 16).equals(salt);
    yield {
      page: frame.readUInt32BE(0),
      contentAt: at + frameHeaderBytes,
      sizeAfter: frame.readUInt32BE(4),
      isWhole,
    };
    before = said;
  }
}

/** How many frames from the beginning are intact, counted up to `most`. */
function countWhole(log: number, header: LogHeader, most: number): number {
  let count = 0;
  for (const { isWhole } of readFrames(log, header)) {
    if (!isWhole) return count;
    count += 1;
    if (count === most) return count;
  }
  return count;
}

/** A crash breaks at most one transaction, the last: two complete ones beyond a broken frame were durable before. */
function goesOnBehindBreak(log: number, header: LogHeader): boolean {
  let isBroken = false;
  let ends = 0;
  for (const { isWhole, sizeAfter } of readFrames(log, header)) {
    if (!isBroken) isBroken = !isWhole;
    else if (!isWhole) return false;
    else if (sizeAfter > 0) ends += 1;
    if (ends > 1) return true;
  }
  return false;
}

/**
 * How many frames of the log were committed, according to the owners' shared memory; null when that belongs to another
 * log.
 */
function countCommitted(indexPath: string, { salt }: LogHeader): number | null {
  const index = openIfThere(indexPath);
  if (index === null) return null;
  try {
    const copies = [readAt(index, 0, indexHeaderBytes), readAt(index, indexHeaderBytes, indexHeaderBytes)];
    // The copies are written one after the other: a crash may leave one of them older, never both of them wrong.
    const counts = copies.flatMap((copy) => {
      if (copy === null || copy[12] !== 1 || !copy.subarray(32, 40).equals(salt)) return [];
      const sums = addUp(copy.subarray(0, 40), [0, 0], false);
      return sums[0] === copy.readUInt32LE(40) && sums[1] === copy.readUInt32LE(44) ? [copy.readUInt32LE(16)] : [];
    });
    return counts.length === 0 ? null : Math.max(...counts);
  } finally {
    closeSync(index);
  }
}

/** The running checksum of SQLite's log over 32-bit words, in the byte order that its header names. */
function addUp(bytes: Buffer, from: Sums, isBigEndian: boolean): Sums {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [first, second] = from;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + words.getUint32(at, !isBigEndian) + second) >>> 0;
    second = (second + words.getUint32(at + 4, !isBigEndian) + first) >>> 0;
  }
  return [first, second];
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Reads `length` bytes; null when there are none at all, zeros beyond the end of a file that was cut within a page. */
export function readAt(file: number, at: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  let got = 0;
  while (got < length) {
    const count = readSync(file, bytes, got, length - got, at + got);
    if (count === 0) break;
    got += count;
  }
  return got === 0 ? null : bytes;
}
