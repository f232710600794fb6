import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedText, redactedText, secretPart, withoutStruckWords } from './edit-marks.ts';
import type { Segment, Transcript } from './transcript.ts';

const anySegment = fc
  .array(
    fc.record({
      text: fc.constantFrom('loy', 'ustaxona,', '«щётка»?', '😀', '…', '+998'),
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
/**
 * The letters of a segment; those of redacted words are secret, without the punctuation at their edges, and what separates
 * two of them is too.
 */
const letters = ({ text, words }: Segment) => {
  let start = 0;
  const secret = words.flatMap((word, at) => {
    const whole = start;
    start += word.text.length + 1;
    const inside = word.text.replaceAll(/^«|[,»?]+$/gu, '');
    const from = whole + (words[at - 1]?.mark === 'redacted' ? 0 : word.text.indexOf(inside));
    const end = words[at + 1]?.mark === 'redacted' ? start : whole + word.text.indexOf(inside) + inside.length;
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

  it('masks the letters of a redacted word and not the punctuation at its edges, of which nothing can be guessed', () => {
    const segment = (text: string, ...secret: number[]): Segment => ({
      id: 's',
      speakerId: null,
      startMs: 0,
      endMs: 900,
      text,
      words: text.split(' ').map((word, at) => ({
        text: word,
        startMs: at * 100,
        endMs: at * 100 + 90,
        ...(secret.includes(at) && { mark: 'redacted' as const }),
      })),
    });
    const left = (text: string, ...secret: number[]) => {
      const said = segment(text, ...secret);
      const whole: Transcript = { language: 'uz', durationMs: 900, speakers: [], segments: [said] };
      const exported = withoutStruckWords(whole).segments[0]?.text;
      expect(maskedText(said, 0, text.length)).toBe(exported);
      return exported;
    };
    expect([
      left('Vali, keldi.', 0),
      left('U «Ali», dedi', 1),
      left('Ali, Vali. Xoʻsh', 0, 1),
      left('raqam +998-90.', 1),
      left('narxi 1,500$!', 1),
      left('xat a@b.uz?', 1),
      left('dedi … va', 1),
      left('(Oʻ.) keldi', 0),
    ]).toEqual([
      '█████, keldi.',
      'U «█████», dedi',
      '█████. Xoʻsh',
      'raqam █████.',
      'narxi █████!',
      'xat █████?',
      'dedi █████ va',
      '(█████.) keldi',
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const [from, to] = secretPart(text);
        expect(text.slice(0, from) + text.slice(to)).not.toMatch(/[\p{L}\p{M}\p{N}\p{S}]/u);
        expect(to).toBeGreaterThan(from);
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
