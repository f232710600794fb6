import { Bytes, mp3FrameSize } from './bytes.ts';

export const sniffBytes = 64 * 1024;

/** The containers that the service accepts (contract 4.6); `mp4` holds the same audio as `m4a`. */
export const takenFormats = ['wav', 'mp3', 'm4a', 'mp4', 'ogg', 'webm', 'flac'] as const;
export const foreignFormats = ['quicktime', 'matroska', 'adts', 'mpeg-ts', 'avi', 'amr', 'asf'] as const;

export type MediaFormat = (typeof takenFormats)[number] | (typeof foreignFormats)[number];

export type NotMedia = 'empty' | 'text' | 'html' | 'zip' | 'pdf' | 'image' | 'unknown';

export type Sniffed =
  | { readonly kind: 'media'; readonly format: MediaFormat }
  | { readonly kind: 'not-media'; readonly what: NotMedia };

const media = (format: MediaFormat): Sniffed => ({ kind: 'media', format });
const notMedia = (what: NotMedia): Sniffed => ({ kind: 'not-media', what });

/** By the first bytes (32 KiB), never by the name; any bytes give an answer in linear time. */
export function sniff(head: Uint8Array): Sniffed {
  if (head.length === 0) return notMedia('empty');
  const bytes = new Bytes(head);
  if ((bytes.says(0, 'RIFF') || bytes.says(0, 'RF64')) && bytes.says(8, 'WAVE')) return media('wav');
  if (bytes.says(0, 'RIFF') && bytes.says(8, 'AVI ')) return media('avi');
  if (bytes.says(0, '#!AMR')) return media('amr');
  if (bytes.u32be(0) === 0x3026b275 && bytes.u32be(4) === 0x8e66cf11) return media('asf');
  if (bytes.says(0, 'fLaC')) return media('flac');
  if (bytes.says(0, 'OggS')) return media('ogg');
  if (bytes.u32be(0) === 0x1a45dfa3) return matroska(bytes);
  if (bytes.says(4, 'ftyp')) return isoMedia(bytes);
  // Old QuickTime files begin without a brand.
  if (bytes.says(4, 'moov') || bytes.says(4, 'wide') || bytes.says(4, 'mdat')) return media('quicktime');
  if (bytes.says(0, 'ID3')) return media(afterId3(bytes));
  if (bytes.says(0, 'PK\u0003\u0004') || bytes.says(0, 'PK\u0005\u0006')) return notMedia('zip');
  if (bytes.says(0, '%PDF-')) return notMedia('pdf');
  if (bytes.u32be(0) === 0x89504e47 || bytes.says(0, 'GIF8') || (bytes.u8(0) === 0xff && bytes.u8(1) === 0xd8)) {
    return notMedia('image');
  }
  if (isTransportStream(bytes)) return media('mpeg-ts');
  if (isAdts(bytes)) return media('adts');
  if (hasMp3Frames(bytes)) return media('mp3');
  return plainText(head);
}

/** Still pictures and documents use the same boxes as audio, so only brands of audio and video count. */
function isoMedia(bytes: Bytes): Sniffed {
  if (bytes.says(8, 'M4A ') || bytes.says(8, 'M4B ')) return media('m4a');
  for (const brand of ['heic', 'heix', 'mif1', 'avif', 'crx ', 'jp2 '])
    if (bytes.says(8, brand)) return notMedia('image');
  return media(bytes.says(8, 'qt  ') ? 'quicktime' : 'mp4');
}

function isTransportStream(bytes: Bytes): boolean {
  for (let at = 0; at < 188 * 5; at += 188) if (bytes.u8(at) !== 0x47) return false;
  return true;
}

function isAdts(bytes: Bytes): boolean {
  let at = 0;
  for (let frames = 0; frames < 3; frames++) {
    const sync = bytes.u16be(at);
    if (sync === null || (sync & 0xfff6) !== 0xfff0) return false;
    const size = (((bytes.u32be(at + 3) ?? 0) >>> 13) & 0x1fff) | 0;
    if (size < 7) return false;
    at += size;
    if (at >= bytes.length) return frames > 0;
  }
  return true;
}

/** The service accepts WebM; other Matroska files hold codecs it does not name. */
function matroska(bytes: Bytes): Sniffed {
  const end = Math.min(bytes.length, 4096);
  if (isNestedMatroska(bytes)) return notMedia('unknown');
  const at = bytes.find('webm');
  if (at >= 0 && at < end) return media('webm');
  const other = bytes.find('matroska');
  return other >= 0 && other < end ? media('matroska') : notMedia('unknown');
}

/** A recording begins with one header and one segment. Parsers recurse into thousands of nested ones without end. */
export function isNestedMatroska(bytes: Bytes): boolean {
  let [headers, segments] = [0, 0];
  for (let at = 0; at < 4096; at += 1) {
    const id = bytes.u32be(at);
    if (id === 0x1a45dfa3) headers += 1;
    if (id === 0x18538067) segments += 1;
  }
  return headers > 1 || segments > 1;
}

/** FLAC files may start with an ID3 tag, too. */
function afterId3(bytes: Bytes): MediaFormat {
  const sizes = [6, 7, 8, 9].map((at) => bytes.u8(at) ?? 0);
  const size = sizes.reduce((sum, part) => sum * 128 + (part & 0x7f), 0);
  return bytes.says(10 + size, 'fLaC') ? 'flac' : 'mp3';
}

/** Two or more consecutive frames, because a single one also occurs in noise. */
function hasMp3Frames(bytes: Bytes): boolean {
  const last = Math.min(bytes.length, 16 * 1024);
  for (let at = 0; at < last; at++) {
    if (bytes.u8(at) !== 0xff) continue;
    const size = mp3FrameSize(bytes, at);
    if (size === null) continue;
    const second = mp3FrameSize(bytes, at + size);
    if (second === null) {
      if (at === 0 && at + size >= bytes.length) return true;
      continue;
    }
    if (mp3FrameSize(bytes, at + size + second) !== null || at + size + second >= bytes.length) return true;
  }
  return false;
}

function plainText(head: Uint8Array): Sniffed {
  const start = head.subarray(0, 4096);
  let controls = 0;
  for (const byte of start) {
    if (byte === 0) return isUtf16(start) ? notMedia('text') : notMedia('unknown');
    if (byte < 9 || (byte > 13 && byte < 32)) controls++;
  }
  if (controls > 0 && controls * 50 > start.length) return notMedia('unknown');
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
  } catch {
    return notMedia(controls === 0 && isMostlyLatin(start) ? 'text' : 'unknown');
  }
  return /^\s*<(?:!doctype html|html|head|body|\?xml[^>]*>\s*<(?:!doctype )?html)/i.test(decoded)
    ? notMedia('html')
    : notMedia('text');
}

const isUtf16 = (start: Uint8Array): boolean =>
  (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);

/** Old one-byte texts consist almost entirely of letters and spaces. */
const isMostlyLatin = (start: Uint8Array): boolean =>
  start.filter((byte) => byte === 32 || (byte >= 0x41 && byte <= 0x7a) || byte >= 0xc0).length > start.length * 0.85;

export const recordingExtensions = [
  'wav',
  'mp3',
  'm4a',
  'mp4',
  'aac',
  'ogg',
  'oga',
  'opus',
  'webm',
  'flac',
  'mkv',
  'mov',
  'm4v',
  'avi',
  'ts',
  'mts',
  'amr',
  '3gp',
  'wma',
  'wmv',
  'asf',
];

/** Whether a file is a recording, by its name: a system does not know the type of all of them. */
export const isRecordingName = (name: string): boolean =>
  recordingExtensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
