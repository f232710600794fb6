import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import {
  cutSpans,
  cutStretch,
  markWords,
  maskedText,
  redactedText,
  restoreStretch,
  secretPart,
  withoutStruckWords,
} from './edit-marks.ts';
import { isCut, isRedacted } from './word-mark.ts';
import type { Result } from '../../result/result.ts';
import type { Segment, TimeSpan, Transcript, WordMark } from './transcript.ts';

const anyMark = fc.constantFrom<WordMark | undefined>(undefined, 'cut', 'redacted', 'cut-redacted');

const anySegment = fc
  .array(
    fc.record({
      text: fc.constantFrom('loy', 'ustaxona,', '«щётка»?', '😀', '…', '+998'),
      mark: anyMark,
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
    const from = whole + (isRedacted(words[at - 1]) ? 0 : word.text.indexOf(inside));
    const end = isRedacted(words[at + 1]) ? start : whole + word.text.indexOf(inside) + inside.length;
    return isRedacted(word) ? [[from, end] as const] : [];
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

describe('a stretch that is cut out of the audio', () => {
  const anyStretch = fc
    .tuple(anyTranscript, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([transcript, one, other]) => {
      const times = [one, other].map((part) => Math.round(part * transcript.durationMs)).toSorted((a, b) => a - b);
      return { transcript, span: { startMs: times[0] ?? 0, endMs: times[1] ?? 0 } };
    });
  const after = (transcript: Transcript, change: Result<Change, EditRefusal>) => {
    const applied = change.ok ? applyChange(transcript, change.value) : null;
    if (applied === null) return { transcript, inverse: [] };
    if (!applied.ok) throw new Error(applied.error);
    return applied.value;
  };
  const middle = ({ startMs, endMs }: TimeSpan) => (startMs + endMs) / 2;
  const isSilent = (transcript: Transcript, timeMs: number) =>
    cutSpans(transcript).some(({ startMs, endMs }) => timeMs >= startMs && timeMs < endMs);

  it('is silent, strikes the words that are mostly in it and no others, and its inverse is the identity', () => {
    fc.assert(
      fc.property(anyStretch, ({ transcript, span }) => {
        const { transcript: cut, inverse } = after(transcript, cutStretch(transcript, span));
        for (let timeMs = span.startMs; timeMs < span.endMs; timeMs += Math.max(1, (span.endMs - span.startMs) / 7))
          expect(isSilent(cut, timeMs)).toBe(true);
        for (const [at, { words }] of cut.segments.entries())
          for (const [place, word] of words.entries()) {
            const was = transcript.segments[at]?.words[place];
            const isIn = middle(word) >= span.startMs && middle(word) < span.endMs;
            expect({ ...word, mark: undefined }).toEqual({ ...was, mark: undefined });
            expect(isCut(word)).toBe(isIn || isCut(was));
            expect(isRedacted(word)).toBe(isRedacted(was));
          }
        expect(after(cut, { ok: true, value: inverse }).transcript).toEqual(transcript);
      }),
    );
  });

  it('is heard and read again when it is restored', () => {
    fc.assert(
      fc.property(anyStretch, ({ transcript, span }) => {
        const { transcript: cut } = after(transcript, cutStretch(transcript, span));
        const restored = cutSpans(cut).reduce((now, one) => after(now, restoreStretch(now, one)).transcript, cut);
        expect(cutSpans(restored)).toEqual([]);
        expect(restored.segments.flatMap(({ words }) => words).some(isCut)).toBe(false);
      }),
    );
  });

  it('a word of it that is restored in the text is heard again', () => {
    const words = ['bir', 'ikki', 'uch'].map((text, at) => ({ text, startMs: at * 1000, endMs: at * 1000 + 800 }));
    const segment: Segment = { id: 's1', speakerId: null, startMs: 0, endMs: 3000, text: 'bir ikki uch', words };
    const transcript: Transcript = { language: 'uz', durationMs: 4000, speakers: [], segments: [segment] };
    const { transcript: cut } = after(transcript, cutStretch(transcript, { startMs: 900, endMs: 3500 }));
    expect(cutSpans(cut)).toEqual([{ startMs: 900, endMs: 3500 }]);
    const restored = after(cut, markWords(cut, [{ segmentId: 's1', from: 2, to: 3 }], 'un-cut')).transcript;
    expect(isSilent(restored, 2400)).toBe(false);
    expect(isSilent(restored, 1400)).toBe(true);
  });
});
