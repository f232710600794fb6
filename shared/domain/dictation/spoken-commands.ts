import type { SpeechLanguage } from '../languages.ts';
import { capital, foldText } from '../text/fold-text.ts';
import { replaceSaid, type Replacement } from './replacement-list.ts';

/** `end`: attached to the word before; `begin`: attached to the word after; `apart`: between two spaces. */
type Sign = { readonly text: string; readonly stands: 'end' | 'begin' | 'apart' | 'line' };
export type CommandMeaning = Sign | 'scratch';

interface SpokenCommand {
  readonly say: readonly string[];
  readonly means: CommandMeaning;
  /** A neighbouring word that makes it an ordinary word: "the period of", "точка зрения". */
  readonly notAfter?: readonly string[];
  readonly notBefore?: readonly string[];
}

const end = (text: string): Sign => ({ text, stands: 'end' });
const newLine: Sign = { text: '\n', stands: 'line' };
const newParagraph: Sign = { text: '\n\n', stands: 'line' };
const dash: Sign = { text: '—', stands: 'apart' };

export const spokenCommands: Readonly<Record<SpeechLanguage, readonly SpokenCommand[]>> = {
  uz: [
    { say: ['nuqta'], means: end('.') },
    { say: ['vergul'], means: end(',') },
    { say: ['soʻroq belgisi'], means: end('?') },
    { say: ['undov belgisi'], means: end('!') },
    { say: ['ikki nuqta'], means: end(':') },
    { say: ['nuqtali vergul'], means: end(';') },
    { say: ['koʻp nuqta'], means: end('…') },
    { say: ['tire'], means: dash },
    { say: ['qavs och', 'qavs ochiladi'], means: { text: '(', stands: 'begin' } },
    { say: ['qavs yop', 'qavs yopiladi'], means: end(')') },
    { say: ['qoʻshtirnoq och', 'qoʻshtirnoq ochiladi'], means: { text: '“', stands: 'begin' } },
    { say: ['qoʻshtirnoq yop', 'qoʻshtirnoq yopiladi'], means: end('”') },
    { say: ['yangi qator'], means: newLine },
    { say: ['yangi xatboshi', 'yangi abzas'], means: newParagraph },
    { say: ['oʻchir', 'buni oʻchir'], means: 'scratch' },
  ],
  ru: [
    { say: ['точка'], means: end('.'), notBefore: ['зрения', 'отсчёта', 'опоры', 'кипения', 'невозврата'] },
    { say: ['запятая'], means: end(',') },
    { say: ['вопросительный знак', 'знак вопроса'], means: end('?') },
    { say: ['восклицательный знак'], means: end('!') },
    { say: ['двоеточие'], means: end(':') },
    { say: ['точка с запятой'], means: end(';') },
    { say: ['многоточие'], means: end('…') },
    { say: ['тире'], means: dash },
    { say: ['открыть скобку', 'скобка открывается'], means: { text: '(', stands: 'begin' } },
    { say: ['закрыть скобку', 'скобка закрывается'], means: end(')') },
    { say: ['открыть кавычки', 'кавычки открываются'], means: { text: '«', stands: 'begin' } },
    { say: ['закрыть кавычки', 'кавычки закрываются'], means: end('»') },
    { say: ['новая строка', 'с новой строки'], means: newLine },
    { say: ['новый абзац', 'с нового абзаца'], means: newParagraph },
    { say: ['удали это', 'сотри это', 'вычеркни это'], means: 'scratch' },
  ],
  en: [
    { say: ['full stop'], means: end('.') },
    {
      say: ['period'],
      means: end('.'),
      notAfter: ['a', 'the', 'this', 'that', 'each', 'every', 'one', 'any', 'trial', 'first', 'last', 'long', 'short'],
      notBefore: ['of', 'in', 'from', 'when', 'between'],
    },
    { say: ['comma'], means: end(','), notAfter: ['a', 'the', 'this'] },
    { say: ['question mark'], means: end('?'), notAfter: ['a', 'the'] },
    { say: ['exclamation mark', 'exclamation point'], means: end('!'), notAfter: ['an', 'the'] },
    { say: ['semicolon'], means: end(';'), notAfter: ['a', 'the'] },
    { say: ['colon'], means: end(':'), notAfter: ['a', 'the'] },
    { say: ['ellipsis'], means: end('…') },
    { say: ['dash'], means: dash, notAfter: ['a', 'the'] },
    { say: ['open bracket', 'open parenthesis'], means: { text: '(', stands: 'begin' } },
    { say: ['close bracket', 'close parenthesis'], means: end(')') },
    { say: ['open quote', 'open quotes'], means: { text: '“', stands: 'begin' } },
    { say: ['close quote', 'close quotes', 'unquote'], means: end('”') },
    { say: ['new line'], means: newLine, notAfter: ['a', 'the'] },
    { say: ['new paragraph'], means: newParagraph, notAfter: ['a', 'the'] },
    { say: ['scratch that', 'delete that'], means: 'scratch' },
  ],
};

