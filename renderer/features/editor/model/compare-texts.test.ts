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

test('two texts without a common word differ, also where only their beginnings are known', () => {
  expect(compared('Bir ikki', 'Бир икки', true)).toEqual(['<Bir ikki>', '<Бир икки>', 1]);
});

test('a thousand words that are all between the first and the last difference are compared', () => {
  const words = Array.from({ length: 1000 }, (_, at) => `soʻz${String(at)}`);
  const [theirs, ours] = [`a ${words.join(' ')} b`, `c ${words.join(' ')} d`];
  expect(compareTexts(theirs, ours, false)).toMatchObject({ placeCount: 2, ours: [{}, { isOther: false }, {}] });
});
