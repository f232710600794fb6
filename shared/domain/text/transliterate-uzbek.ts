import { findCyrillicLoanword, findLatinLoanword, isNounEnding } from './uzbek-loanwords.ts';
import {
  apostrophes,
  closingQuotes,
  cyrillicLetters,
  isCyrillicVowel,
  isLatinVowel,
  isUpper,
  latinLetters,
  withUzbekApostrophes,
} from './uzbek-letters.ts';

const names = [
  'Ovoz Studio',
  ...'SubRip WebVTT WebM WebP Windows Linux macOS Electron Chromium Chrome Wi-Fi API ASS CSV DNS DOCX FLAC'.split(' '),
  ...'GIF HTML HTTP HTTPS ID IP JPEG JSON LRC OGG PDF PNG SHA SRT SSL TLS TTML TXT URL USB UTF VPN VTT WAV XML ZIP'.split(
    ' ',
  ),
];
/** Keys of the keyboard. They take no suffix: "Endi" is a word, not the key End. */
const keys = ['Alt', 'Backspace', 'Cmd', 'Ctrl', 'Delete', 'End', 'Enter', 'Esc', 'Home', 'Shift', 'Tab'];

const anyOf = (list: readonly string[]) => list.toSorted((a, b) => b.length - a.length).join('|');

/** Created on first use: readers of Latin never need it. */
let made: RegExp | null = null;
const kept = (): RegExp =>
  (made ??= new RegExp(
    [
      String.raw`\{\{[^}]*\}\}`,
      String.raw`[a-z][a-z0-9+.-]*://\S+`,
      String.raw`www\.\S+`,
      String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
      String.raw`[\p{L}\p{N}_-]*\.(?:mp3|wav|m4a|ogg|webm|flac|srt|vtt|txt|json|docx|csv|zip|log)(?![\p{L}\p{N}])`,
      String.raw`--[a-z][a-z0-9-]*`,
      String.raw`[A-Za-z0-9]*_[A-Za-z0-9_]*`,
      String.raw`(?<![\p{L}\p{N}])[A-Za-z]+[0-9][A-Z0-9]*`,
      String.raw`(?<![\p{L}\p{N}])(?:${anyOf(keys)})(?![\p{L}\p{N}])`,
      String.raw`(?<![\p{L}\p{N}])(?:${anyOf(names)})(?<ending>\p{Ll}*)(?![\p{L}\p{N}])`,
    ].join('|'),
    'gu',
  ));

/** Placeholders, addresses, file names, options, keys and product names stay; their Uzbek suffix is changed. */
function changeOutsideOfKept(text: string, change: (part: string) => string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(kept())) {
    const ending = match.groups?.['ending'] ?? '';
    if (/^[a-z]+$/.test(ending) && !isNounEnding(ending)) continue;
    const keptEnd = match.index + match[0].length - ending.length;
    result += change(text.slice(end, match.index)) + text.slice(match.index, keptEnd);
    end = keptEnd;
  }
  return result + change(text.slice(end));
}

/** Letters with apostrophes between them; one after the last letter belongs to it only after o and g. */
const words = new RegExp(
  String.raw`\p{L}\p{M}*(?:[${apostrophes}]?\p{L}\p{M}*)*(?:(?<=[oOgG])[${apostrophes}])?`,
  'gu',
);
/** Letters that Uzbek Latin does not have: w, c without h, and letters of other alphabets. */
const foreign = /w|c(?!h)|[^a-zʻʼ]/i;

function inCaseOf(stem: string, original: string): string {
  if (original.length > 1 && original === original.toUpperCase()) return stem.toUpperCase();
  return isUpper(original[0] ?? '') ? (stem[0] ?? '').toUpperCase() + stem.slice(1) : stem;
}

interface Step {
  readonly letters: string;
  readonly taken: number;
}

const prefixesWithHardSign = new Set(['ob', 'sub', 'ad', 'kon', 'in']);