/** Said before a command, it makes it ordinary words: "literally new line" writes "new line". */
export const literalWords: Readonly<Record<SpeechLanguage, readonly string[]>> = {
  uz: ['aynan'],
  ru: ['буквально'],
  en: ['literally', 'literal'],
};

export interface SpokenText {
  readonly text: string;
  readonly scratchesPrevious: boolean;
  /** How many of its first words it took back itself, the command among them. */
  readonly scratchedWords: number;
  readonly used: readonly string[];
}

export interface SpokenRules {
  readonly language: SpeechLanguage;
  readonly replacements: readonly Replacement[];
  readonly hasCommands: boolean;
}

interface Said {
  /** As recognised, with the punctuation that the recogniser put around it. */
  readonly written: string;
  readonly folded: string;
}

const fold = (word: string): string => foldText(word).text.replaceAll(/[^\p{L}\p{N}]/gu, '');
const foldAll = (words: string): readonly string[] => words.split(' ').map(fold);

const compiled = Object.fromEntries(
  Object.entries(spokenCommands).map(([language, commands]) => [
    language,
    commands
      .flatMap(({ say, means, notAfter = [], notBefore = [] }) =>
        say.map((words) => ({
          words: foldAll(words),
          means,
          notAfter: notAfter.map(fold),
          notBefore: notBefore.map(fold),
        })),
      )
      .toSorted((a, b) => b.words.length - a.words.length),
  ]),
);
const trailingSigns = /[\s.,;:!?…]+$/u;

export function writeSpoken(recognised: string, { language, replacements, hasCommands }: SpokenRules): SpokenText {
  const { text, used } = replaceSaid(recognised.trim(), language, replacements);
  if (!hasCommands) return { text, scratchesPrevious: false, scratchedWords: 0, used };
  return { ...obeyCommands(text, language), used };
}

function obeyCommands(text: string, language: SpeechLanguage): Omit<SpokenText, 'used'> {
  const said: readonly Said[] = text
    .split(/[^\S\n]+/u)
    .filter((word) => word !== '')
    .map((written) => ({ written, folded: fold(written) }));
  const literal = literalWords[language].map(fold);
  let out = '';
  let scratchesPrevious = false;
  let scratchedWords = 0;
  let isNextCapital = false;
  let isJoined = true;
  /** The last word was recognised and is no command, so its punctuation is the recogniser's. */
  let endsInWord = false;
  for (let at = 0; at < said.length; at += 1) {
    const word = said[at];
    if (word === undefined) break;
    const isLiteral = literal.includes(word.folded);
    const command = commandAt(said, isLiteral ? at + 1 : at, language);
    if (command === null || isLiteral) {
      const words = command === null ? [word] : said.slice(at + 1, at + 1 + command.length);
      for (const { written } of words) {
        out += (isJoined ? '' : ' ') + (isNextCapital ? capital(written) : written);
        isJoined = false;
        isNextCapital = false;
        endsInWord = true;
      }
      at += command === null ? 0 : command.length;
      continue;
    }
    at += command.length - 1;
    if (command.means === 'scratch') {
      if (out.trim() === '') scratchesPrevious = true;
      out = '';
      scratchedWords = at + 1;
      isJoined = true;
      endsInWord = false;
      continue;
    }
    const { text: sign, stands } = command.means;
    // The recogniser inserts punctuation where the speaker paused before the command; the spoken one replaces it.
    if (endsInWord) out = out.replace(stands === 'line' ? /,$/u : trailingSigns, '');
    endsInWord = false;
    out += (stands === 'apart' || (stands === 'begin' && out !== '' && !out.endsWith('\n')) ? ' ' : '') + sign;
    isJoined = stands === 'begin' || stands === 'line';
    isNextCapital = stands === 'line' || '.!?…'.includes(sign);
  }
  return { text: out, scratchesPrevious, scratchedWords };
}

function commandAt(
  said: readonly Said[],
  at: number,
  language: SpeechLanguage,
): { readonly means: CommandMeaning; readonly length: number } | null {
  for (const { words, means, notAfter, notBefore } of compiled[language] ?? []) {
    if (!words.every((word, index) => said[at + index]?.folded === word)) continue;
    if (notAfter.includes(said[at - 1]?.folded ?? '') || notBefore.includes(said[at + words.length]?.folded ?? ''))
      continue;
    return { means, length: words.length };
  }
  return null;
}

/** Appends a phrase: a space between words, none around line ends and before punctuation. */
export function joinPhrases(before: string, phrase: string): string {
  if (before === '' || phrase === '') return before + phrase;
  const needsSpace = !/[\s(«“]$/u.test(before) && !/^[\s.,;:!?…)»”]/u.test(phrase);
  return before + (needsSpace ? ' ' : '') + phrase;
}
