import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { applied } from '../../../tests/support/edited.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import type { Change, EditRefusal } from './change.ts';
import { cutSpans, cutStretch, maskedText, redactedText, restoreStretch, secretPart } from './edit-marks.ts';
import { isCut, isRedacted, type Segment, type TimeSpan, type Transcript, type WordMark } from './transcript.ts';
import type { Result } from '../../result/result.ts';

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
    forAll(anySegment, fc.nat(60), fc.nat(60), (segment, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)].map((at) => Math.min(at, segment.text.length));
      const part = letters(segment).slice(from, to);
      const left = maskedText(segment, from ?? 0, to ?? 0);
      const open = part.filter(({ isSecret }) => !isSecret).map(({ letter }) => letter);
      expect(left.includes(redactedText)).toBe(part.some(({ isSecret }) => isSecret));
      expect(left.replaceAll(redactedText, '').replaceAll(/\s/gu, '')).toBe(open.join('').replaceAll(/\s/gu, ''));
    });
  });

  it('nothing can be guessed from what is left of a redacted word', () => {
    forAll(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const [from, to] = secretPart(text);
      expect(text.slice(0, from) + text.slice(to)).not.toMatch(/[\p{L}\p{M}\p{N}\p{S}]/u);
      expect(to).toBeGreaterThan(from);
    });
  });
});

describe('a stretch that is cut out of the audio', () => {
  const anyStretch = fc
    .tuple(anyTranscript, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([transcript, one, other]) => {
      const times = [one, other].map((part) => Math.round(part * transcript.durationMs)).toSorted((a, b) => a - b);
      return { transcript, span: { startMs: times[0] ?? 0, endMs: times[1] ?? 0 } };
    });
  const after = (transcript: Transcript, change: Result<Change, EditRefusal>) =>
    change.ok ? applied(transcript, change) : { transcript, inverse: [] };
  const middle = ({ startMs, endMs }: TimeSpan) => (startMs + endMs) / 2;
  const isSilent = (transcript: Transcript, timeMs: number) =>
    cutSpans(transcript).some(({ startMs, endMs }) => timeMs >= startMs && timeMs < endMs);

  it('is silent, strikes the words that are mostly in it and no others, and its inverse is the identity', () => {
    forAll(anyStretch, ({ transcript, span }) => {
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
    });
  });

  it('is heard and read again when it is restored', () => {
    forAll(anyStretch, ({ transcript, span }) => {
      const { transcript: cut } = after(transcript, cutStretch(transcript, span));
      const restored = cutSpans(cut).reduce((now, one) => after(now, restoreStretch(now, one)).transcript, cut);
      expect(cutSpans(restored)).toEqual([]);
      expect(restored.segments.flatMap(({ words }) => words).some(isCut)).toBe(false);
    });
  });
});
