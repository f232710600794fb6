import { expect, it } from 'vitest';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { isolatedFileWords, translate } from './words.ts';

it('the recording as it was is saved under a title and a name that say so, in every language', () => {
  for (const language of ['en', 'ru', 'uz'] as const) {
    const original = isolatedFileWords('Suhbat', 'original', '.m4a', language);
    const isolated = isolatedFileWords('Suhbat', 'mp3', '.mp3', language);
    expect(original.title).not.toBe(isolated.title);
    expect(original.defaultPath).toMatch(/^Suhbat \(.+\)\.m4a$/u);
    expect(original.defaultPath.replace('.m4a', '')).not.toBe(isolated.defaultPath.replace('.mp3', ''));
  }
  expect(isolatedFileWords('Suhbat', 'original', '.m4a', 'en')).toEqual({
    title: 'Save the recording as it was',
    defaultPath: 'Suhbat (original).m4a',
    filters: [{ name: 'M4A', extensions: ['m4a'] }],
  });
});

it('a name of a language within a sentence is written as its own language writes it there', () => {
  const said = (language: InterfaceLanguage) =>
    translate(language, 'isolate.transcribing', {
      name: 'a.mp3',
      language: translate(language, 'common.languageNames.ru'),
    });
  expect(said('en')).toMatch(/in Russian$/u);
  expect(said('ru')).toMatch(/язык\u00A0— русский$/u);
  expect(said('uz')).toMatch(/tili\u00A0— ruscha$/u);
  expect(said('uz-Cyrl')).toMatch(/тили\u00A0— русча$/u);
});
