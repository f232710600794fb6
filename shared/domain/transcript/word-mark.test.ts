import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange } from './change.ts';
import {
  cutSpans,
  cutStretch,
  markWords,
  maskedText,
  restoreStretch,
  withoutStruckWords,
  type Marking,
} from './edit-marks.ts';
import { replaceText } from './edit-segments.ts';
import { mayBeRedacted, packSegment, unpackSegment } from './packed.ts';
import type { Transcript } from './transcript.ts';
import { isCut, isRedacted } from './word-mark.ts';

const words = ['Salom', 'Vali', 'keldi'].map((text, at) => ({ text, startMs: at * 1000, endMs: at * 1000 + 900 }));
const segment = { id: 's1', speakerId: null, startMs: 0, endMs: 3000, text: 'Salom Vali keldi', words };
const spoken: Transcript = { language: 'uz', durationMs: 4000, speakers: [], segments: [segment] };

const edited = (now: Transcript, made: ReturnType<typeof markWords>) => {
  const applied = made.ok ? applyChange(now, made.value) : made;
  if (!applied.ok) throw new Error(applied.error);
  return applied.value.transcript;
};
const marked = (marking: Marking, now: Transcript, from = 1, to = 2) =>
  edited(now, markWords(now, [{ segmentId: 's1', from, to }], marking));
const cutAndRedacted = marked('cut', marked('redacted', spoken));
const exported = (now: Transcript) => withoutStruckWords(now).segments.map(({ text }) => text);

describe('a word that is cut and redacted', () => {
  it('is in no export, and masked where it is copied', () => {
    expect(exported(cutAndRedacted)).toEqual(['Salom keldi']);
    expect(cutSpans(cutAndRedacted)).toEqual([{ startMs: 1000, endMs: 1900 }]);
    expect(cutAndRedacted.segments.map((one) => maskedText(one, 0, one.text.length))).toEqual(['Salom █████ keldi']);
  });

  it('is still redacted when it is kept in the audio again, in whichever way', () => {
    const [whole, all] = [{ startMs: 0, endMs: 4000 }, marked('cut', marked('redacted', spoken), 0, 3)];
    for (const kept of [
      marked('un-cut', cutAndRedacted),
      marked('un-cut', all, 0, 3),
      edited(all, restoreStretch(all, whole)),
      edited(cutAndRedacted, restoreStretch(cutAndRedacted, whole)),
    ])
      expect(exported(kept)).toEqual(['Salom █████ keldi']);
    const redacted = marked('redacted', spoken);
    const stretch = edited(redacted, cutStretch(redacted, whole));
    expect(exported(edited(stretch, restoreStretch(stretch, whole)))).toEqual(['Salom █████ keldi']);
  });

  it('is cut with what is said between it and the next redacted word', () => {
    expect(cutSpans(marked('redacted', cutAndRedacted, 2, 3))).toEqual([{ startMs: 1000, endMs: 2000 }]);
    expect(cutSpans(marked('redacted', cutAndRedacted, 0, 1))).toEqual([{ startMs: 900, endMs: 1900 }]);
  });

  it('is still cut when it is shown again', () => {
    expect(marked('un-redacted', cutAndRedacted)).toEqual(marked('cut', spoken));
  });

  it('is stored as both, and found where redacted words are looked for', () => {
    for (const one of cutAndRedacted.segments) {
      expect(unpackSegment(packSegment(one))).toEqual(one);
      expect(mayBeRedacted(JSON.stringify(packSegment(one).words))).toBe(true);
    }
  });

  it('leaves a word that is typed beside it redacted where the word on the other side is redacted too', () => {
    const both = marked('redacted', cutAndRedacted, 2, 3);
    const typed = edited(both, replaceText(both, 's1', 'Salom Vali aka keldi'));
    expect(typed.segments[0]?.words.map((word) => [isCut(word), isRedacted(word)])).toEqual([
      [false, false],
      [true, true],
      [false, true],
      [false, true],
    ]);
  });
});

it('cutting says nothing about redacting, nor the other way round: the last of each counts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Marking>('cut', 'un-cut', 'redacted', 'un-redacted')), (markings) => {
      const last = (...kinds: readonly Marking[]) => markings.findLast((one) => kinds.includes(one));
      let now = spoken;
      for (const marking of markings) {
        const made = markWords(now, [{ segmentId: 's1', from: 1, to: 2 }], marking);
        if (made.ok) now = edited(now, made);
      }
      const word = now.segments[0]?.words[1];
      expect(isCut(word)).toBe(last('cut', 'un-cut') === 'cut');
      expect(isRedacted(word)).toBe(last('redacted', 'un-redacted') === 'redacted');
    }),
  );
});

it('finds the cuts in the audio: runs of cut words and silences, joined where they meet', () => {
  const cut = marked('cut', { ...spoken, cuts: [{ startMs: 1900, endMs: 1950 }] }, 0, 2);
  expect(cutSpans(cut)).toEqual([{ startMs: 0, endMs: 1950 }]);
  expect(exported(cut)).toEqual(['keldi']);
});

it.each([
  ['a letter is replaced in every word', 'Solom Voli keldi', 'Solom █████ keldi'],
  ['it is joined with the next word', 'Salom Valikeldi', 'Salom █████'],
  ['it gets a hyphen and a part', 'Salom Vali-keldi', 'Salom █████'],
  ['it and the next word become three', 'Salom Valijon aka keldimi', 'Salom █████'],
])('a redacted word stays redacted where %s', (_, text, shown) => {
  const now = edited(marked('redacted', spoken), replaceText(marked('redacted', spoken), 's1', text));
  expect(exported(now)).toEqual([shown]);
});
