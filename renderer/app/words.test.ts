import { describe, expect, it } from 'vitest';
import { createWords, guessLanguage } from './words.ts';

describe('words', () => {
  it('begin with the first language of the system that we speak, else English', () => {
    expect(guessLanguage(['tr-TR', 'ru-RU', 'uz'])).toBe('ru');
    expect(guessLanguage(['uz-Latn-UZ'])).toBe('uz');
    expect(guessLanguage(['fr'])).toBe('en');
    expect(guessLanguage([])).toBe('en');
  });

  it('count as the language does', async () => {
    const russian = await createWords('ru');
    expect([1, 3, 7, 21].map((count) => russian.t('common.files', { count }))).toEqual([
      '1 файл',
      '3 файла',
      '7 файлов',
      '21 файл',
    ]);
    const uzbek = await createWords('uz');
    expect([1, 3].map((count) => uzbek.t('common.files', { count }))).toEqual(['1 ta fayl', '3 ta fayl']);
  });
});
