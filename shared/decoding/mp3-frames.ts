/** Offset of an MP3 frame in the examined bytes, and its length. */
interface Frame {
  readonly length: number;
  /** Properties that all frames of a file share: kind and sample rate. */
  readonly kind: number;
}

const bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
const bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];
const sampleRates = [44_100, 48_000, 32_000, 0];

/** The Layer III frame whose header is at `at`; null when there is none. */
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

/** Whether frames of one kind follow each other from here on. */
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

/** The first offset of consecutive frames; -1 when there is none. */
export function findFrames(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at += 1) if (areFramesAt(bytes, at)) return at;
  return -1;
}

/** The first frame that begins at or after `from`, found by walking from a known one; and how many precede it. */
export function walkFrames(
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
