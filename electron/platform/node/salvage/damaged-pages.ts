import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** Libraries are made with pages of this size, whatever a damaged header says. */
export const pageBytes = 4096;

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** The pages of a database that SQLite itself can't read any more, each as it was written last. */
export interface DamagedPages {
  readonly count: number;
  /** Page `number`, from 1; null when the file does not reach that far. What is on it may be damaged. */
  read(number: number): Buffer | null;
  close(): void;
}

/** What is read of a library that is not there. */
export const noPages: DamagedPages = { count: 0, read: () => null, close: () => undefined };

/** Opens a damaged database and the log of SQLite beside it, for reading only. Throws what the system says. */
export function openDamagedPages(path: string): DamagedPages {
  const file = openSync(path, 'r');
  const logPath = `${path}-wal`;
  const log = existsSync(logPath) ? openSync(logPath, 'r') : null;
  const inFile = Math.ceil(fstatSync(file).size / pageBytes);
  const { frames, pageCount } = log === null ? noFrames : readFrames(log);
  return {
    count: Math.max(inFile, pageCount),
    read(number) {
      const frame = frames.get(number);
      if (frame !== undefined && log !== null) return readAt(log, frame, pageBytes);
      return number < 1 || number > inFile ? null : readAt(file, (number - 1) * pageBytes, pageBytes);
    },
    close() {
      closeSync(file);
      if (log !== null) closeSync(log);
    },
  };
}

interface Frames {
  /** Where in the log the newest committed content of a page begins. */
  readonly frames: ReadonlyMap<number, number>;
  /** The size of the database after the last transaction in the log. */
  readonly pageCount: number;
}

const noFrames: Frames = { frames: new Map(), pageCount: 0 };

/** Whole transactions up to the first frame whose checksum is wrong, which is as far as SQLite itself believes a log. */
function readFrames(log: number): Frames {
  const header = readAt(log, 0, logHeaderBytes);
  if (header === null) return noFrames;
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== 0x377f0682 || header.readUInt32BE(8) !== pageBytes) return noFrames;
  const sum = summing((magic & 1) === 1);
  let sums = sum(header.subarray(0, 24), [0, 0]);
  if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) return noFrames;
  const salt = header.subarray(16, 24);
  const frames = new Map<number, number>();
  let uncommitted = new Map<number, number>();
  let pageCount = 0;
  for (let at = logHeaderBytes; ; at += frameHeaderBytes + pageBytes) {
    const frame = readAt(log, at, frameHeaderBytes + pageBytes);
    if (frame === null || !frame.subarray(8, 16).equals(salt)) break;
    sums = sum(frame.subarray(frameHeaderBytes), sum(frame.subarray(0, 8), sums));
    if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) break;
    uncommitted.set(frame.readUInt32BE(0), at + frameHeaderBytes);
    const sizeAfter = frame.readUInt32BE(4);
    if (sizeAfter === 0) continue;
    for (const [number, offset] of uncommitted) frames.set(number, offset);
    uncommitted = new Map();
    pageCount = sizeAfter;
  }
  return { frames, pageCount };
}

type Sums = readonly [number, number];

/** The running checksum of SQLite's log over words of 32 bits, in the byte order that its header names. */
const summing =
  (isBigEndian: boolean) =>
  (bytes: Buffer, from: Sums): Sums => {
    let [first, second] = from;
    const word = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
    for (let at = 0; at < bytes.length; at += 8) {
      first = (first + word(at) + second) >>> 0;
      second = (second + word(at + 4) + first) >>> 0;
    }
    return [first, second];
  };

/** `length` bytes; null when there are none at all, zeros behind the end of a file that was cut inside of a page. */
function readAt(file: number, at: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  let got = 0;
  while (got < length) {
    const count = readSync(file, bytes, got, length - got, at + got);
    if (count === 0) break;
    got += count;
  }
  return got === 0 ? null : bytes;
}
