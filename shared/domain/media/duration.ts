import { Bytes, readMp3Frame, type Mp3Frame } from './bytes.ts';
import type { MediaFormat } from './sniff.ts';

const longestMs = 7 * 24 * 3_600_000;

/** Milliseconds by the headers; null without them or where they are wrong. `head`, `tail`: the ends of the file. */
export function headerDurationMs(
  format: MediaFormat,
  head: Uint8Array,
  tail: Uint8Array,
  sizeBytes: number,
): number | null {
  const found = measure(format, new Bytes(head), new Bytes(tail), sizeBytes);
  if (found === null || !Number.isFinite(found) || found <= 0 || found > longestMs) return null;
  return Math.round(found);
}

/** Whether the header of a WAV promises at least a tenth more audio than the file holds. */
export function isCutShort(format: MediaFormat, head: Uint8Array, sizeBytes: number): boolean {
  const data = format === 'wav' ? wavData(new Bytes(head), sizeBytes) : null;
  // Programs that write into a pipe put a length near one of these.
  return data !== null && data.size < 0x7f00_0000 && data.size * 0.9 > data.rest;
}

/** A WAV that is a header and nothing more. */
export const isOnlyHeader = (format: MediaFormat, head: Uint8Array, sizeBytes: number): boolean =>
  format === 'wav' && wavData(new Bytes(head), sizeBytes)?.rest === 0;

function measure(format: MediaFormat, head: Bytes, tail: Bytes, sizeBytes: number): number | null {
  switch (format) {
    case 'wav':
      return wav(head, sizeBytes);
    case 'flac':
      return flac(head);
    case 'm4a':
    case 'mp4':
    case 'quicktime':
      return isoMedia(head) ?? isoMedia(tail);
    case 'ogg':
      return ogg(head, tail);
    case 'mp3':
      return mp3DurationMs(head, tail, sizeBytes);
    case 'webm':
    case 'adts':
    case 'amr':
    case 'asf':
    case 'avi':
    case 'matroska':
    case 'mpeg-ts':
      return null;
    default:
      return null;
  }
}

function wav(bytes: Bytes, sizeBytes: number): number | null {
  const data = wavData(bytes, sizeBytes);
  if (data === null) return null;
  const { bytesPerSecond, size, rest } = data;
  // Interrupted recorders leave 0 or 2^32-1 here: the rest of the file is then the audio.
  return ((size === 0 || size > rest ? rest : size) / bytesPerSecond) * 1000;
}

/** `size` as the header has it, `rest` as the file does; bytes. */
function wavData(bytes: Bytes, sizeBytes: number) {
  let at = 12;
  let bytesPerSecond: number | null = null;
  for (let chunks = 0; chunks < 64; chunks++) {
    const size = bytes.u32le(at + 4);
    if (size === null) return null;
    if (bytes.says(at, 'fmt ')) bytesPerSecond = bytes.u32le(at + 16);
    if (bytes.says(at, 'data')) {
      if (bytesPerSecond === null || bytesPerSecond === 0) return null;
      return { bytesPerSecond, size, rest: Math.max(0, sizeBytes - (at + 8)) };
    }
    at += 8 + size + (size & 1);
  }
  return null;
}

function flac(bytes: Bytes): number | null {
  const start = bytes.find('fLaC');
  const high = bytes.u32be(start + 18);
  const low = bytes.u32be(start + 22);
  if (start < 0 || high === null || low === null) return null;
  const rate = high >>> 12;
  const samples = (high & 0xf) * 2 ** 32 + low;
  return rate === 0 || samples === 0 ? null : (samples / rate) * 1000;
}

function isoMedia(bytes: Bytes): number | null {
  const at = bytes.find('mvhd');
  if (at < 0) return null;
  const version = bytes.u8(at + 4);
  const scale = version === 1 ? bytes.u32be(at + 24) : bytes.u32be(at + 16);
  const duration = version === 1 ? bytes.u64be(at + 28) : bytes.u32be(at + 20);
  if (scale === null || duration === null || scale === 0 || duration === 0xffffffff) return null;
  return (duration / scale) * 1000;
}

function ogg(head: Bytes, tail: Bytes): number | null {
  const last = tail.findLast('OggS');
  const samples = last < 0 ? null : tail.u64le(last + 6);
  if (samples === null || samples >= 2 ** 62) return null;
  const opus = head.find('OpusHead');
  if (opus >= 0) {
    const skipped = head.u16le(opus + 10) ?? 0;
    return ((samples - skipped) / 48_000) * 1000;
  }
  const vorbis = head.find('\u0001vorbis');
  const rate = vorbis < 0 ? null : head.u32le(vorbis + 12);
  return rate === null || rate === 0 ? null : (samples / rate) * 1000;
}

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

function* framesFrom(bytes: Bytes, at: number): Generator<Mp3Frame> {
  let next = at;
  for (let frame = readMp3Frame(bytes, next); frame !== null; frame = readMp3Frame(bytes, next)) {
    yield frame;
    next += frame.sizeBytes;
  }
}

function tagBytes(head: Bytes): number {
  if (!head.says(0, 'ID3')) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head.u8(at) ?? 0) & 0x7f), 0);
  return size + 10;
}

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

/** By the encoder's count or the constant bitrate; null for a variable one without a count. */
function mp3DurationMs(head: Bytes, tail: Bytes, sizeBytes: number): number | null {
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
