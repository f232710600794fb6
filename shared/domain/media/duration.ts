import { Bytes } from './bytes.ts';
import { mp3DurationMs } from './mp3-duration.ts';
import type { MediaFormat } from './sniff.ts';

/** The longest plausible recording; a header with a larger value is wrong. */
const longestMs = 7 * 24 * 3_600_000;

/**
 * The length of a recording in milliseconds from its headers, for the row of the queue; null when the headers don't
 * contain it or are wrong. `head` and `tail` are the first and last bytes of a file of `sizeBytes`.
 */
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
  let at = 12;
  let bytesPerSecond: number | null = null;
  for (let chunks = 0; chunks < 64; chunks++) {
    const size = bytes.u32le(at + 4);
    if (size === null) return null;
    if (bytes.says(at, 'fmt ')) bytesPerSecond = bytes.u32le(at + 16);
    if (bytes.says(at, 'data')) {
      if (bytesPerSecond === null || bytesPerSecond === 0) return null;
      // Interrupted recorders leave 0 or 2^32-1 here: the rest of the file is then the audio.
      const rest = Math.max(0, sizeBytes - (at + 8));
      const audioBytes = size === 0 || size > rest ? rest : size;
      return (audioBytes / bytesPerSecond) * 1000;
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

/** The movie header is in `moov`, at the beginning or at the end of the file. */
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