function nextCyrillic(low: string, at: number): Step {
  const before = low[at - 1] ?? '';
  const isOpen = before === '' || before === 'ʼ' || isLatinVowel(before);
  const rest = low.slice(at);
  if (rest.startsWith('ye')) {
    if (isOpen) return { letters: 'е', taken: 2 };
    return { letters: prefixesWithHardSign.has(low.slice(0, at)) ? 'ъе' : 'ье', taken: 2 };
  }
  if (rest.startsWith('e')) return { letters: isOpen ? 'э' : 'е', taken: 1 };
  // The apostrophe keeps s and h apart: Isʼhoq is not Ишоқ.
  if (rest.startsWith('ʼ'))
    return before === 's' && low[at + 1] === 'h' ? { letters: '', taken: 1 } : { letters: 'ъ', taken: 1 };
  // -tsiya, -ksiya and similar endings come from Russian -ция; elsewhere t and s meet by chance (ketsa).
  if (/^tsi(?:ya|on)/.test(rest) && isLatinVowel(before)) return { letters: 'ц', taken: 2 };
  if (/^si(?:ya|on)/.test(rest) && /[knp]/.test(before)) return { letters: 'ц', taken: 1 };
  // yoʻ is й with ў; yo is one letter.
  const found = latinLetters.find(([latin]) => rest.startsWith(latin) && !(latin === 'yo' && rest[2] === 'ʻ'));
  return { letters: found?.[1] ?? rest[0] ?? '', taken: found?.[0].length ?? 1 };
}

function wordToCyrillic(original: string): string {
  const word = withUzbekApostrophes(original);
  if (foreign.test(word)) return original;
  const low = word.toLowerCase();
  const loanword = findLatinLoanword(low);
  let result = loanword === null ? '' : inCaseOf(loanword.stem, word.slice(0, loanword.length));
  for (let at = loanword?.length ?? 0; at < word.length;) {
    const { letters, taken } = nextCyrillic(low, at);
    const source = word[at] ?? '';
    const isLoud =
      source === 'ʼ' ? isUpper(word[at - 1] ?? '') && isUpper(word[at + 1] ?? word[at - 1] ?? '') : isUpper(source);
    result += isLoud ? letters.toUpperCase() : letters;
    at += taken;
  }
  return result;
}

function latinOf(low: string, at: number): string {
  const letter = low[at] ?? '';
  const before = low[at - 1] ?? '';
  const after = low[at + 1] ?? '';
  const isOpen = before === '' || isCyrillicVowel(before) || before === 'ъ' || before === 'ь';
  switch (letter) {
    case 'е':
      return isOpen ? 'ye' : 'e';
    case 'ц':
      return before !== '' && isCyrillicVowel(before) ? 'ts' : 's';
    case 'ъ':
      // объект is obyekt, меъёр is meʼyor.
      return /[еёюя]/.test(after) && !isCyrillicVowel(before) ? '' : 'ʼ';
    case 'ь':
      return after === 'о' ? 'y' : '';
    case 'ҳ':
      return before === 'с' ? 'ʼh' : 'h';
    default:
      return cyrillicLetters.get(letter) ?? letter;
  }
}

function spellInLatin(word: string, from = 0): string {
  const low = word.toLowerCase();
  let result = '';
  for (let at = from; at < word.length; at += 1) {
    const source = word[at] ?? '';
    const letters = latinOf(low, at);
    if (!isUpper(source)) result += letters;
    else if (isUpper(word[at + 1] ?? (at > 0 ? (word[at - 1] ?? '') : ''))) result += letters.toUpperCase();
    else result += letters.slice(0, 1).toUpperCase() + letters.slice(1);
  }
  return result;
}

function wordToLatin(word: string): string {
  if (!/\p{Script=Cyrillic}/u.test(word)) return word;
  const loanword = findCyrillicLoanword(word.toLowerCase(), (ending) => spellInLatin(ending));
  if (loanword === null) return spellInLatin(word);
  return inCaseOf(loanword.stem, word.slice(0, loanword.length)) + spellInLatin(word, loanword.length);
}

/** Accepts every apostrophe. Words with foreign letters, placeholders, addresses and names stay unchanged. */
export const toUzbekCyrillic = (text: string): string =>
  changeOutsideOfKept(text, (part) => {
    const quotes = closingQuotes(part);
    return part.replace(words, (word, at: number) =>
      quotes.has(at + word.length - 1) ? wordToCyrillic(word.slice(0, -1)) + word.slice(-1) : wordToCyrillic(word),
    );
  });

/** Uzbek text in Latin letters, with oʻ gʻ (U+02BB) and ʼ (U+02BC). Latin text stays unchanged. */
export const toUzbekLatin = (text: string): string =>
  changeOutsideOfKept(text, (part) => part.replace(words, wordToLatin));
