import { describe, expect, it } from 'vitest';
import { greedyWords, withoutLag, allowedClasses, readVocabulary } from './greedy-words.ts';

const vocabulary = { tokens: [' ', 'a', 'b', "'", 'д', ''], blank: 5 };
const all = new Uint8Array(vocabulary.tokens.length).fill(1);

/** A network that is 80 % sure of one letter in each step: `_` is none. */
function steps(letters: string): Float32Array {
  return Float32Array.from(
    Array.from(letters).flatMap((letter) => {
      const at = letter === '_' ? vocabulary.blank : vocabulary.tokens.indexOf(letter);
      return vocabulary.tokens.map((_, one) => Math.log(one === at ? 0.8 : 0.04));
    }),
  );
}

describe('the words of a network', () => {
  it.each([
    ['_aa_b b', ['ab', 'b']],
    ['a_a', ['aa']],
    ["a'b", ["a'b"]],
    ['____', []],
  ])('“%s” is %j', (letters, words) => {
    expect(greedyWords(steps(letters), vocabulary, all).map(({ text }) => text)).toEqual(words);
  });

  it('a word runs from the first step of its first letter to the end of its last, and never into the next word', () => {
    expect(greedyWords(steps('__ab__ a'), vocabulary, all)).toMatchObject([
      { text: 'ab', startMs: 80, endMs: 220 },
      { text: 'a', startMs: 280, endMs: 380 },
    ]);
    const [word] = greedyWords(steps('a b'), vocabulary, all);
    expect(word).toMatchObject({ startMs: 0, endMs: 80 });
    expect(word?.confidence).toBeCloseTo(0.8, 5);
  });

  it('a silence parts words in which no space was heard', () => {
    const heard = (pausesMs: readonly number[]) =>
      greedyWords(steps('ab____ba'), vocabulary, all, pausesMs).map(({ text }) => text);
    expect([heard([]), heard([150])]).toEqual([['abba'], ['ab', 'ba']]);
    expect(heard([20])).toEqual(['abba']);
  });

  it('words begin where speech begins: what the network hears late is moved, by the same for all', () => {
    const word = (startMs: number) => ({ text: 'a', startMs, endMs: startMs + 200, confidence: 1 });
    const moved = (words: readonly number[], onsets: readonly number[]) =>
      withoutLag(words.map(word), onsets).map(({ startMs }) => startMs);
    expect(moved([120, 500, 2100, 2400, 4130], [0, 2000, 4000])).toEqual([0, 380, 1980, 2280, 4010]);
    expect(moved([120, 500], [])).toEqual([120, 500]);
    expect(moved([900, 1300], [0])).toEqual([900, 1300]);
  });

  it('only letters of the chosen language are written', () => {
    const heard = (language: 'uz' | 'ru') =>
      greedyWords(steps('дa'), vocabulary, allowedClasses(vocabulary, language)).map(({ text }) => text);
    expect([heard('uz'), heard('ru')]).toEqual([['a'], ['д']]);
  });
});

describe('a vocabulary', () => {
  it('is a list of tokens with their classes; pieces of words begin with a mark where a word begins', () => {
    expect(readVocabulary('▁ 0\na 1\n<blk> 2\n')).toEqual({ tokens: [' ', 'a', ''], blank: 2 });
    const pieces = readVocabulary('<unk> 0\n▁При 1\nвет 2\n, 3\n<blk> 4');
    expect(pieces).not.toBeNull();
    if (pieces !== null) expect([...allowedClasses(pieces, 'uz')]).toEqual([0, 1, 1, 1, 1]);
  });

  it.each(['', 'a b', 'a 0\nb 2\n<blk> 3', 'a 0\nb 1', '<blk> 0', '{"a": 1}'])('is not %j', (text) => {
    expect(readVocabulary(text)).toBeNull();
  });
});
