import { extname } from 'node:path';

const byExtension: Readonly<Record<string, string>> = {
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.mp4': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.webm': 'audio/webm',
  '.flac': 'audio/flac',
};

const startsWith = (head: Uint8Array, text: string, at = 0) =>
  text.split('').every((letter, index) => head[at + index] === letter.charCodeAt(0));

/** Media type for playback, by the first 16 bytes and otherwise by the name; a wrong extension still plays. */
export function mediaTypeOf(path: string, head: Uint8Array): string {
  if (startsWith(head, 'RIFF') && startsWith(head, 'WAVE', 8)) return 'audio/wav';
  if (startsWith(head, 'fLaC')) return 'audio/flac';
  if (startsWith(head, 'OggS')) return 'audio/ogg';
  if (startsWith(head, 'ftyp', 4)) return 'audio/mp4';
  if (startsWith(head, '\u001AE')) return 'audio/webm';
  if (startsWith(head, 'ID3')) return 'audio/mpeg';
  return byExtension[extname(path).toLowerCase()] ?? 'application/octet-stream';
}
