import { expect, it } from 'vitest';
import { updateBlocks } from './blocks.ts';
import { findChapters } from './chapters.ts';

const chaptersOf = (text: string) => {
  let number = 0;
  const blocks = updateBlocks([], text, { language: 'uz', limit: 5000, newId: () => String((number += 1)) });
  return findChapters(blocks);
};

it('a short line without a full stop starts a chapter, and text before the first one is a chapter of its own', () => {
  const { chapterOf, titles } = chaptersOf('Salom.\n\nBirinchi bob\n\nBir. Ikki.\n\nIkkinchi bob\nUch!');
  expect(titles).toEqual(['', 'Birinchi bob', 'Ikkinchi bob']);
  expect(chapterOf).toEqual([0, 1, 1, 1, 2, 2]);
});

it('sentences, lists that end in a comma, the last line and a heading below a heading start none', () => {
  expect(chaptersOf('Salom.\n\nXayr.').titles).toEqual(['']);
  expect(chaptersOf('Olma,\nanor,\nuzum.').titles).toEqual(['']);
  expect(chaptersOf('Matn.\n\nMuallif').titles).toEqual(['']);
  expect(chaptersOf('Kitob\n\nBirinchi bob\n\nMatn.').titles).toEqual(['Kitob']);
});
