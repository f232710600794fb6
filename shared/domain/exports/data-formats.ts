import {
  text,
  wordOptions,
  fileOptions,
  choice,
  toggle,
  type Exporter,
  type OptionsOf,
  type ExportFacts,
} from './exporter.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine, subtitleTime } from './format-text.ts';

const jsonOptions = { script: wordOptions.script };

/** Everything in the transcript (`docs/transcript-json.md`). `version` grows when a field changes its meaning. */
export const json: Exporter<'json', typeof jsonOptions> = {
  id: 'json',
  extension: '.json',
  mediaType: 'application/json',
  group: 'data',
  options: jsonOptions,
  write(transcript, { title, speakerName }) {
    const speakers = transcript.speakers.map((speaker) => ({ ...speaker, name: speakerName(speaker.id) }));
    const { language, durationMs, segments, cuts = [] } = transcript;
    const document = {
      format: 'ovoz-studio-transcript',
      version: 1,
      title,
      language,
      durationMs,
      speakers,
      ...(cuts.length === 0 ? {} : { cuts }),
      segments,
    };
    return text(
      `${JSON.stringify(document, null, 2)
        .replaceAll('<', '\\u003c')
        .replaceAll('\u2028', '\\u2028')
        .replaceAll('\u2029', '\\u2029')}\n`,
    );
  },
};

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

/** A spreadsheet takes such a cell for a formula, also in quotation marks; the apostrophe makes it text. */
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

export const csvOf = (rows: readonly (readonly string[])[], separator = ','): string =>
  `${rows.map((row) => row.map((value) => cell(unformula(value))).join(separator)).join('\n')}\n`;
const cell = (value: string): string => (/[",;\n\r]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

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
