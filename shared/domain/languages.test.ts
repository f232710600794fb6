import { expect, it } from 'vitest';
import { preferredLanguage } from './languages.ts';

it.each([
  [['ru-RU', 'en-US'], 'ru'],
  [['tr-TR', 'ru-RU', 'uz'], 'ru'],
  [['uz-Latn-UZ'], 'uz'],
  [['uz_UZ'], 'uz'],
  [['uz-Cyrl-UZ'], 'uz-Cyrl'],
  [['uz_UZ@cyrillic'], 'uz-Cyrl'],
  [['ru-Cyrl'], 'ru'],
  [['de-DE', 'ru'], 'ru'],
  [['de-DE'], 'en'],
  [[], 'en'],
])('a system that speaks %j first sees %s', (tags, language) => {
  expect(preferredLanguage(tags)).toBe(language);
});
