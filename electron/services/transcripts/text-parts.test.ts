import { describe, expect, it } from 'vitest';
import { readSegments, unpackSegment, type PackedSegment } from '../../../shared/domain/transcript/packed.ts';
import { createTextParts, cutIntoParts } from './text-in-parts.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('parts of a long text', () => {
  it('go to their window alone, each once, and a text opened later replaces them', () => {
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
    const segments = Array.from({ length: 9_000 }, (_, at): PackedSegment => {
      const segment = {
        id: `s${String(at)}`,
        speakerId: null,
        startMs: at * 10,
        endMs: at * 10 + 9,
        text: `soʻz ${at}`,
      };
      return { ...segment, words: at % 3 === 0 ? [[0, 4, 0]] : null };
    });
    const parts = cutIntoParts(segments);
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(128 * 1024);
    const read = parts.flatMap((part) => readSegments(new TextDecoder().decode(part)));
    expect(read).toEqual(segments.map(unpackSegment));
    expect(cutIntoParts([])).toEqual([]);
  });
});
