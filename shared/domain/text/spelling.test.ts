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

  it('knows a name with its capital only', () => {
    expect([small.isKnown('Paris'), small.isKnown('PARIS'), small.isKnown('paris')]).toEqual([true, true, false]);
    expect(small.suggest('paris')).toEqual(['Paris']);
  });

  it('suggests what is one slip away in the case of the word, the likelier first, and what it may not offer never', () => {
    expect(small.suggest('fone')).toEqual(['phone']);
    expect(small.suggest('Hapyp')).toEqual(['Happy']);
    expect(small.suggest('lokc')).toEqual(['lock']);
    expect(small.suggest('happylock')).toEqual(['happy lock']);
    expect([small.isKnown('damn'), small.suggest('dman')]).toEqual([true, []]);
    expect(small.suggest('qqqqq')).toEqual([]);
  });

  it('suggests with the ё and the apostrophe of the written word', () => {
    const yo = readSpelling('TRY уеа\nSFX V Y 1\nSFX V ать ёт ать\n', 'ёлка\nелка\nклевать/V\nдо-нельзя\n');
    expect([yo.suggest('ёлкаа'), yo.suggest('елкаа'), yo.suggest('е\u0308лкаа')]).toEqual([
      ['ёлка'],
      ['елка'],
      ['ёлка'],
    ]);
    expect([yo.suggest('Клевёат'), yo.suggest('клевеат')]).toEqual([['Клевёт'], ['клевет']]);
    const english = readSpelling('TRY abc', "don't\n");
    expect([english.suggest('don’tt'), english.suggest("don'tt"), english.suggest('dont')]).toEqual([
      ['don’t'],
      ["don't"],
      [],
    ]);
  });

  it('is joined with another of its language', () => {
    const both = joinSpellings([small, readSpelling('TRY abc', 'colour\n')]);
    expect([both.isKnown('colour'), both.isKnown('lock'), both.isKnown('color')]).toEqual([true, true, false]);
  });
});

describe('the words of a text', () => {
  it('have their places and one apostrophe', () => {
    const text = 'Don’t say «well-known»…';
    expect(wordsToSpell(text, 'en').map(({ word, from, to }) => [word, text.slice(from, to)])).toEqual([
      ["Don't", 'Don’t'],
      ['say', 'say'],
      ['well-known', 'well-known'],
    ]);
    const russian = wordsToSpell('Ёлка Е\u0308лка и\u0306од', 'ru').map(({ word }) => word);
    expect(russian).toEqual(['Елка', 'Елка', 'йод']);
  });

  it('are those of the alphabet, without abbreviations, numbers and addresses', () => {
    expect(wordsOf('Мы в IT-отделе, ООН, 5й ivan@почта.рф, сайт.уз/путь?', 'ru')).toEqual(['Мы', 'в']);
    expect(wordsOf('See example.com/path and слово, 3rd, NATO: a', 'en')).toEqual(['See', 'and', 'a']);
  });
});

describe('the shipped dictionaries', () => {
  it('know Russian, with ё and е', () => {
    const russian = dictionary('ru');
    const text = 'Приехавшими, наилучшего; ёлка и елка, кто-нибудь по-моему разговаривали в Самарканде';
    expect(wordsOf(text, 'ru').filter((word) => !russian.isKnown(word))).toEqual([]);
    for (const [wrong, right] of [
      ['превет', 'привет'],
      ['незнаю', 'не знаю'],
      ['здравствуте', 'здравствуйте'],
    ] as const)
      expect([russian.isKnown(wrong), russian.suggest(wrong)]).toEqual([false, expect.arrayContaining([right])]);
  });

  it('know English of both sides of the ocean', () => {
    const english = joinSpellings([dictionary('en'), dictionary('en-gb')]);
    const text = 'We’ve organised, organized, coloured and colored the team’s well-known timestamps; o’clock';
    expect(wordsOf(text, 'en').filter((word) => !english.isKnown(word))).toEqual([]);
    expect(english.suggest('recieve')).toContain('receive');
    expect(english.suggest('mispeled')[0]).toBe('misspelled');
    expect(english.suggest('neccesary')).toEqual(['necessary']);
    expect(english.suggest('Tashkant')).toEqual(['Tashkent']);
  });
});
