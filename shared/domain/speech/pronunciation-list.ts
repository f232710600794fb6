import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { readCsv, writeCsv } from '../text/csv.ts';
import type { Pronunciation } from './find-readings.ts';

/** An entry and its scope: one language everywhere, or (null) one text in any language. */
export interface ListedWord extends Pronunciation {
  readonly language: SpeechLanguage | null;
}

export interface ListReport {
  readonly words: readonly ListedWord[];
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  /** Lines without an entry, by their number in the file. */
  readonly unreadable: readonly number[];
}

const longestWritten = 200;
const longestSpoken = 500;
const header = ['language', 'written', 'spoken', 'case'];

const keyOf = ({ language, written, matchCase }: ListedWord): string =>
  JSON.stringify([language, matchCase ? written.trim() : written.trim().toLowerCase()]);

export const pronunciationsToCsv = (words: readonly ListedWord[]): string =>
  writeCsv([
    header,
    ...words.map(({ language, written, spoken, matchCase }) => [
      language ?? 'text',
      written,
      spoken,
      matchCase ? 'yes' : 'no',
    ]),
  ]);

/**
 * Merges a file into the list; the file wins. Columns are language, written, spoken and case; with two columns only,
 * written and spoken, the words are in `language`. Semicolons, which some spreadsheets write, are accepted.
 */
export function mergePronunciations(present: readonly ListedWord[], csv: string, language: SpeechLanguage): ListReport {
  const merged = new Map(present.map((one) => [keyOf(one), one]));
  const unreadable: number[] = [];
  const count = { added: 0, changed: 0, same: 0 };
  const [first = ''] = csv.split(/\r?\n/u, 1);
  const rows = readCsv(first.includes(';') && !first.includes(',') ? csv.replaceAll(';', ',') : csv);
  for (const [at, row] of rows.entries()) {
    if (at === 0 && row.some((field) => field.trim().toLowerCase() === 'written')) continue;
    const word = readRow(row, language);
    if (word === null) {
      unreadable.push(at + 1);
      continue;
    }
    const before = merged.get(keyOf(word));
    if (before === undefined) count.added += 1;
    else if (before.spoken === word.spoken && before.matchCase === word.matchCase) count.same += 1;
    else count.changed += 1;
    merged.set(keyOf(word), word);
  }
  return { words: [...merged.values()], ...count, unreadable };
}

function readRow(row: readonly string[], usual: SpeechLanguage): ListedWord | null {
  const fields = row.map((field) => field.trim());
  const [named = '', written = '', spoken = '', matchCase = ''] = fields.length < 3 ? [usual, ...fields] : fields;
  const isFit = written !== '' && spoken !== '' && written.length <= longestWritten && spoken.length <= longestSpoken;
  const language = speechLanguages.find((one) => one === named.toLowerCase()) ?? null;
  if (!isFit || (language === null && named.toLowerCase() !== 'text')) return null;
  return { language, written, spoken, matchCase: matchCase.toLowerCase() === 'yes' };
}
