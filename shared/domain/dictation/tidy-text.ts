import type { SpeechLanguage } from '../languages.ts';
import { capital } from '../text/fold-text.ts';
import { apostrophes, withUzbekApostrophes } from '../text/uzbek-letters.ts';

interface Token {
  readonly lead: string;
  readonly core: string;
  readonly trail: string;
}

/** Sounds of hesitation, in small letters and without hyphens. Names of letters such as "эм" and "em" are not among them. */
const hesitations: Readonly<Record<SpeechLanguage, RegExp>> = {
  uz: /^(?:e{2,}m*|em{2,}|a{3,}m*|m{2,}|h+m+|xm+|э{2,}м*|эм{2,}|м{2,}|ҳм+|хм+)$/u,
  ru: /^(?:э{2,}м*|эм{2,}|а{3,}м*|м{2,}|гм+|хм+)$/u,
  en: /^(?:u+h+m*|u+m+|e+r+m*|h+m+|m{2,}|a{3,}h*)$/u,
};

/** One letter, a hesitation only with a pause after it: "э, ты идёшь?", but "буква э". */
const shortHesitations: Readonly<Record<SpeechLanguage, readonly string[]>> = { uz: ['e', 'э'], ru: ['э'], en: [] };

const inWords = (list: string) => list.split(', ').map((aside) => aside.split(' '));
/** Words that mean nothing when pauses stand on both sides of them: "I was, you know, there". Longer ones come first. */
const asides: Readonly<Record<SpeechLanguage, readonly (readonly string[])[]>> = {
  uz: inWords('nima desam ekan, nima desam, нима десам, haligi, anaqa, anaqangi, ҳалиги, анақа'),
  ru: inWords('как бы, это самое, так сказать, типа, ну, вот, короче, знаете, знаешь, понимаете, понимаешь'),
  en: inWords('you know, i mean, sort of, kind of, like'),
};

/** Doubled only by stumbling; others may be doubled on purpose ("tez tez", "очень очень", "had had"). */
const smallWords: Readonly<Record<SpeechLanguage, ReadonlySet<string>>> = {
  uz: new Set(
    'men sen biz siz va lekin ammo agar chunki uchun bilan ham bu u мен сен биз сиз ва лекин агар чунки бу у'.split(
      ' ',
    ),
  ),
  ru: new Set(
    'я ты мы вы он она они и а но в на с к по за от до из у о для если чтобы это мне мой его её их'.split(' '),
  ),
  en: new Set(
    'the a an to of in on at and but or i we you he she they is was are my your this for with if as'.split(' '),
  ),
};

const sentenceEnd = /[.!?…]$/u;
const pause = /^[,.!?…]*$/u;
const readToken = (word: string): Token => {
  const [, lead = '', core = '', trail = ''] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u.exec(word) ?? [];
  return { lead, core, trail: core === '' ? '' : trail };
};
const writeToken = ({ lead, core, trail }: Token): string => lead + core + trail;
const low = ({ core }: Token): string => core.toLowerCase();
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);
const withCapital = (token: Token): Token =>
  // A name such as iPhone has its own capitals.
  /^\p{Ll}[^\p{Lu}\p{N}]*$/u.test(token.core) ? { ...token, core: capital(token.core) } : token;

/** How many words from here on say nothing; 0: this one says something. */
function fillerAt(tokens: readonly Token[], at: number, before: Token | undefined, language: SpeechLanguage): number {
  const token = tokens[at];
  if (token === undefined || token.lead !== '' || !pause.test(token.trail)) return 0;
  const isCapitals = token.core.length > 1 && token.core === token.core.toUpperCase();
  const word = low(token).replaceAll('-', '');
  const isUnit = /\d/u.test(before?.core ?? '') && word.length === 2;
  if (!isCapitals && !isUnit && hesitations[language].test(word)) return 1;
  const isSetOff = before === undefined || /[,.!?…]$/u.test(before.trail);
  if (isSetOff && token.trail !== '' && shortHesitations[language].includes(word)) return 1;
  for (const words of asides[language]) {
    const some = tokens.slice(at, at + words.length);
    const isSame = some.length === words.length && words.every((one, index) => low(some[index]!) === one);
    const areInner =
      some.slice(0, -1).every(({ trail }) => trail === '') && some.slice(1).every(({ lead }) => lead === '');
    if (isSetOff && isSame && areInner && /^[,.!?…]+$/u.test(some.at(-1)?.trail ?? '')) return words.length;
  }
  return 0;
}

