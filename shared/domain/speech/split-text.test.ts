import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { countCharacters, joinSentences, splitSentences, withoutMarks } from './split-text.ts';

const split = (language: 'uz' | 'ru' | 'en', text: string, limit = 500) =>
  splitSentences(text, language, limit).map((sentence) => sentence.text);

describe('sentences for speech', () => {
  it.each([
    ['uz', 'Salom. Ishlar qalay? Yaxshi!', ['Salom.', 'Ishlar qalay?', 'Yaxshi!']],
    [
      'uz',
      'A. Qodiriy yozgan. Narxi 3.5 mln. soʻm va h.k. Tugadi.',
      ['A. Qodiriy yozgan.', 'Narxi 3.5 mln. soʻm va h.k. Tugadi.'],
    ],
  ] as const)('%s: %s', (language, text, sentences) => {
    expect(split(language, text)).toEqual(sentences);
  });

  it('a pause mark is silence, whichever way it is written, and no part of the words that are sent', () => {
    const text = 'One [pause 1s] two. <break time="500ms"/> Three [пауза 0,5 с] four [pauza].';
    const found = splitSentences(text, 'en', 500);
    expect(found.map((one) => [one.text, one.breakMs])).toEqual([
      ['One', 1000],
      ['two.', 500],
      ['Three', 500],
      ['four', undefined],
    ]);
    expect(withoutMarks(text)).toBe('One two. Three four .');
  });

  it('a sentence over the limit is cut after a clause, else after a word', () => {
    expect(split('en', 'one two three, four five six seven', 18)).toEqual(['one two three,', 'four five six', 'seven']);
    expect(split('en', 'abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('the limit counts characters, and a cut goes through none', () => {
    expect(split('en', '😀😀😀😀😀', 3)).toEqual(['😀😀😀', '😀😀']);
  });

  it('loses nothing but white space, keeps the order and the limit, and quotes the text, whatever the text is', () => {
    const piece = fc.oneof(
      fc.lorem({ mode: 'sentences', maxCount: 3 }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('3.5 ', 'А. С. ', '\n', 'va h.k. '),
    );
    forAllIn(
      400,
      fc.array(piece),
      fc.constantFrom('uz', 'ru', 'en'),
      fc.integer({ min: 3, max: 60 }),
      (pieces, language, limit) => {
        const text = pieces.join('');
        const sentences = splitSentences(text, language, limit);
        const blocks = joinSentences(text, sentences, limit);
        for (const spans of [sentences, blocks]) {
          let at = 0;
          let lost = '';
          for (const { start, end, text: quoted } of spans) {
            expect(text.slice(start, end)).toBe(quoted);
            expect(countCharacters(quoted)).toBeLessThanOrEqual(limit);
            lost += text.slice(at, start);
            at = end;
          }
          expect((lost + text.slice(at)).trim()).toBe('');
        }
      },
    );
  });
});
