import { describe, expect, it } from 'vitest';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { createWords } from './words.ts';

describe('strings', () => {
  it('exist in Cyrillic when it is chosen at the start', async () => {
    const words = await createWords('uz-Cyrl');
    expect(words.t('common.save')).toBe('Сақлаш');
    expect([1, 3].map((count) => words.t('common.files', { count }))).toEqual(['1 та файл', '3 та файл']);
  });

  it('format numbers for the language, wherever they stand in a sentence', async () => {
    const say = async (language: InterfaceLanguage) =>
      (await createWords(language)).t('common.files', { count: 12_345 });
    expect(await say('en')).toBe('12,345 files');
    expect(await say('ru')).toBe('12\u00a0345 файлов');
    expect(await say('uz')).toBe('12\u00a0345 ta fayl');
    expect(await say('uz-Cyrl')).toBe('12\u00a0345 та файл');
    const words = await createWords('en');
    expect(words.t('jobs.open', { name: '12345' })).toBe('Open 12345');
  });

  it('use the plural forms of the language', async () => {
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
