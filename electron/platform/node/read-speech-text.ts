import { isRecordingName } from '../../../shared/domain/media/sniff.ts';
import { readFile, stat, readdir } from 'node:fs/promises';
import { basename, extname, dirname, join } from 'node:path';
import { strFromU8, Unzip, UnzipInflate } from 'fflate';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import {
  cuesOfSubtitles,
  textOfMarkdown,
  textOfSubtitles,
  textOfWordXml,
  tidyText,
  type TimedWords,
} from '../../../shared/domain/speech/import-text.ts';
import { isSubtitleName, textExtensions } from '../../../shared/domain/imports/read-subtitles.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { readFailure } from './storage-failure.ts';
import { baseName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { ImportedFile } from '../../services/transcripts/import-transcript.ts';

export const speechTextExtensions = textExtensions.filter((extension) => extension !== 'json');

/** Their bytes may look like a text, but the text is elsewhere in them. */
const otherDocuments: ReadonlySet<string> = new Set(['.pdf', '.doc', '.rtf', '.odt', '.epub', '.html', '.htm']);

const largestBytes = 8 * 1024 * 1024;
/** Of the unpacked text inside a DOCX. */
const largestXml = 32 * 1024 * 1024;
/** Unpacked at once; at most a thousand times as much comes out. */
const packedStep = 4096;

interface SpeechText {
  readonly text: string;
  readonly cues: readonly TimedWords[] | null;
}

export async function readSpeechText(path: string): Promise<Result<SpeechText>> {
  const unreadable = err(makeFailure('file-unreadable', { code: 'text_unreadable', params: { name: basename(path) } }));
  try {
    const kind = extname(path).toLowerCase();
    if (otherDocuments.has(kind) || (await stat(path)).size > largestBytes) return unreadable;
    const bytes = await readFile(path);
    if (kind === '.docx' || bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004') {
      const xml = wordsOfZip(bytes);
      return xml === null ? unreadable : ok({ text: textOfWordXml(xml), cues: null });
    }
    const text = decode(bytes);
    if (text.includes('\u0000')) return unreadable;
    if (isSubtitleName(path)) return ok({ text: textOfSubtitles(text), cues: cuesOfSubtitles(text) });
    return ok({ text: kind === '.md' || kind === '.markdown' ? textOfMarkdown(text) : tidyText(text), cues: null });
  } catch (error) {
    return err(readFailure(error));
  }
}

/** A small text file unchanged, in whatever encoding it has. file-unreadable when it can't be read. */
export async function readPlainText(path: string): Promise<Result<string>> {
  try {
    const bytes = (await stat(path)).size > largestBytes ? null : await readFile(path);
    const text = bytes === null ? '\u0000' : decode(bytes);
    return text.includes('\u0000')
      ? err(makeFailure('file-unreadable', { code: 'text_unreadable', params: { name: basename(path) } }))
      : ok(text);
  } catch (error) {
    return err(readFailure(error));
  }
}

/** Null without any, and where more than `largestXml` comes out, whatever the file says of its size. */
function wordsOfZip(bytes: Uint8Array): string | null {
  const parts: Uint8Array[] = [];
  let size = 0;
  const unzip = new Unzip((file) => {
    if (file.name !== 'word/document.xml') return;
    file.ondata = (error, part) => {
      size += part.length;
      if (error !== null || size > largestXml) throw new Error('unreadable');
      parts.push(part);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += packedStep)
      unzip.push(bytes.subarray(at, at + packedStep), at + packedStep >= bytes.length);
    return size === 0 ? null : strFromU8(Buffer.concat(parts));
  } catch {
    return null;
  }
}

/** UTF-8, UTF-16 by its byte order mark, otherwise Windows-1251, which accepts any bytes. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}

/** A day of speech with the time of every word is smaller. */
const mostBytes = 64 * 1024 * 1024;

/** A text file, and the recording of the same name next to it. */
export async function readTextFile(path: string): Promise<Result<Omit<ImportedFile, 'language'>>> {
  const name = basename(path);
  try {
    const { size } = await stat(path);
    if (size > mostBytes)
      return err(localFailure('not-a-recording', { code: 'file_too_large_here', params: { name } }));
    const mediaPath = await recordingBeside(path);
    if (extname(path).toLowerCase() !== '.docx') return ok({ path, name, bytes: await readFile(path), mediaPath });
    const read = await readSpeechText(path);
    return read.ok ? ok({ path, name, bytes: Buffer.from(read.value.text), mediaPath }) : read;
  } catch {
    return err(localFailure('file-unreadable', { params: { name } }));
  }
}

/** `suhbat.uz.srt` belongs to `suhbat.mp3` as much as `suhbat.srt` does. */
async function recordingBeside(path: string): Promise<string | null> {
  const folder = dirname(path);
  const own = baseName(basename(path));
  const wanted = new Set([own, baseName(own)].map(foldedName));
  const names = await readdir(folder).catch(() => []);
  const found = names.find((name) => isRecordingName(name) && wanted.has(foldedName(baseName(name))));
  return found === undefined ? null : join(folder, found);
}
