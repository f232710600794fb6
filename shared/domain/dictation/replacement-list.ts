import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { readCsv, writeCsv } from '../text/csv.ts';
import { apostrophes } from '../text/uzbek-letters.ts';
import { inflected } from './word-endings.ts';

export interface Replacement {
  readonly language: SpeechLanguage | null;
  readonly say: string;
  readonly write: string;
  /** `word`: between word boundaries; `part`: anywhere; `pattern`: `say` is a regular expression. */
  readonly kind: 'word' | 'part' | 'pattern';
  readonly isCaseSensitive: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly used: readonly string[];
}

const longestSay = 200;
const kinds = ['word', 'part', 'pattern'] as const;
const special = /[\\^$.*+?()[\]{}|/-]/g;
const letterOrDigit = String.raw`[\p{L}\p{N}${apostrophes}]`;

/** Finds the ending of a word's form as the group `ending`; null for an invalid or empty pattern. */
export function patternOf(
  { say, write, kind, isCaseSensitive, language }: Replacement,
  spoken: SpeechLanguage | null = language,
): RegExp | null {
  const said = say.trim();
  if (said === '' || said.length > longestSay) return null;
  const flags = isCaseSensitive ? 'gu' : 'giu';
  if (kind === 'pattern') {
    try {
      const pattern = new RegExp(said, flags);
      // A pattern that matches the empty text would match everywhere.
      return pattern.test('') ? null : new RegExp(said, flags);
    } catch {
      return null;
    }
  }
  const form = kind === 'word' ? inflected(said, write, spoken) : null;
  // Each apostrophe matches all of them, and any amount of space matches one space.
  const source = (form?.stem ?? said)
    .replaceAll(special, String.raw`\$&`)
    .replaceAll(new RegExp(`[${apostrophes}]`, 'g'), `[${apostrophes}]`)
    .replaceAll(/\s+/g, String.raw`\s+`);
  if (kind === 'part') return new RegExp(source, flags);
  const ending = form === null ? '' : `(?<ending>${form.endings})`;
  return new RegExp(`(?<!${letterOrDigit})${source}${ending}(?!${letterOrDigit})`, flags);
}

export function replaceSaid(text: string, language: SpeechLanguage, replacements: readonly Replacement[]): Replaced {
  const used: string[] = [];
  let pieces: readonly { readonly text: string; readonly isDone: boolean }[] = [{ text, isDone: false }];
  const ours = replacements
    .filter((one) => one.language === null || one.language === language)
    .toSorted((a, b) => b.say.length - a.say.length);
  for (const one of ours) {
    const pattern = patternOf(one, language);
    if (pattern === null) continue;
    const form = one.kind === 'word' ? inflected(one.say.trim(), one.write, language) : null;
    pieces = pieces.flatMap((piece) => {
      if (piece.isDone) return [piece];
      const parts: { text: string; isDone: boolean }[] = [];
      let at = 0;
      for (const match of piece.text.matchAll(pattern)) {
        if (match[0] === '') continue;
        const written =
          one.kind === 'pattern'
            ? withGroups(one.write, match)
            : (form?.write(match.groups?.['ending'] ?? '') ?? one.write);
        parts.push({ text: piece.text.slice(at, match.index), isDone: false }, { text: written, isDone: true });
        at = match.index + match[0].length;
        if (!used.includes(one.write)) used.push(one.write);
      }
      return [...parts, { text: piece.text.slice(at), isDone: false }];
    });
  }
  return { text: pieces.map((piece) => piece.text).join(''), used };
}

const withGroups = (write: string, match: RegExpMatchArray): string =>
  write.replaceAll(/\$(\d)/g, (_all, group: string) => match[Number(group)] ?? '');

const longestCorrection = 4;

export function correctionOf(before: string, after: string): Pick<Replacement, 'say' | 'write'> | null {
  const [from, to] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const [was, is] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  if (was.length === 0 || is.length === 0 || was.length > longestCorrection || is.length > longestCorrection)
    return null;
  return { say: was.join(' '), write: is.join(' ') };
}

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .map((word) => word.replaceAll(/^\p{P}+|\p{P}+$/gu, ''))
    .filter((word) => word !== '');

