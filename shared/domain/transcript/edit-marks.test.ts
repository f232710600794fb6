import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedText, redactedText } from './edit-marks.ts';
import type { Segment } from './transcript.ts';

const anySegment = fc
  .array(
    fc.record({
      text: fc.constantFrom('loy', 'ustaxona,', 'щётка', '😀'),
      mark: fc.constantFrom(undefined, 'cut' as const, 'redacted' as const),
      separator: fc.constantFrom(' ', '\n'),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((words): Segment => ({
    id: 's1',
    speakerId: null,
    startMs: 0,
    endMs: words.length * 100,
    text: words.map(({ text, separator }, at) => (at === 0 ? text : separator + text)).join(''),
    words: words.map(({ text, mark }, at) => ({
      text,
      startMs: at * 100,
      endMs: at * 100 + 90,
      ...(mark && { mark }),
    })),
  }));
/** The letters of a segment; those of redacted words are secret, and what separates two of them is too. */
const letters = ({ text, words }: Segment) => {
  let start = 0;
  const secret = words.flatMap((word, at) => {
    const from = start;
    start += word.text.length + 1;
    const end = from + word.text.length + (words[at + 1]?.mark === 'redacted' ? 1 : 0);
    return word.mark === 'redacted' ? [[from, end] as const] : [];
  });
  return text.split('').map((letter, at) => ({
    letter,
    isSecret: secret.some(([from, to]) => at >= from && at < to),
  }));
};

describe('a part of a text that leaves the app', () => {
  it('has every letter that is not redacted, none that is, and a mask for each redacted run', () => {
    fc.assert(
      fc.property(anySegment, fc.nat(60), fc.nat(60), (segment, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((at) => Math.min(at, segment.text.length));
        const part = letters(segment).slice(from, to);
        const left = maskedText(segment, from ?? 0, to ?? 0);
        const open = part.filter(({ isSecret }) => !isSecret).map(({ letter }) => letter);
        expect(left.includes(redactedText)).toBe(part.some(({ isSecret }) => isSecret));
        expect(left.replaceAll(redactedText, '').replaceAll(/\s/gu, '')).toBe(open.join('').replaceAll(/\s/gu, ''));
      }),
    );
  });

  it('masks redacted words that follow each other as one', () => {
    const words = ['bir', 'ikki', 'uch'].map((text, at) => ({
      text,
      startMs: at * 100,
      endMs: at * 100 + 90,
      ...(at > 0 && { mark: 'redacted' as const }),
    }));
    const segment = { id: 's', speakerId: null, startMs: 0, endMs: 300, text: 'bir ikki uch', words };
    expect(maskedText(segment, 0, 12)).toBe(`bir ${redactedText}`);
    expect(maskedText(segment, 5, 6)).toBe(redactedText);
    expect(maskedText(segment, 5, 5)).toBe('');
  });
});
