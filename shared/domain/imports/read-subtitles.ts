import type { Cue } from '../subtitles/cue.ts';

/** A cue as it was found in a file; `speaker` is the name in a voice span. */
export interface ReadCue extends Omit<Cue, 'speakerId'> {
  readonly speaker: string | null;
}

const timeLine =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?\s*-{1,3}>\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?/u;

const toMs = (hours = '0', minutes = '0', seconds = '0', rest = '0'): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));

/** Marks of WebVTT and the few that players know in SRT; everything else between angle brackets is what was said. */
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
 * commas or full stops, any line ends. What is no cue (notes, styles, headers) is passed over. Never throws.
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
    // The number of the next cue stands right before its times where the empty line was lost.
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
