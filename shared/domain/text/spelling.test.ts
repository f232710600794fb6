import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { joinSpellings, readSpelling, wordsToSpell } from './spelling.ts';

const rules = `SET UTF-8
TRY esianrtolcdug'
NOSUGGEST !
ONLYINCOMPOUND c
REP 1
REP f ph
PFX U Y 1
PFX U 0 un .
SFX S Y 2
SFX S y ies [^aeiou]y
SFX S 0 s [^y]
SFX D N 1
SFX D 0 ed .
`;
const small = readSpelling(rules, '7\nhappy/US\nphone/S\nlock/UDS\nParis\ndamn/!\nth/c\nво-первых\n');
const dictionary = (name: string) => {
  const file = (extension: string) =>
    readFileSync(new URL(`../../../node_modules/dictionary-${name}/index.${extension}`, import.meta.url), 'utf8');
  return readSpelling(file('aff'), file('dic'));
};
const wordsOf = (text: string, language: 'ru' | 'en') => wordsToSpell(text, language).map(({ word }) => word);

describe('a dictionary', () => {
  it('knows stems, and forms by its affixes where they may stand together', () => {
    for (const word of ['happy', 'happies', 'unhappy', 'unhappies', 'phones', 'unlocks', 'locked', 'Happy', 'PHONES'])
      expect([word, small.isKnown(word)]).toEqual([word, true]);
    for (const word of ['happys', 'phoned', 'unphone', 'unlocked', 'th', 's', 'un'])
      expect([word, small.isKnown(word)]).toEqual([word, false]);
  });
});

describe('the shipped dictionaries', () => {
  it('know Russian, with ё and е', () => {
    const russian = dictionary('ru');
    const text = 'Приехавшими, наилучшего; ёлка и елка, кто-нибудь по-моему разговаривали в Самарканде';
    expect(wordsOf(text, 'ru').filter((word) => !russian.isKnown(word))).toEqual([]);
    expect([russian.isKnown('превет'), russian.suggest('превет')]).toEqual([false, expect.arrayContaining(['привет'])]);
  });

  it('know English of both sides of the ocean', () => {
    const english = joinSpellings([dictionary('en'), dictionary('en-gb')]);
    const text = 'We’ve organised, organized, coloured and colored the team’s well-known timestamps; o’clock';
    expect(wordsOf(text, 'en').filter((word) => !english.isKnown(word))).toEqual([]);
    expect(english.suggest('Tashkant')).toEqual(['Tashkent']);
  });
});
