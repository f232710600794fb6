import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll, forAllIn } from '../../../tests/support/for-all.ts';
import { applyChange } from './change.ts';
import {
  cutSpans,
  cutStretch,
  markWords,
  maskedText,
  restoreStretch,
  withoutStruckWords,
  mutedSpans,
  type Marking,
} from './edit-marks.ts';
import { deleteSegments, replaceText } from './edit-segments.ts';
import { acceptHeard, compareHeard } from './heard-again.ts';
import { convertScript, heardInScript } from './in-script.ts';
import { toUzbekCyrillic } from '../text/transliterate-uzbek.ts';
import { mayBeRedacted, packSegment, unpackSegment } from './packed.ts';
import { isCut, isRedacted, type Transcript } from './transcript.ts';

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
  forAll(fc.array(fc.constantFrom<Marking>('cut', 'un-cut', 'redacted', 'un-redacted')), (markings) => {
    const last = (...kinds: readonly Marking[]) => markings.findLast((one) => kinds.includes(one));
    let now = spoken;
    for (const marking of markings) {
      const made = markWords(now, [{ segmentId: 's1', from: 1, to: 2 }], marking);
      if (made.ok) now = edited(now, made);
    }
    const word = now.segments[0]?.words[1];
    expect(isCut(word)).toBe(last('cut', 'un-cut') === 'cut');
    expect(isRedacted(word)).toBe(last('redacted', 'un-redacted') === 'redacted');
  });
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

it('no typed text makes a redacted word readable, before or after a conversion, or audible what was not heard', () => {
  const names = ['Salom', 'Vali', 'aka', 'keldi', 'Karim'] as const;
  const texts = fc.array(fc.constantFrom(...names, 'va', 'AkaVali', 'karimning'), { maxLength: 6 });
  const hiddenWords = fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 });
  const conversions = fc.constantFrom('none', 'there', 'there and back');
  const has = (text: string, name = '') => text.toLowerCase().includes(name.toLowerCase());
  forAllIn(3000, hiddenWords, fc.boolean(), texts, conversions, (hidden, isAlsoCut, typed, conversion) => {
    const own = names.map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400 }));
    let now: Transcript = { ...spoken, segments: [{ ...segment, text: names.join(' '), words: own }] };
    for (const at of hidden) {
      now = marked('redacted', now, at, at + 1);
      if (isAlsoCut) now = marked('cut', now, at, at + 1);
    }
    const isShown = (text: Transcript, name = '') =>
      [name, toUzbekCyrillic(name)].some((one) => has(exported(text).join(' '), one));
    const before = conversion === 'none' ? now : edited(now, convertScript(now));
    expect(mutedSpans(before)).toEqual(mutedSpans(now));
    for (const at of hidden) expect(isShown(before, names[at])).toBe(false);
    const made = replaceText(before, 's1', conversion === 'none' ? typed.join(' ') : toUzbekCyrillic(typed.join(' ')));
    if (!made.ok) return;
    const written = edited(before, made);
    const back = convertScript(written);
    const after = conversion === 'there and back' && back.ok ? edited(written, back) : written;
    // Who types it once more where it still stands means to show it.
    for (const name of hidden.map((at) => names[at]))
      if (typed.filter((text) => has(text, name)).length < 2) expect(isShown(after, name)).toBe(false);
    const unheard = mutedSpans(after);
    for (const { startMs, endMs } of mutedSpans(now))
      expect(unheard.some((span) => span.startMs <= startMs && span.endMs >= endMs)).toBe(true);
  });
});

describe('listening again', () => {
  const span = { startMs: 0, endMs: 4000 };
  /** Words with the times at which they are heard to begin. */
  const timed = (heard: string) =>
    heard.split(' ').map((word) => {
      const [text = '', startMs] = word.split('@');
      return { text, startMs: Number(startMs), endMs: Number(startMs) + 300 };
    });
  const heardAs = (now: Transcript, heard: string, only?: string) => {
    const changes = compareHeard(now, span, timed(heard));
    const taken = changes.filter((one) => only === undefined || one.segmentId === only);
    return edited(now, acceptHeard(now, taken));
  };
  const names = (now: Transcript) => exported(now).join(' | ');
  const redacted = marked('redacted', spoken);

  it('redacts a redacted word that is heard in the letters of before a conversion', () => {
    const now = edited(redacted, convertScript(redacted));
    const heard = timed('Salom@0 Ali@700 Vali@1400 keldi@2100');
    const written = heardInScript(now, heard);
    expect(written.map(({ text }) => text)).toEqual(['Салом', 'Али', 'Вали', 'келди']);
    expect(names(edited(now, acceptHeard(now, compareHeard(now, span, written))))).toBe('Салом Али █████ келди');
    expect(heardInScript(spoken, heard)).toBe(heard);
    expect(heardInScript({ ...now, language: 'ru' }, heard)).toBe(heard);
  });

  it('redacts what is heard in place of a redacted word, or between two, or elsewhere', () => {
    expect(names(heardAs(redacted, 'Salom@0 Vohid@1000 aka@1500 keldi@2000'))).toBe('Salom █████ keldi');
    const two = marked('redacted', spoken, 1, 3);
    expect(names(heardAs(two, 'Salom@0 Vali@1000 aka@1500 keldi@2000'))).toBe('Salom █████');
    expect(names(heardAs(redacted, 'Salom@0 keldi@1000 Vali@2000'))).toBe('Salom keldi █████');
  });

  it('redacts a redacted word that is heard in the next segment', () => {
    const words = [{ text: 'Ha', startMs: 3100, endMs: 3400 }];
    const next = { ...segment, id: 's2', startMs: 3100, endMs: 3900, text: 'Ha', words };
    const both = { ...redacted, segments: [...redacted.segments, next] };
    const heard = 'Salom@0 keldi@2000 Vali@3050 Ha@3500';
    expect(names(heardAs(both, heard))).toBe('Salom keldi | █████ Ha');
    expect(names(heardAs(both, heard, 's2'))).toBe('Salom █████ keldi | █████ Ha');
  });

  it('leaves the audio of a redacted word out where nothing is heard again', () => {
    expect(mutedSpans(heardAs(redacted, 'Salom@0 keldi@2000'))).toEqual([{ startMs: 1000, endMs: 1900 }]);
  });
});
