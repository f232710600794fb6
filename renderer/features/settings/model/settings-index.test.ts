import { expect, it } from 'vitest';
import { catalogueOf } from '../../../../shared/i18n/catalogue-of.ts';
import type { InterfaceLanguage } from '../../../../shared/domain/languages.ts';
import { findSettings, settingsIndex, type SettingWords } from './settings-index.ts';

const wordsOf = (language: InterfaceLanguage) => (key: SettingWords) =>
  key
    .split('.')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], catalogueOf(language)) as string;
const namesFor = (language: InterfaceLanguage, query: string) =>
  findSettings(query, wordsOf(language)).map(({ name }) => name);

it.each([
  ['en', 'contrast', 'contrast'],
  ['en', 'dark', 'appearance'],
  ['en', 'русский', 'language'],
  ['ru', 'контраст', 'contrast'],
  ['uz', 'TOVUSH', 'sounds'],
  ['uz', "yorug'", 'appearance'],
  ['uz-Cyrl', 'tovush', 'sounds'],
  ['uz', 'журнал', 'log'],
] as const)('in %s, “%s” finds %s', (language, query, name) => {
  expect(namesFor(language, query)).toContain(name);
});

it('titles come before hints, nothing finds nothing, and every setting finds itself', () => {
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
