import type { SpeechLanguage } from '../../shared/domain/languages.ts';

/** What a network writes: its tokens in the order of its classes, with a space for `▁`, and the class that means none. */
export interface Vocabulary {
  readonly tokens: readonly string[];
  readonly blank: number;
}

/** Reads lines of a token and its class, from 0 without a gap, one of them `<blk>`; null when they are something else. */
export function readVocabulary(text: string): Vocabulary | null {
  const tokens: string[] = [];
  let blank: number | null = null;
  for (const line of text.split(/\r?\n/u).filter((one) => one.trim() !== '')) {
    const [, token = '', at] = /^(.+?)[ \t]+(\d{1,5})$/u.exec(line) ?? [];
    if (token === '' || Number(at) !== tokens.length) return null;
    if (token === '<blk>') blank = tokens.length;
    tokens.push(token === '<blk>' ? '' : token.replaceAll('▁', ' '));
  }
  return blank === null || tokens.length < 2 ? null : { tokens, blank };
}

const written: Readonly<Record<SpeechLanguage, RegExp>> = {
  uz: /^[a-z' ]$/u,
  en: /^[a-z' ]$/u,
  ru: /^[а-яё ]$/u,
};

/**
 * Which classes may be heard in a language. Only a network that writes single letters of several alphabets is held to
 * those of the language; one that writes pieces of words was made for one.
 */
export function allowedClasses({ tokens, blank }: Vocabulary, language: SpeechLanguage): Uint8Array {
  const isOfLetters = tokens.every((token) => token.length <= 1 || token.startsWith('<'));
  return Uint8Array.from(tokens, (token, at) =>
    at === blank || (isOfLetters ? written[language].test(token) : !token.startsWith('<')) ? 1 : 0,
  );
}
