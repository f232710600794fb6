import { describe, expect, it } from 'vitest';
import {
  estimatedWords,
  toWholeSegments,
  type LeanSegment,
} from '../../../shared/domain/transcript/lean-transcript.ts';
import { cutIntoParts, isLong } from './text-in-parts.ts';
import { createTextParts } from './text-parts.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('parts of a long text', () => {
  it('are given to their window alone, each once, and a text that is opened later takes their place', () => {
    const texts = createTextParts();
    const token = texts.keep(1, [bytes('a'), bytes('b')]);
    expect(texts.take(2, token, 0)).toBeNull();
    expect(texts.take(1, 'another', 0)).toBeNull();
    expect(texts.take(1, token, 1)).toEqual(bytes('b'));
    expect(texts.take(1, token, 1)).toBeNull();
    expect(texts.take(1, token, 7)).toBeNull();
    const next = texts.keep(1, [bytes('c')]);
    expect(texts.take(1, token, 0)).toBeNull();
    texts.releaseWindow(1);
    expect(texts.take(1, next, 0)).toBeNull();
  });

  it('are cut between segments, none much longer than the others, and hold all of them in order', () => {
    const segments = Array.from({ length: 9_000 }, (_, at): LeanSegment => {
      const segment = {
        id: `s${String(at)}`,
        speakerId: null,
        startMs: at * 10,
        endMs: at * 10 + 9,
        text: `soʻz ${at}`,
      };
      return at % 3 === 0 ? { ...segment, words: estimatedWords(segment).slice(0, 1) } : segment;
    });
    const parts = cutIntoParts(segments);
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(128 * 1024);
    const read = parts.flatMap((part) => JSON.parse(new TextDecoder().decode(part)) as readonly LeanSegment[]);
    expect(toWholeSegments(read)).toEqual(toWholeSegments(segments));
    expect(cutIntoParts([])).toEqual([]);
  });

  it('are made of what would hold main up, by its letters or by its words', () => {
    expect(isLong({ bytes: 20_000, wordCount: 3_000 })).toBe(false);
    expect(isLong({ bytes: 100_000, wordCount: null })).toBe(false);
    expect(isLong({ bytes: 100_000, wordCount: 12_000 })).toBe(true);
    expect(isLong({ bytes: 300_000, wordCount: null })).toBe(true);
  });
});
