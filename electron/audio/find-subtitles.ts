import { open, type FileHandle } from 'node:fs/promises';

const headBytes = 256 * 1024;
/** The table of contents of ten hours has some megabytes. */
const largestContents = 64 * 1024 * 1024;
const matroskaTrack = /[SD]_(?:TEXT|WEBVTT|HDMV|VOBSUB|DVBSUB|IMAGE|KATE|ASS|SSA)/u;

/** Whether a video has subtitles, which mediabunny passes over. */
export async function hasSubtitles(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = await textAt(file, 0, headBytes);
    if (head.startsWith('\x1aE\xdf\xa3')) return matroskaTrack.test(head);
    const contents = await contentsOf(file, (await file.stat()).size);
    if (/hdlr.{8}(?:sbtl|subt|clcp)/su.test(contents)) return true;
    // Chapters are a track of text too.
    return /hdlr.{8}text/su.test(contents) && !contents.includes('chap');
  } finally {
    await file.close();
  }
}

/** The `moov` box of an MP4 or MOV. */
async function contentsOf(file: FileHandle, end: number): Promise<string> {
  for (let at = 0; at + 16 <= end;) {
    const box = Buffer.from(await textAt(file, at, 16), 'latin1');
    const short = box.readUInt32BE(0);
    const length = short === 1 ? Number(box.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    if (box.toString('latin1', 4, 8) === 'moov') return textAt(file, at, Math.min(length, largestContents));
    if (length < 8) break;
    at += length;
  }
  return '';
}

async function textAt(file: FileHandle, position: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.toString('latin1', 0, bytesRead);
}
