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
