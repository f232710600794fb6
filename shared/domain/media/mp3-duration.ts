import type { Bytes } from './bytes.ts';
import { readMp3Frame, type Mp3Frame } from './mp3-frame.ts';

/** Offset of the first frame from `from` on that two more follow, because a single one also occurs in noise. */
function findFrames(bytes: Bytes, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes.u8(at) !== 0xff) continue;
    const first = readMp3Frame(bytes, at);
    const second = first && readMp3Frame(bytes, at + first.sizeBytes);
    if (first && second && readMp3Frame(bytes, at + first.sizeBytes + second.sizeBytes)) return at;
  }
  return -1;
}

/** All whole frames that follow one another from `at` on. */
function* framesFrom(bytes: Bytes, at: number): Generator<Mp3Frame> {
  let next = at;
  for (let frame = readMp3Frame(bytes, next); frame !== null; frame = readMp3Frame(bytes, next)) {
    yield frame;
    next += frame.sizeBytes;
  }
}

/** Size in bytes of an ID3 tag in front of the audio, including its header. */
function tagBytes(head: Bytes): number {
  if (!head.says(0, 'ID3')) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head.u8(at) ?? 0) & 0x7f), 0);
  return size + 10;
}

/** The frame and byte counts that encoders with a variable bitrate write into the first frame. */
function counted(head: Bytes, at: number): { readonly frames: number; readonly bytes: number | null } | null {
  for (const side of [36, 21, 13]) {
    if (!head.says(at + side, 'Xing') && !head.says(at + side, 'Info')) continue;
    const flags = head.u32be(at + side + 4) ?? 0;
    const frames = (flags & 1) === 0 ? null : head.u32be(at + side + 8);
    const bytes = (flags & 2) === 0 ? null : head.u32be(at + side + 12);
    return frames === null ? null : { frames, bytes };
  }
  const frames = head.says(at + 36, 'VBRI') ? head.u32be(at + 50) : null;
  return frames === null ? null : { frames, bytes: head.u32be(at + 46) };
}

/**
 * The length of an MP3 in milliseconds: from the encoder's count, or from its size at the constant bitrate of all
 * visible frames; null for a variable bitrate without a count. Of a truncated file the remaining part counts.
 */
export function mp3DurationMs(head: Bytes, tail: Bytes, sizeBytes: number): number | null {
  const tag = tagBytes(head);
  const audioBytes = sizeBytes - tag - (tail.says(tail.length - 128, 'TAG') ? 128 : 0);
  const start = tag < head.length ? findFrames(head, tag) : -1;
  const first = start < 0 ? null : readMp3Frame(head, start);
  const count = first && counted(head, start);
  if (first && count && count.frames > 0 && count.frames < audioBytes) {
    const left = count.bytes !== null && count.bytes > audioBytes ? audioBytes / count.bytes : 1;
    return ((count.frames * first.samples * left) / first.rate) * 1000;
  }
  const seen = [...framesFrom(head, start), ...framesFrom(tail, findFrames(tail, 0))];
  const bitrates = new Set(seen.map(({ kbps }) => kbps));
  const [kbps] = bitrates;
  return kbps === undefined || bitrates.size > 1 ? null : audioBytes / (kbps / 8);
}
