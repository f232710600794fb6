import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine } from './format-text.ts';
import type { ExportFacts } from './export-facts.ts';
import { fileOptions, text, wordOptions, type Exporter } from './exporter.ts';
import { choice, toggle, type OptionsOf } from './options.ts';
import { subtitleTime } from './subtitle-time.ts';

const common = {
  rows: choice(['segments', 'words']),
  times: choice(['clock', 'seconds', 'milliseconds']),
  ...wordOptions,
  ...fileOptions,
};
const csvOptions = {
  ...common,
  separator: choice(['comma', 'semicolon']),
  // Without it Excel reads UTF-8 in the system's encoding.
  byteOrderMark: toggle(true),
  lineEnds: choice(['lf', 'crlf'], 'crlf'),
};

const columns = ['number', 'start', 'end', 'speaker', 'text'];

/**
 * A spreadsheet treats a cell with one of these prefixes as a formula, also behind the quotation marks that some take off
 * the cells of a table with tabs; the apostrophe makes it text.
 */
const unformula = (cell: string): string => (/^"*[=+\-@\t\r＝＋－＠]/u.test(cell) ? `'${cell}` : cell);

function rowsOf(transcript: Transcript, { speakerName }: ExportFacts, options: OptionsOf<typeof common>): string[][] {
  const written = (ms: number): string =>
    options.times === 'clock'
      ? subtitleTime(ms, '.')
      : options.times === 'seconds'
        ? (ms / 1000).toFixed(3)
        : String(ms);
  const parts = transcript.segments.flatMap(({ speakerId, words, ...segment }) =>
    options.rows === 'words'
      ? words.map(({ text: said, startMs, endMs }) => ({ speakerId, text: said, startMs, endMs }))
      : [{ speakerId, ...segment }],
  );
  return parts
    .map((part) => ({ ...part, text: cleanLine(part.text) }))
    .filter((part) => part.text !== '')
    .map(({ speakerId, text: said, startMs, endMs }, at) => [
      String(at + 1),
      written(startMs),
      written(endMs),
      speakerId === null ? '' : unformula(cleanLine(speakerName(speakerId))),
      unformula(said),
    ]);
}

/** Rows by RFC 4180; anything a spreadsheet would take for a formula becomes text. */
export const csvOf = (rows: readonly (readonly string[])[], separator = ','): string =>
  `${rows.map((row) => row.map((value) => cell(unformula(value))).join(separator)).join('\n')}\n`;
const cell = (value: string): string => (/[",;\n\r]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A table by RFC 4180 that a spreadsheet reads as text, whatever was said. */
export const csv: Exporter<'csv', typeof csvOptions> = {
  id: 'csv',
  extension: '.csv',
  mediaType: 'text/csv',
  group: 'data',
  options: csvOptions,
  write(transcript, facts, options) {
    const separator = options.separator === 'semicolon' ? ';' : ',';
    return text(csvOf([columns, ...rowsOf(transcript, facts, options)], separator));
  },
};

/** A table with tabs, which no cell contains. */
export const tsv: Exporter<'tsv', typeof common> = {
  id: 'tsv',
  extension: '.tsv',
  mediaType: 'text/tab-separated-values',
  group: 'data',
  options: common,
  write(transcript, facts, options) {
    const rows = [columns, ...rowsOf(transcript, facts, options)];
    return text(`${rows.map((row) => row.join('\t')).join('\n')}\n`);
  },
};
