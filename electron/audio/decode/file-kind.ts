import { Bytes } from '../../../shared/domain/media/bytes.ts';
import { isNestedMatroska } from '../../../shared/domain/media/sniff.ts';

export type FileKind = 'wav' | 'flac' | 'ogg' | 'webm' | 'mp4' | 'mp3' | 'adts';

const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length));

export function id3Size(head: Uint8Array): number {
  if (head.length < 10 || ascii(head, 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return 10 + ((a & 0x7f) << 21) + ((b & 0x7f) << 14) + ((c & 0x7f) << 7) + (d & 0x7f) + footer;
}

function mpegKind(head: Uint8Array, at: number): 'mp3' | 'adts' | null {
  const second = head[at + 1] ?? 0;
  const third = head[at + 2] ?? 0;
  if (head[at] !== 0xff || (second & 0xe0) !== 0xe0) return null;
  if ((second & 0xf6) === 0xf0) return ((third >> 2) & 0xf) < 13 ? 'adts' : null;
  const isLayer = (second & 0x06) !== 0;
  const isVersion = (second & 0x18) !== 0x08;
  const isBitrate = (third & 0xf0) !== 0xf0;
  const isRate = (third & 0x0c) !== 0x0c;
  return isLayer && isVersion && isBitrate && isRate ? 'mp3' : null;
}

/** Recognises a file by its first bytes, never by its name. `head` should hold several kilobytes. */
export function fileKindOf(head: Uint8Array): FileKind | null {
  if (['RIFF', 'RF64', 'RIFX'].includes(ascii(head, 0, 4)) && ascii(head, 8, 4) === 'WAVE') return 'wav';
  if (ascii(head, 0, 4) === 'OggS') return 'ogg';
  if (ascii(head, 4, 4) === 'ftyp') return 'mp4';
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3)
    return isNestedMatroska(new Bytes(head)) ? null : 'webm';
  const start = id3Size(head);
  if (ascii(head, start, 4) === 'fLaC') return 'flac';
  if (start > 0 && start >= head.length) return 'mp3';
  return mpegKind(head, start);
}
