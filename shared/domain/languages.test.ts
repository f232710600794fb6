import { expect, it } from 'vitest';
import { preferredLanguage } from './languages.ts';
import { fitsComputer, modelForLanguage } from './local-models.ts';

it.each([
  [['ru-RU', 'en-US'], 'ru'],
  [['uz-Cyrl-UZ'], 'uz-Cyrl'],
  [['uz_UZ@cyrillic'], 'uz-Cyrl'],
  [['de-DE'], 'en'],
])('a system that speaks %j first sees %s', (tags, language) => {
  expect(preferredLanguage(tags)).toBe(language);
});

const gigabyte = 1024 ** 3;
const both = new Set(['gigaam-multilingual', 'gigaam-multilingual-large']);

it('a computer that is sold with 8 GB has them, although some are taken before a program sees them', () => {
  const large = modelForLanguage(both, 'uz');
  expect(large?.id).toBe('gigaam-multilingual-large');
  expect(large !== null && fitsComputer(large, 7.6 * gigabyte)).toBe(true);
  expect(large !== null && fitsComputer(large, 6 * gigabyte)).toBe(false);
});

it('a model that is too large for the computer leaves the work to a smaller one', () => {
  expect(modelForLanguage(both, 'uz', 4 * gigabyte)?.id).toBe('gigaam-multilingual');
  // Without a smaller one it is named, so that somebody says why it can't be used.
  expect(modelForLanguage(new Set(['gigaam-multilingual-large']), 'uz', 4 * gigabyte)?.id).toBe(
    'gigaam-multilingual-large',
  );
});
