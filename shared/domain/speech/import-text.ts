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

const timeLine =
  /^\s*(?:(\d{1,2}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})\s*-->\s*(?:(\d{1,2}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})/u;

export interface TimedWords {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export function cuesOfSubtitles(subtitles: string): readonly TimedWords[] {
  const lines = subtitles.replace(/^\uFEFF?WEBVTT[^\n]*\n/u, '').split(/\r?\n/u);
  const cues: { startMs: number; endMs: number; said: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? '';
    const times = timeLine.exec(line);
    if (times !== null) {
      const msOf = (from: number) =>
        Number(times[from] ?? 0) * 3_600_000 +
        Number(times[from + 1]) * 60_000 +
        Number(times[from + 2]) * 1000 +
        Number((times[from + 3] ?? '').padEnd(3, '0'));
      cues.push({ startMs: msOf(1), endMs: msOf(5), said: [] });
      continue;
    }
    const cue = cues.at(-1);
    // The number above a cue, and everything before the first one.
    if (cue === undefined || (timeLine.test(next) && !/\p{L}/u.test(line))) continue;
    cue.said.push(line.replaceAll(/<[^<>]+>|\{\\[^{}]*\}/gu, ''));
  }
  return cues
    .map(({ said, ...times }) => ({ ...times, text: tidyText(said.join(' ')) }))
    .filter(({ text }) => text !== '');
}

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
  const plain = paragraphs.join('\n').replaceAll(/&(#x?[\da-f]+|amp|lt|gt|quot|apos);/giu, (whole, name: string) => {
    const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
    const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '';
  });
  return tidyText(plain);
}

export const tidyText = (text: string): string =>
  text
    .replaceAll(/\r\n?|\u2028|\u2029/gu, '\n')
    .replaceAll(/[\u00ad\u200b\u2060\ufeff]/gu, '')
    .replaceAll(/[ \t]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
