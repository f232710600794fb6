import type { Cue } from '../subtitles/cue.ts';
import { findAssCues, findTtmlCues, isAss, isTtml, italicsOf, type Run } from './styled-subtitles.ts';

export interface ReadCue extends Omit<Cue, 'speakerId'> {
  readonly speaker: string | null;
}

const subtitleExtensions = ['srt', 'vtt', 'ass', 'ssa', 'ttml', 'dfxp'];
/** File types from which transcripts are imported; a chosen file is judged by content, whatever its name. */
export const textExtensions = [...subtitleExtensions, 'json', 'txt', 'md', 'docx'];

const hasOneOf = (extensions: readonly string[], name: string): boolean =>
  extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));

export const isTextName = (name: string): boolean => hasOneOf(textExtensions, name);

export const isSubtitleName = (name: string): boolean => hasOneOf(subtitleExtensions, name);

const timeLine =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?\s*-{1,3}>\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?/u;

const toMs = (hours = '0', minutes = '0', seconds = '0', rest = '0'): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));

/** Tags of WebVTT and SRT. None looks for its end beyond the next beginning, or some files would take minutes. */
const marks =
  /<\/?(?:c|i|b|u|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?>|<\d{1,3}(?::\d{2}){1,2}[.,]\d{1,3}>|\{\\[^{}]*\}/giu;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
  apos: "'",
  '#39': "'",
};
const readEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm|quot|apos|#39);/gu, (whole, name: string) => entities[name] ?? whole);

/** A line that is meant to hold times and can't be read as such. */
const brokenTimeLine = /\d\s*-{2,3}>|-{2,3}>\s*\d/u;
const numberLine = /^\s*\d+\s*$/u;
/** Settings of WebVTT behind the times, and the coordinates that some programs write in SRT. */
const positionSettings = /(?:^|\s)(?:vertical|line|position|size|align|region|[xy][12]):\s*\S/iu;
const otherBlock = /^(?:NOTE|STYLE|REGION)(?:\s|$)/u;

export interface FoundCue extends ReadCue {
  readonly line: number;
  readonly number: number;
  /** The words in italics, by their indexes in the text of all lines. */
  readonly italics: ReadonlySet<number>;
  /** It has other marks, which are left out. */
  readonly hasMarks: boolean;
  readonly position: string;
  /** The name of its style, in formats that have those. */
  readonly style?: string;
}

/** `leftOut`: the lines where something stands that is meant as a caption and can't be read. */
export interface FoundCues {
  readonly cues: readonly FoundCue[];
  readonly leftOut: readonly number[];
}

export function findCues(file: string): FoundCues {
  const text = file.replace(/^\ufeff/u, '');
  if (isAss(text)) return findAssCues(text);
  if (isTtml(text)) return findTtmlCues(text);
  const lines = text.split(/\r\n|\r|\n/u);
  const isVtt = /^WEBVTT(?:\s|$)/u.test(lines[0] ?? '');
  const isBlank = (at: number) => (lines[at] ?? '').trim() === '';
  const isNumber = (at: number) => numberLine.test(lines[at] ?? '');
  const isTimes = (at: number) => timeLine.test(lines[at] ?? '') || brokenTimeLine.test(lines[at] ?? '');
  const cues: FoundCue[] = [];
  const leftOut: number[] = [];
  for (let at = 0; at < lines.length;) {
    const from = at;
    at += 1;
    if (isBlank(from)) continue;
    const [found, ...parts] = timeLine.exec(lines[from] ?? '') ?? [];
    const behind = (lines[from] ?? '').slice(found?.length ?? 0).trim();
    const position = positionSettings.test(behind) ? behind : '';
    while (!isBlank(at) && !isTimes(at)) at += 1;
    // Without an empty line, the number of the next cue comes right before its times.
    if (!isBlank(at) && at - 1 > from && isNumber(at - 1)) at -= 1;
    if (found === undefined) {
      const isOneLine = at === from + 1;
      const isId = isOneLine && (isNumber(from) || (isVtt && !isBlank(at)));
      const isOther = isVtt && (from === 0 || otherBlock.test(lines[from] ?? ''));
      if (!isId && !isOther) leftOut.push(from + 1);
      continue;
    }
    const number = isNumber(from - 1) ? Number(lines[from - 1]) : cues.length + 1;
    cues.push({ ...readCue(lines.slice(from + 1, at), parts), line: from + 1, number, position });
  }
  return { cues, leftOut };
}

function readCue(said: readonly string[], times: readonly string[]): Omit<FoundCue, 'line' | 'number' | 'position'> {
  const whole = said.join('\n');
  const [voice, ...voices] = whole.matchAll(/<v(?:\.[^\s<>]*)?\s([^<>]+)>/gu);
  const speaker = voice?.[1]?.trim() ?? null;
  const plain = said.map((line) => readEntities(line.replaceAll(marks, '')).trim());
  return {
    startMs: toMs(...times.slice(0, 4)),
    endMs: toMs(...times.slice(4, 8)),
    lines: plain.filter((line) => line !== ''),
    speaker: speaker === null ? null : readEntities(speaker),
    italics: italicWords(whole),
    // One voice becomes the speaker of the cue.
    hasMarks: voices.length > 0 || (whole.match(marks) ?? []).some((mark) => !/^<\/?[iv][.\s>]/iu.test(mark)),
  };
}

function italicWords(whole: string): ReadonlySet<number> {
  if (!/<i[.\s>]/iu.test(whole)) return new Set();
  const runs: Run[] = [];
  let isItalic = false;
  for (const part of whole.split(/(<[^<>]*>|\{[^{}]*\})/u)) {
    const [tag] = part.match(marks) ?? [];
    if (tag !== part) runs.push({ text: readEntities(part), isItalic });
    else if (/^<\/?i[.\s>]/iu.test(tag)) isItalic = !tag.startsWith('</');
  }
  return italicsOf(runs);
}

export const readSubtitles = (text: string): readonly ReadCue[] =>
  findCues(text).cues.map(({ startMs, endMs, lines, speaker }) => ({ startMs, endMs, lines, speaker }));

/** Text of a file of unknown encoding: by its byte order mark, as UTF-16 that has none, UTF-8, or Windows Cyrillic. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes.subarray(2), 'utf-16le');
  if (first === 0xfe && second === 0xff) return decode(bytes.subarray(2), 'utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return decode(bytes.subarray(3), 'utf-8');
  const zeros = [0, 0];
  const sample = bytes.subarray(0, 512);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // In UTF-16, Latin letters, digits and line ends have a zero in every second byte.
  if (odd > sample.length / 8 && odd > even * 4) return decode(bytes, 'utf-16le');
  if (even > sample.length / 8 && even > odd * 4) return decode(bytes, 'utf-16be');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode(bytes, 'windows-1251');
  }
}

const decode = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);