const header = ['language', 'say', 'write', 'kind', 'case'];
const sayNames = 'say|said|spoken|word|произносится|говорится|сказано|слово|aytiladi|aytilishi|aytilgan|soʻz'.split(
  '|',
);
const writeNames = 'write|written|replacement|пишется|писать|написание|замена|yoziladi|yozilishi|yozilgan'.split('|');

const isHeading = (row: readonly string[]): boolean => {
  const names = row.map((field) =>
    field
      .trim()
      .toLowerCase()
      .replaceAll(/[‘’'`ʼ]/gu, 'ʻ'),
  );
  return names.some((name) => sayNames.includes(name)) && names.some((name) => writeNames.includes(name));
};

export const toCsv = (replacements: readonly Replacement[]): string =>
  writeCsv([
    header,
    ...replacements.map((one) => [
      one.language ?? '',
      one.say,
      one.write,
      one.kind,
      one.isCaseSensitive ? 'yes' : 'no',
    ]),
  ]);

export interface MergeReport {
  readonly replacements: readonly Replacement[];
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  /** Rows without a valid replacement, by their number in the file, the header being 1. */
  readonly unreadable: readonly number[];
}

const keyOf = (one: Replacement): string => `${one.language ?? ''}\n${one.say.trim().toLowerCase()}`;

/** The same spoken phrase is the same replacement, and the file wins. */
export function mergeCsv(present: readonly Replacement[], csv: string): MergeReport {
  const merged = new Map(present.map((one) => [keyOf(one), one]));
  const unreadable: number[] = [];
  const count = { added: 0, changed: 0, same: 0 };
  for (const [at, row] of readCsv(csv).entries()) {
    if (at === 0 && isHeading(row)) continue;
    const one = readRow(row);
    if (one === null || patternOf(one) === null) {
      unreadable.push(at + 1);
      continue;
    }
    const before = merged.get(keyOf(one));
    if (before === undefined) count.added += 1;
    else if (JSON.stringify(before) === JSON.stringify(one)) count.same += 1;
    else count.changed += 1;
    merged.set(keyOf(one), one);
  }
  return { replacements: [...merged.values()], ...count, unreadable };
}

/** `now` without the change from `before` to `after`; what was added, changed or removed since stays so. */
export function withoutChange(
  now: readonly Replacement[],
  { before, after }: { readonly before: readonly Replacement[]; readonly after: readonly Replacement[] },
): readonly Replacement[] {
  // Main's answers are other objects with the same content.
  const textOf = (one: Replacement) =>
    JSON.stringify([one.language, one.say, one.write, one.kind, one.isCaseSensitive]);
  const was = new Set(before.map(textOf));
  const became = new Set(after.map(textOf));
  const is = new Set(now.map(textOf));
  const since = now.filter((one) => !was.has(textOf(one)) && !became.has(textOf(one)));
  const changedSince = new Set(since.map(keyOf));
  const isKept = (one: Replacement) =>
    is.has(textOf(one)) || (!became.has(textOf(one)) && !changedSince.has(keyOf(one)));
  return [...before.filter(isKept), ...since];
}

function readRow(row: readonly string[]): Replacement | null {
  // Two columns are enough: the spoken and the written form.
  const [language, say, write, kind, caseWord] = row.length === 2 ? ['', ...row] : row;
  if (say === undefined || write === undefined) return null;
  const known = speechLanguages.find((one) => one === language?.trim().toLowerCase());
  if (known === undefined && language?.trim() !== '') return null;
  return {
    language: known ?? null,
    say: say.trim(),
    write,
    kind: kinds.find((one) => one === kind?.trim().toLowerCase()) ?? 'word',
    isCaseSensitive: caseWord?.trim().toLowerCase() === 'yes',
  };
}
