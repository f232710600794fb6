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
import { deleteSegments, replaceText } from './edit-segments.ts';
import { acceptHeard, compareHeard } from './heard-again.ts';
import { mayBeRedacted, packSegment, unpackSegment } from './packed.ts';
import type { Transcript } from './transcript.ts';
import { unheardSpans } from './unheard-spans.ts';
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
  ['its last letters go to the next word', 'Salom Va likeldi', 'Salom █████'],
  ['it changes places with the next word', 'Salom keldi Vali', 'Salom keldi █████'],
  ['it is joined with a word elsewhere', 'Vali-Salom keldi', '█████ keldi'],
])('a redacted word stays redacted where %s', (_, text, shown) => {
  const now = edited(marked('redacted', spoken), replaceText(marked('redacted', spoken), 's1', text));
  expect(exported(now)).toEqual([shown]);
});

it('what takes the place of cut words is cut only where all of them were', () => {
  const typed = (now: Transcript) => exported(edited(now, replaceText(now, 's1', 'Salom Vali-keldi')));
  expect(typed(marked('cut', spoken))).toEqual(['Salom Vali-keldi']);
  expect(typed(marked('cut', spoken, 1, 3))).toEqual(['Salom']);
});

it('words that are written in other letters together are said when they were, and what is not heard is the same', () => {
  const redacted = marked('redacted', spoken);
  const now = edited(redacted, replaceText(redacted, 's1', 'Solom Voli keldi'));
  expect(now.segments[0]?.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
    words.map(({ startMs, endMs }) => [startMs, endMs]),
  );
  expect(unheardSpans(now)).toEqual(unheardSpans(redacted));
});

it.each(['cut', 'redacted'] as const)('the audio of a %s word stays cut when its text is deleted', (marking) => {
  const now = marked(marking, spoken);
  for (const made of [replaceText(now, 's1', 'Salom keldi'), deleteSegments(now, new Set(['s1']))]) {
    const after = edited(now, made);
    expect(after.cuts).toEqual([{ startMs: 1000, endMs: 1900 }]);
    const undone = made.ok ? applyChange(now, made.value) : made;
    const back = undone.ok ? applyChange(after, undone.value.inverse) : undone;
    expect(back.ok && back.value.transcript).toEqual(now);
  }
});

it('a word of a long segment stays redacted alone when both ends are written anew', () => {
  const many = Array.from({ length: 700 }, (_, at) => ({
    text: `soz${String(at)}`,
    startMs: at * 10,
    endMs: at * 10 + 9,
  }));
  const text = many.map((word) => word.text).join(' ');
  const long = { ...spoken, durationMs: 8000, segments: [{ ...segment, endMs: 7000, text, words: many }] };
  const now = marked('redacted', long, 300, 301);
  const typed = `Yangi ${text.slice(5, -7)} oxiri tamom`;
  expect(exported(edited(now, replaceText(now, 's1', typed)))).toEqual([typed.replace('soz300', '█████')]);
});

it('no typed text makes a redacted word readable, or audible what was not heard', () => {
  const names = ['Salom', 'Vali', 'aka', 'keldi', 'Karim'] as const;
  const texts = fc.array(fc.constantFrom(...names, 'va', 'AkaVali', 'karimning'), { maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(4), { maxLength: 3 }), fc.boolean(), texts, (hidden, isAlsoCut, typed) => {
      const own = names.map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400 }));
      const whole = { ...spoken, segments: [{ ...segment, text: names.join(' '), words: own }] };
      let now: Transcript = whole;
      for (const at of hidden) {
        now = marked('redacted', now, at, at + 1);
        if (isAlsoCut) now = marked('cut', now, at, at + 1);
      }
      const made = replaceText(now, 's1', typed.join(' '));
      if (!made.ok) return;
      const after = edited(now, made);
      const has = (text: string, name = '') => text.toLowerCase().includes(name.toLowerCase());
      // Who types it once more where it still stands means to show it.
      for (const name of hidden.map((at) => names[at]))
        if (typed.filter((text) => has(text, name)).length < 2)
          expect(has(exported(after).join(' '), name)).toBe(false);
      const unheard = unheardSpans(after);
      for (const { startMs, endMs } of unheardSpans(now))
        expect(unheard.some((span) => span.startMs <= startMs && span.endMs >= endMs)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

describe('listening again', () => {
  const span = { startMs: 0, endMs: 4000 };
  const heardAs = (now: Transcript, heard: readonly (readonly [string, number])[], only?: string) => {
    const changes = compareHeard(
      now,
      span,
      heard.map(([text, startMs]) => ({ text, startMs, endMs: startMs + 300 })),
    );
    return edited(
      now,
      acceptHeard(now, only === undefined ? changes : changes.filter((one) => one.segmentId === only)),
    );
  };
  const names = (now: Transcript) => exported(now).join(' | ');

  it('redacts what is heard in place of a redacted word, or between two', () => {
    const [one, two] = [marked('redacted', spoken), marked('redacted', spoken, 1, 3)];
    expect(
      names(
        heardAs(one, [
          ['Salom', 0],
          ['Vohid', 1000],
          ['aka', 1500],
          ['keldi', 2000],
        ]),
      ),
    ).toBe('Salom █████ keldi');
    expect(
      names(
        heardAs(two, [
          ['Salom', 0],
          ['Vali', 1000],
          ['aka', 1500],
          ['keldi', 2000],
        ]),
      ),
    ).toBe('Salom █████');
  });

  it('redacts a redacted word that is heard elsewhere, in its segment or the next', () => {
    const now = marked('redacted', spoken);
    expect(
      names(
        heardAs(now, [
          ['Salom', 0],
          ['keldi', 1000],
          ['Vali', 2000],
        ]),
      ),
    ).toBe('Salom keldi █████');
    const next = {
      ...segment,
      id: 's2',
      startMs: 3100,
      endMs: 3900,
      text: 'Ha',
      words: [{ text: 'Ha', startMs: 3100, endMs: 3400 }],
    };
    const both = { ...now, segments: [...now.segments, next] };
    const heard = [
      ['Salom', 0],
      ['keldi', 2000],
      ['Vali', 3050],
      ['Ha', 3500],
    ] as const;
    expect(names(heardAs(both, heard))).toBe('Salom keldi | █████ Ha');
    expect(names(heardAs(both, heard, 's2'))).toBe('Salom █████ keldi | █████ Ha');
  });

  it('leaves the audio of a redacted word out where nothing is heard again', () => {
    const now = heardAs(marked('redacted', spoken), [
      ['Salom', 0],
      ['keldi', 2000],
    ]);
    expect(unheardSpans(now)).toEqual([{ startMs: 1000, endMs: 1900 }]);
  });
});
