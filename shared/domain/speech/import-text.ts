import { unescapeXml } from '../exports/format-text.ts';
import { readSubtitles } from '../imports/read-subtitles.ts';

// The files are anybody's: no pattern looks for its end beyond its next beginning, so time grows with length.

export function textOfMarkdown(markdown: string): string {
  const withoutFront = markdown.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/u, '');
  const lines = withoutFront.split(/\r?\n/u).map((line) =>
    line
      .replace(/^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)/u, (mark) =>
        /\d/u.test(mark) || /[-*+]/u.test(mark) || mark.includes('#') ? '\n' : '',
      )
      .replace(/(?<!\s)\s+#+\s*$/u, '')
      .replace(/^\s*(?:```|~~~|[-*_]{3,}$|(?:\|\s*)?:?-+:?\s*\|).*$/u, '')
      .replace(/^\|(.*)\|$/u, (_, cells: string) =>
        cells
          .split('|')
          .map((cell) => cell.trim())
          .join(', '),
      )
      .replaceAll(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/gu, '$1')
      .replaceAll(/\[([^[\]]+)\]\((?:[^()]|\([^()]*\))*\)/gu, '$1')
      .replaceAll(/(\*\*|__|\*|~~|`)(?=\S)((?:(?!\1).)+?)(?<=\S)\1/gu, '$2')
      .replaceAll(/(?<![\p{L}\d])_(?=\S)((?:(?!(?<![\p{L}\d])_).)+?)(?<=\S)_(?![\p{L}\d])/gu, '$1')
      .replaceAll(/\\([\\`*_{}[\]()#+.!>-])/gu, '$1')
      .replaceAll(/<[^<>]+>/gu, ''),
  );
  return tidyText(
    lines
      .join('\n')
      .split(/\n\s*\n/u)
      .map((paragraph) =>
        paragraph
          .split('\n')
          .map((line) => line.trim())
          .join(' '),
      )
      .join('\n\n'),
  );
}

export interface TimedWords {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export const cuesOfSubtitles = (subtitles: string): readonly TimedWords[] =>
  readSubtitles(subtitles)
    .map(({ startMs, endMs, lines }) => ({ startMs, endMs, text: tidyText(lines.join(' ')) }))
    .filter(({ text }) => text !== '');

/** The text of subtitles. Cues that end in the middle of a sentence are joined. */
export function textOfSubtitles(subtitles: string): string {
  return cuesOfSubtitles(subtitles)
    .map(({ text }) => `${text}${/[.!?…]["»”)]?$/u.test(text) ? '\n' : ' '}`)
    .join('')
    .trimEnd();
}

export function textOfWordXml(xml: string): string {
  const paragraphs = xml
    .split('</w:del>')
    .map((part, at, { length }) => (at === length - 1 ? part : (part.split(/<w:del [^<>]*(?<!\/)>/u, 1)[0] ?? '')))
    .join('')
    .split('</w:p>')
    .map((paragraph) =>
      paragraph
        .replaceAll(/<w:(?:br|cr)\b[^<>]*>/gu, '\n')
        .replaceAll(/<w:tab\b[^<>]*\/>/gu, ' ')
        .replaceAll(/<w:t(?: [^<>]*)?>([^<]*)<\/w:t>|(\n)|( )(?=<)|<[^<>]*>/gu, (_, words?: string, br?: string) =>
          words === undefined ? (br ?? '') : words,
        ),
    );
  return tidyText(unescapeXml(paragraphs.join('\n')));
}

export const tidyText = (text: string): string =>
  text
    .replaceAll(/\r\n?|\u2028|\u2029/gu, '\n')
    .replaceAll(/[\u00ad\u200b\u2060\ufeff]/gu, '')
    .replaceAll(/[ \t]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
