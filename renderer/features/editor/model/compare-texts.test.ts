import { expect, test } from 'vitest';
import { compareTexts } from './compare-texts.ts';

const marked = (parts: readonly { readonly text: string; readonly isOther: boolean }[]) =>
  parts
    .map(({ text, isOther }) => (isOther ? `<${text.trimEnd()}>${text.slice(text.trimEnd().length)}` : text))
    .join('');
const compared = (theirs: string, ours: string, isShortened = false) => {
  const found = compareTexts(theirs, ours, isShortened);
  return [marked(found.theirs), marked(found.ours), found.placeCount];
};

test('words are marked that only one of two texts has, however their lines are broken', () => {
  expect(compared('A: Salom, usta!\nA: Bugun keldik.\n', 'Anna: Salom, ustajon! Bugun keldik.\n')).toEqual([
    '<A:> Salom, <usta!\nA:> Bugun keldik.\n',
    '<Anna:> Salom, <ustajon!> Bugun keldik.\n',
    2,
  ]);
  expect(compared('Salom,\nusta!', 'Salom, usta!')).toEqual(['Salom,\nusta!', 'Salom, usta!', 0]);
  expect(compared('', 'Salom')).toEqual(['', '<Salom>', 1]);
});

test('of the beginnings of two texts nothing is said after the last word that both have', () => {
  expect(compared('Bir ikki uch toʻrt', 'Bir uch besh olti', true)).toEqual([
    'Bir <ikki> uch toʻrt',
    'Bir uch besh olti',
    1,
  ]);
});
