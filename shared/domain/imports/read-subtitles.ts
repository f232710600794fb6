import type { Cue } from '../subtitles/cue.ts';

/** A cue as it was found in a file; `speaker` is the name in a voice span. */
export interface ReadCue extends Omit<Cue, 'speakerId'> {
  readonly speaker: string | null;
}

/** Whether a file is one of subtitles, by its name. */
export const isSubtitleName = (name: string): boolean => /\.(?:srt|vtt)$/iu.test(name);

const timeLine =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?\s*-{1,3}>\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?/u;

const toMs = (hours = '0', minutes = '0', seconds = '0', rest = '0'): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));

/** Tags of WebVTT and the few that players know in SRT; anything else between angle brackets is speech. */
const marks = /<\/?(?:c|i|b|u|v|lang|ruby|rt|font)(?:[.\s][^>]*)?>|<\d{1,3}(?::\d{2}){1,2}[.,]\d{1,3}>|\{\\[^}]*\}/giu;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
};
const readEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm|quot);/gu, (whole, name: string) => entities[name] ?? whole);

/**
 * The cues of SRT or WebVTT as programs write them: with or without numbers, hours and empty lines between cues, with
 * commas or full stops, any line ends. Everything else (notes, styles, headers) is skipped. Never throws.
 */
export function readSubtitles(text: string): readonly ReadCue[] {
  const lines = text.replace(/^\ufeff/u, '').split(/\r\n|\r|\n/u);
  const isVtt = /^WEBVTT(?:\s|$)/u.test(lines[0] ?? '');
  const cues: ReadCue[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [found, ...parts] = timeLine.exec(lines[at] ?? '') ?? [];
    if (found === undefined) continue;
    const said: string[] = [];
    while (at + 1 < lines.length && (lines[at + 1] ?? '').trim() !== '' && !timeLine.test(lines[at + 1] ?? '')) {
      at += 1;
      said.push(lines[at] ?? '');
    }
    // When the empty line is missing, the number of the next cue comes right before its times.
    if (timeLine.test(lines[at + 1] ?? '') && /^\s*\d+\s*$/u.test(said.at(-1) ?? '')) said.pop();
    const speaker = /<v(?:\.[^\s>]*)?\s+([^>]+)>/u.exec(said.join('\n'))?.[1]?.trim() ?? null;
    const plain = said.map((line) => {
      const bare = line.replaceAll(marks, '');
      return (isVtt ? readEntities(bare) : bare).trim();
    });
    cues.push({
      startMs: toMs(...parts.slice(0, 4)),
      endMs: toMs(...parts.slice(4, 8)),
      lines: plain.filter((line) => line !== ''),
      speaker: speaker === null ? null : isVtt ? readEntities(speaker) : speaker,
    });
  }
  return cues;
}

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
