import type { SpeechLanguage } from '../languages.ts';
import { apostrophes } from '../text/uzbek-letters.ts';

/** A word that is looked for in all its forms: its beginning, what may follow, and how it is written. */
interface Inflected {
  readonly stem: string;
  /** A regular expression without groups; it matches the empty text where the bare stem is a form. */
  readonly endings: string;
  readonly write: (ending: string) => string;
}

/** Plural, possessor and case, in this order; what ends in -dagi or -niki takes them once more. */
const uzbekCase =
  '(?:lar)?(?:imiz|ingiz|lari|miz|ngiz|im|ing|m|ng|si|i)?(?:ning|niki|ni|ga|ka|qa|gacha|kacha|qacha|dan|da|dek|day|cha)?';
const uzbekParticle = '(?:mi|ku|chi|man|san|siz|miz|dir|lar)?';
const uzbekEndings = `[${apostrophes}]?(?:${uzbekCase}|(?:lar)?(?:imiz|ingiz|miz|ngiz|im|ing|i)?(?:dagi|niki)${uzbekCase})${uzbekParticle}`;

/** Of nouns and of surnames, by the last letter of the form that a dictionary has. */
const russianEndings: readonly (readonly [last: RegExp, endings: string])[] = [
  [/[бвгджзклмнпрстфхцчшщ]$/iu, 'ами|ам|ах|ыми|ым|ых|а|у|ом|ем|е|ы|и|ов|ей|'],
  [/ь$/iu, 'ями|ям|ях|я|ю|ем|ём|е|и|ью|ей|ь'],
  [/й$/iu, 'ями|ям|ях|я|ю|ем|ём|е|и|ев|й'],
  [/а$/iu, 'ами|ам|ах|ы|и|е|у|ой|ою|ей|а'],
  [/я$/iu, 'ями|ям|ях|и|е|ю|ей|ёй|ею|я'],
  [/о$/iu, 'ами|ам|ах|а|у|ом|е|о'],
  [/е$/iu, 'ями|ям|ях|я|ю|ем|и|е'],
];
const droppable = /[аяоейь]$/iu;
/** Shorter ones are too often the beginning of another word's form. */
const shortest = { uz: 3, ru: 4 } as const;

/** The forms of `say`, and `write` with the ending of each; null where the word has no known forms. */
export function inflected(say: string, write: string, language: SpeechLanguage | null): Inflected | null {
  if (language === 'uz' && say.length >= shortest.uz)
    return { stem: say, endings: uzbekEndings, write: (ending) => write + ending };
  if (language !== 'ru' || say.length < shortest.ru || !/\p{Script=Cyrillic}$/u.test(write)) return null;
  const endings = russianEndings.find(([last]) => last.test(say))?.[1];
  const isDropped = droppable.test(say);
  // A word of another shape has other endings, which nobody said.
  if (endings === undefined || isDropped !== droppable.test(write)) return null;
  const own = isDropped ? say.slice(-1).toLowerCase() : '';
  const bare = isDropped ? write.slice(0, -1) : write;
  return {
    stem: isDropped ? say.slice(0, -1) : say,
    endings: `(?:${endings})`,
    write: (ending) => (ending.toLowerCase() === own ? write : bare + ending),
  };
}
