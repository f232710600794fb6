import { err, ok, type Result } from '../../result/result.ts';
import { bucketsPerSecond, type PeakChunk } from './peak-builder.ts';

/**
 * How peaks are kept and sent, little endian: magic `OVPK`, version u16, buckets per second u16, bucket count u32, checksum of the
 * rest u32; then all minima (i8), all maxima (i8), all loudness values (u8).
 */
const magic = 0x4b50564f;
const version = 1;
const headerBytes = 16;
const planes = 3;

export type PackedPeaksError = 'not-peaks' | 'other-version' | 'damaged';

/** Serialises a finished waveform; about 1 MB per hour of audio. */
export function packPeaks(peaks: PeakChunk): Uint8Array<ArrayBuffer> {
  const count = peaks.min.length;
  const bytes = new Uint8Array(headerBytes + count * planes);
  bytes.set(asBytes(peaks.min), headerBytes);
  bytes.set(asBytes(peaks.max), headerBytes + count);
  bytes.set(peaks.rms, headerBytes + count * 2);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magic, true);
  header.setUint16(4, version, true);
  header.setUint16(6, bucketsPerSecond, true);
  header.setUint32(8, count, true);
  header.setUint32(12, checksum(bytes.subarray(headerBytes)), true);
  return bytes;
}

/** How many bytes the packed peaks take that begin here; null while their header is not complete, or when it is none. */
export function packedLength(bytes: Uint8Array): number | null {
  if (bytes.byteLength < headerBytes) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  return header.getUint32(0, true) === magic ? headerBytes + header.getUint32(8, true) * planes : null;
}

/** Reads packed peaks back; anything other than the exact output of `packPeaks` is refused, never half read. */
export function unpackPeaks(bytes: Uint8Array<ArrayBuffer>): Result<PeakChunk, PackedPeaksError> {
  if (bytes.byteLength < headerBytes) return err('not-peaks');
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  if (header.getUint32(0, true) !== magic) return err('not-peaks');
  if (header.getUint16(4, true) !== version || header.getUint16(6, true) !== bucketsPerSecond) {
    return err('other-version');
  }
  const count = header.getUint32(8, true);
  const body = bytes.subarray(headerBytes);
  if (body.byteLength !== count * planes || header.getUint32(12, true) !== checksum(body)) return err('damaged');
  const plane = (index: number) => body.slice(index * count, (index + 1) * count);
  return ok({ min: new Int8Array(plane(0).buffer), max: new Int8Array(plane(1).buffer), rms: plane(2) });
}

const asBytes = (values: Int8Array<ArrayBuffer>) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Adler-32: enough to notice a torn or overwritten cache file, and cheap for megabytes. */
function checksum(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += 3800) {
    const stop = Math.min(bytes.length, start + 3800);
    for (let i = start; i < stop; i += 1) {
      a += bytes[i] ?? 0;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return ((b << 16) | a) >>> 0;
}