function withoutFillers(tokens: readonly Token[], language: SpeechLanguage): readonly Token[] {
  const kept: Token[] = [];
  let takesCapital = false;
  for (let at = 0; at < tokens.length;) {
    const before = kept.at(-1);
    const count = fillerAt(tokens, at, before, language);
    if (count === 0) {
      const token = tokens[at]!;
      kept.push(takesCapital ? withCapital(token) : token);
      takesCapital = false;
      at += 1;
      continue;
    }
    const { trail } = tokens[at + count - 1]!;
    const beginsSentence = before === undefined || sentenceEnd.test(before.trail);
    if (beginsSentence) takesCapital ||= isCapital(tokens[at]!.core);
    else if (sentenceEnd.test(trail) && trail !== '…') kept[kept.length - 1] = { ...before, trail };
    else if (trail === ',') {
      // Two commas around it belonged to it; one alone parts what is before from what follows.
      const isSmall = smallWords[language].has(low(before));
      kept[kept.length - 1] = {
        ...before,
        trail: before.trail === '' && !isSmall ? ',' : before.trail.replace(/,$/u, ''),
      };
    }
    at += count;
  }
  return kept;
}

const longestRestart = 6;
const shortestRestart = 3;

function withoutRestarts(tokens: readonly Token[], language: SpeechLanguage): readonly Token[] {
  const isBroken = ({ trail }: Token): boolean => /^(?:,|…|-|—|\.\.\.)?$/u.test(trail);
  const isTwice = (all: readonly Token[], at: number, length: number): boolean => {
    const [first, second] = [all.slice(at, at + length), all.slice(at + length, at + 2 * length)];
    return (
      second.length === length &&
      first.every((token, index) => token.core !== '' && low(token) === low(second[index]!)) &&
      first.every(({ core }) => !/\d/u.test(core)) &&
      isBroken(first.at(-1)!) &&
      [...first.slice(1), ...second].every(({ lead }) => lead === '') &&
      first.slice(0, -1).every(({ trail }) => trail === '') &&
      first.some((token) => smallWords[language].has(low(token)))
    );
  };
  let kept = tokens;
  for (
    let length = longestRestart;
    length > 0;
    length = length > shortestRestart ? length - 1 : length === shortestRestart ? 1 : 0
  )
    for (let at = 0; at + 2 * length <= kept.length;) {
      if (!isTwice(kept, at, length)) {
        at += 1;
        continue;
      }
      const next = kept[at + length]!;
      const begun = { ...next, lead: kept[at]!.lead, core: kept[at]!.core };
      kept = [...kept.slice(0, at), begun, ...kept.slice(at + length + 1)];
    }
  return kept;
}

/** A full stop after a short word is often that of an abbreviation: "т.е.", "v.h.", "Mr.". */
const endsSentence = ({ core, trail }: Token): boolean =>
  /[!?]["”»)]*$/u.test(trail) || (/^\.["”»)]*$/u.test(trail) && core.length > 3 && !core.includes('.'));

const letters: Readonly<Record<SpeechLanguage, (line: string) => string>> = {
  uz: (line) =>
    line.replaceAll(new RegExp(`\\p{L}+(?:[${apostrophes}]\\p{L}*)+`, 'gu'), (word) => withUzbekApostrophes(word)),
  ru: (line) => line,
  en: (line) => line.replaceAll(/(?<![\p{L}\p{N}.’'-])i(?=$|[\s,!?;:]|['’](?:m|ll|ve|d)\b)/gu, 'I'),
};

/** Spaces and signs as they are printed. Signs inside of numbers and addresses stay. */
const withSigns = (line: string, language: SpeechLanguage): string =>
  letters[language](
    line
      .replaceAll(/[^\S\n]+([,.!?;:…]+)(?=\s|$)/gu, '$1')
      .replaceAll(/\.{3,}/gu, '…')
      .replaceAll(/,(?:\s*,)+/gu, ',')
      .replaceAll(/,\s*(?=[.!?…])/gu, '')
      .replaceAll(/(?<=(?:^|\s)[\p{L}-]+)([,;])(?=[\p{L}-]+(?:[\s,.!?;:…]|$))/gu, '$1 ')
      .replaceAll(/(?<=\p{L}[,.!?]?) (?:-|–|--) (?=\p{L})/gu, ' — ')
      .replace(/^[\s,;]+/u, '')
      .trimEnd(),
  );

/** Changes only what can't change the meaning. `begins`: nothing unfinished stands before the text. */
export function tidyText(text: string, language: SpeechLanguage, begins = true): string {
  const lines = text.split('\n').map((line, index) => {
    const tokens = withSigns(line, language)
      .split(/[^\S\n]+/u)
      .filter((word) => word !== '')
      .map(readToken);
    const kept = withoutRestarts(withoutFillers(tokens, language), language);
    const signed = withSigns(kept.map(writeToken).join(' '), language).split(' ').map(readToken);
    return signed
      .map((token, at) => {
        const before = signed[at - 1];
        const isBeginning = before === undefined ? index > 0 || begins : endsSentence(before);
        return writeToken(isBeginning ? withCapital(token) : token);
      })
      .join(' ');
  });
  const tidied = lines.join('\n');
  return /[\p{L}\p{N}]/u.test(tidied) || !/[\p{L}\p{N}]/u.test(text) ? tidied : text;
}
