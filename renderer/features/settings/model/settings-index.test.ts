import { expect, it } from 'vitest';
import { catalogueOf } from '../../../../shared/i18n/uzbek-cyrillic.ts';
import { writtenLanguages, type InterfaceLanguage } from '../../../../shared/domain/languages.ts';
import { findSettings, settingsIndex, type SettingWords } from './settings-index.ts';

const wordsOf = (language: InterfaceLanguage) => (key: SettingWords) =>
  key
    .split('.')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], catalogueOf(language)) as string;
const namesFor = (language: InterfaceLanguage, query: string) =>
  findSettings(
    query,
    wordsOf(language),
    writtenLanguages.filter((other) => other !== language).map((other) => wordsOf(other)),
  ).map(({ name }) => name);

it.each([
  ['en', 'contrast', 'contrast'],
  ['en', 'dark', 'appearance'],
  ['en', 'русский', 'language'],
  ['ru', 'контраст', 'contrast'],
  ['uz', 'TOVUSH', 'sounds'],
  ['uz', "yorug'", 'appearance'],
  ['uz-Cyrl', 'tovush', 'sounds'],
  ['uz', 'журнал', 'log'],
  ['uz', 'прокси', 'proxy'],
  ['uz', 'ключ', 'service'],
  ['uz-Cyrl', 'сочетания', 'keys'],
  ['ru', 'proxy', 'proxy'],
  ['ru', 'key', 'service'],
  ['uz', 'api key', 'service'],
  ['en', 'tovush', 'sounds'],
  ['en', 'тема тёмная', 'appearance'],
  ['uz', 'mikrofon', 'microphone'],
  ['uz', 'ovoz bilan', 'dictationKeys'],
  ['ru', 'микрофон', 'microphone'],
  ['en', 'hands-free', 'dictationStart'],
  ['en', 'overlay', 'overlay'],
  ['en', 'jump', 'jump'],
  ['ru', 'отмотка', 'rewind'],
  ['uz', 'imlo', 'spelling'],
  ['en', 'caption', 'captionRules'],
  ['en', 'subtitle', 'captionRules'],
  ['en', 'caption', 'copies'],
  ['en', 'subtitles', 'copies'],
  ['ru', 'скорость чтения', 'captionRules'],
  ['uz', 'subtitr', 'copies'],
] as const)('in %s, “%s” finds %s', (language, query, name) => {
  expect(namesFor(language, query)).toContain(name);
});

it('matches in another language come after those of the interface, and only at word beginnings', () => {
  // English has "log" in a title; in Uzbek and Russian the same word appears only in a hint.
  expect(namesFor('en', 'log').slice(0, 2).toSorted()).toEqual(['keepLog', 'log']);
  expect(namesFor('en', 'ontrast')).toEqual(['contrast']);
  expect(namesFor('en', 'tovush')).toEqual(['sounds', 'dictationSounds']);
  expect(namesFor('en', 'ovush')).toEqual([]);
});

it('titles come before hints, an empty query finds nothing, and every setting finds itself', () => {
  expect(namesFor('en', 'transcript size')[0]).toBe('transcriptSize');
  expect(namesFor('en', '  ')).toEqual([]);
  expect(namesFor('en', 'zebra')).toEqual([]);
  for (const language of ['uz', 'ru', 'en'] as const) {
    for (const { name, words } of settingsIndex)
      expect([language, name, namesFor(language, wordsOf(language)(words[0]))]).toEqual([
        language,
        name,
        expect.arrayContaining([name]),
      ]);
  }
});
