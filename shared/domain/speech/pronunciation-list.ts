import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { readCsvLines, writeCsv } from '../text/csv.ts';
import { countWritten, type Pronunciation } from './find-readings.ts';

/** An entry and its scope: one language everywhere, or (null) one text in any language. */
export interface ListedWord extends Pronunciation {
  readonly language: SpeechLanguage | null;
}

/** Why a line of a file is no entry: no word or no reading, a third column without a language before it, or too long. */
export type SkippedBecause = 'reading' | 'columns' | 'long';

export interface ListReport {
  readonly words: readonly ListedWord[];
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly skipped: readonly { readonly line: number; readonly because: SkippedBecause }[];
  /** Words that the file has more than once, with their lines; the last one counts. */
  readonly repeated: readonly { readonly written: string; readonly lines: readonly number[] }[];
}

const longestWritten = 200;
const longestSpoken = 500;
const header = ['language', 'written', 'spoken', 'case', 'applies'] as const;
type Column = (typeof header)[number];
const columnNames: Readonly<Record<Column, string>> = {
  language: 'language|lang|язык|til',
  written:
    'written|word|text|слово|пишется|написано|написание|как пишется|так написано|soʻz|yozilishi|yoziladi|yozilgan',
  spoken:
    'spoken|reading|read as|pronunciation|чтение|читается|читать|читать как|как читается|произношение|oʻqilishi|oʻqiladi|aytilishi|aytiladi|talaffuz|talaffuzi',
  case: 'case',
  applies: 'applies',
};
const columnOf = (heading: string): Column | undefined => {
  const name = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[‘’'`ʼ]/gu, 'ʻ');
  return header.find((column) => columnNames[column].split('|').includes(name));
};

const keyOf = ({ language, written, matchCase }: ListedWord): string =>
  JSON.stringify([language, matchCase ? written.trim() : written.trim().toLowerCase()]);

/** Rows without a word or a reading are not finished, and left out. */
export const pronunciationsToCsv = (words: readonly ListedWord[]): string =>
  writeCsv([
    header,
    ...words
      .filter(({ written, spoken }) => written.trim() !== '' && spoken.trim() !== '')
      .map(({ language, written, spoken, matchCase }) => [
        language ?? '',
        written,
        spoken,
        matchCase ? 'yes' : 'no',
        language === null ? 'text' : 'everywhere',
      ]),
  ]);

/** The file wins. Columns are named in the first line, or are written, spoken and perhaps a language. */
export function mergePronunciations(present: readonly ListedWord[], csv: string, language: SpeechLanguage): ListReport {
  const merged = new Map(present.map((one) => [keyOf(one), one]));
  const skipped: ListReport['skipped'][number][] = [];
  const found = new Map<string, { readonly written: string; readonly lines: number[] }>();
  const count = { added: 0, changed: 0, same: 0 };
  const [first = ''] = csv.split(/\r?\n/u, 1);
  const rows = readCsvLines(csv, first.includes(';') && !first.includes(',') ? ';' : ',');
  const names = rows[0]?.fields.map(columnOf) ?? [];
  const isNamed = names.includes('written') && names.includes('spoken');
  const perLanguage = isNamed ? null : languageColumns(rows[0]?.fields ?? []);
  const entries = (isNamed || perLanguage !== null ? rows.slice(1) : rows).flatMap(({ line, fields }) => {
    if (perLanguage === null) return [{ line, columns: columnsOf(fields, isNamed ? names : null, language) }];
    const written = fields[names.indexOf('written')]?.trim() ?? '';
    const read = perLanguage.map(({ at, named }): { readonly line: number; readonly columns: Columns } => ({
      line,
      columns: { language: named, written, spoken: fields[at]?.trim() ?? '' },
    }));
    // A word need not have a reading in every language, but in one.
    const withReading = read.filter(({ columns }) => columns.spoken !== '');
    return withReading.length > 0 ? withReading : read.slice(0, 1);
  });
  for (const { line, columns } of entries) {
    const word = readRow(columns, language);
    if (typeof word === 'string') {
      skipped.push({ line, because: word });
      continue;
    }
    const key = keyOf(word);
    const before = merged.get(key);
    const earlier = found.get(key);
    if (earlier !== undefined) earlier.lines.push(line);
    else if (before === undefined) count.added += 1;
    else if (before.spoken === word.spoken && before.matchCase === word.matchCase) count.same += 1;
    else count.changed += 1;
    if (earlier === undefined) found.set(key, { written: word.written, lines: [line] });
    merged.set(key, word);
  }
  const repeated = [...found.values()].filter(({ lines }) => lines.length > 1);
  return { words: [...merged.values()], ...count, skipped, repeated };
}

/** The columns of readings where a heading names the word and then languages (`word, ru, uz`); null: it does not. */
function languageColumns(heading: readonly string[]) {
  const others = heading.flatMap((name, at) => (columnOf(name) === 'written' ? [] : [{ at, named: name.trim() }]));
  const isHeading = others.length > 0 && others.length === heading.length - 1;
  return isHeading && others.every(({ named }) => isLanguage(named)) ? others : null;
}

type Columns = Readonly<Partial<Record<Column, string>>>;

const isLanguage = (text: string): boolean => speechLanguages.some((one) => one === text.toLowerCase());

function columnsOf(
  row: readonly string[],
  names: readonly (Column | undefined)[] | null,
  usual: SpeechLanguage,
): Columns {
  const fields = row.map((field) => field.trim());
  const [written = '', spoken = '', third = ''] = fields;
  if (names === null && isLanguage(third) && !isLanguage(written)) return { language: third, written, spoken };
  // A separator at the end of a line is no third column, but after a language it is a reading that is missing.
  const isPair = names === null && fields.slice(2).every((field) => field === '');
  const lacksReading = spoken === '' || isLanguage(written);
  if (isPair && (!lacksReading || fields.length < 3)) return { language: usual, written, spoken };
  return Object.fromEntries(header.map((name, at) => [name, fields[names === null ? at : names.indexOf(name)] ?? '']));
}

function readRow(columns: Columns, usual: SpeechLanguage): ListedWord | SkippedBecause {
  const {
    written = '',
    spoken = '',
    matchCase,
    applies,
    named,
  } = {
    ...columns,
    matchCase: columns.case?.toLowerCase() === 'yes',
    applies: columns.applies?.toLowerCase() ?? '',
    named: columns.language?.toLowerCase() ?? '',
  };
  const language = speechLanguages.find((one) => one === named) ?? null;
  const isOfText = named === 'text' || applies === 'text';
  if (language === null && !isOfText && named !== '') return 'columns';
  if (written === '' || spoken === '') return 'reading';
  if (written.length > longestWritten || spoken.length > longestSpoken) return 'long';
  return { language: isOfText ? null : (language ?? usual), written, spoken, matchCase };
}

/** `texts`: words by the language they are read in; entries are not read in sentences of another language. */
export function countUses(
  texts: Readonly<Partial<Record<SpeechLanguage, string>>>,
  word: ListedWord,
): { readonly here: number; readonly elsewhere: number; readonly readAs: SpeechLanguage | null } {
  const counts = speechLanguages.map((language) => ({ language, count: countWritten(texts[language] ?? '', word) }));
  const [applies, rest] = [true, false].map((isRead) =>
    counts.filter(
      ({ language, count }) => count > 0 && (word.language === null || word.language === language) === isRead,
    ),
  );
  const sum = (some: typeof counts = []) => some.reduce((all, { count }) => all + count, 0);
  return { here: sum(applies), elsewhere: sum(rest), readAs: rest?.[0]?.language ?? null };
}
