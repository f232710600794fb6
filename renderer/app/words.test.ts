import { describe, expect, it } from 'vitest';
import { createWords } from './words.ts';

describe('words', () => {
  it('are there in Cyrillic when it is chosen at the start', async () => {
    const words = await createWords('uz-Cyrl');
    expect(words.t('common.save')).toBe('Сақлаш');
    expect([1, 3].map((count) => words.t('common.files', { count }))).toEqual(['1 та файл', '3 та файл']);
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
