import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll, forAllIn } from '../../../tests/support/for-all.ts';
import { edited } from '../../../tests/support/edited.ts';
import type { Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import {
  cutSilences,
  markWords,
  redactedText,
  restoreSilences,
  withoutStruckWords,
  type Marking,
} from './edit-marks.ts';
import {
  deleteSegments,
  mergeSegments,
  moveEdge,
  moveEdgeRippling,
  moveSharedEdge,
  replaceText,
  rippleFrom,
  stretchCaption,
  splitSegment,
  splitSegmentAt,
  insertSegment,
} from './edit-segments.ts';
import { addSpeaker, assignSpeaker, colourSpeaker, mergeSpeakers, renameSpeaker } from './edit-speakers.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import { convertScript } from './in-script.ts';
import { replaceStretch } from './replace-stretch.ts';
import type { Transcript } from './transcript.ts';

type Operation = (transcript: Transcript, newId: string) => Result<Change, EditRefusal>;

const wordText = fc.constantFrom('adras', 'boʻyoq', 'va', 'naqsh,', 'ish.', 'съёмка', '😀', '—', 'ь');
const lineText = fc.array(wordText, { maxLength: 9 }).map((words) => words.join(' '));
const start: fc.Arbitrary<Transcript> = fc
  .array(
    fc.record({
      text: lineText.filter((text) => text !== ''),
      startMs: fc.nat(20_000),
      lengthMs: fc.nat(4_000),
      speaker: fc.constantFrom('a', 'b', 'c'),
      isTimed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((plan) => {
    const segments = plan.map(({ text, startMs, lengthMs, speaker, isTimed }) => {
      const words = text.split(' ').map((word, at, all) => ({
        text: word,
        startMs: Math.round(startMs + (lengthMs * at) / all.length),
        endMs: Math.round(startMs + (lengthMs * (at + 0.8)) / all.length),
      }));
      return { text, startMs, endMs: startMs + lengthMs, speaker, words: isTimed ? words : [] };
    });
    return toTranscript({ text: '', segments }, { language: 'uz', durationMs: 30_000 });
  });

const at = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];
const segmentAt = (transcript: Transcript, number: number) => at(transcript.segments, number)?.id ?? 'none';
const speakerAt = (transcript: Transcript, number: number) => at(transcript.speakers, number)?.id ?? 'none';

const number = fc.nat(1000);
const time = fc.nat(31_000);
const span = fc.record({ startMs: time, endMs: time });
const edge = fc.constantFrom('start' as const, 'end' as const);
/** An operation for each value of an arbitrary. */
const each = <T>(
  given: fc.Arbitrary<T>,
  make: (transcript: Transcript, value: T, newId: string) => Result<Change, EditRefusal>,
): fc.Arbitrary<Operation> => given.map((value) => (transcript, newId) => make(transcript, value, newId));

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.constant(convertScript),
  each(fc.tuple(number, number, time, time), (t, [n, length, from, to]) => {
    const own = t.segments.filter(({ speakerId }) => speakerId === at(t.segments, n)?.speakerId);
    const words = own.flatMap((segment) => segment.words);
    const first = n % Math.max(1, words.length);
    const [opening, closing] = [words[first], words[Math.min(words.length - 1, first + (length % 5))]];
    const said = { startMs: opening?.startMs ?? 0, endMs: closing?.endMs ?? 0 };
    const ids = own.map(({ id }) => id);
    return stretchCaption(t, ids, said, { startMs: Math.min(from, to), endMs: Math.max(from, to) });
  }),
  each(fc.tuple(number, lineText), (t, [n, text]) => replaceText(t, segmentAt(t, n), text)),
  each(fc.tuple(number, number, wordText, fc.nat(2)), (t, [n, where, word, removed]) => {
    const words = (at(t.segments, n)?.text ?? '').split(/[ \n]/u);
    words.splice(where % (words.length + 1), removed, word);
    return replaceText(t, segmentAt(t, n), words.join(where % 2 === 0 ? ' ' : '\n'));
  }),
  each(fc.tuple(number, time), (t, [n, place], id) => {
    const segmentId = segmentAt(t, n);
    return place % 2 === 0 ? splitSegment(t, segmentId, place % 40, id) : splitSegmentAt(t, segmentId, place, id);
  }),
  each(fc.tuple(number, number), (t, [n, m]) => mergeSegments(t, segmentAt(t, n), segmentAt(t, n + (m % 3)))),
  each(fc.tuple(number, edge, time), (t, [n, side, to]) => moveEdge(t, segmentAt(t, n), side, to)),
  each(fc.tuple(number, time), (t, [n, to]) => moveSharedEdge(t, segmentAt(t, n), to)),
  each(fc.tuple(number, fc.integer({ min: -9000, max: 9000 })), (t, [n, by]) => rippleFrom(t, segmentAt(t, n), by)),
  each(fc.tuple(number, edge, time), (t, [n, side, to]) => moveEdgeRippling(t, segmentAt(t, n), side, to)),
  each(fc.tuple(number, number, fc.nat(40), fc.nat(40), wordText), (t, [n, m, from, to, word]) => {
    const count = Math.max(1, t.segments.length);
    const [first, last] = [Math.min(n % count, m % count), Math.max(n % count, m % count)];
    const [start, end] = [segmentAt(t, first), segmentAt(t, last)];
    return replaceStretch(
      t,
      { segmentId: start, offset: from },
      { segmentId: end, offset: to },
      from % 2 === 0 ? word : '',
    );
  }),
  each(fc.tuple(number, number), (t, [n, m]) => deleteSegments(t, new Set([segmentAt(t, n), segmentAt(t, m)]))),
  each(fc.tuple(time, fc.option(fc.nat(4000))), (t, [startMs, lengthMs], id) =>
    insertSegment(t, id, lengthMs === null ? startMs : { startMs, endMs: startMs + lengthMs }),
  ),
  each(fc.tuple(number, fc.array(number, { maxLength: 4 })), (t, [n, which]) =>
    assignSpeaker(t, new Set(which.map((one) => segmentAt(t, one))), n % 5 === 0 ? null : speakerAt(t, n)),
  ),
  each(fc.tuple(number, number), (t, [n, m]) => mergeSpeakers(t, speakerAt(t, n), speakerAt(t, m))),
  each(fc.tuple(number, lineText), (t, [n, name]) => renameSpeaker(t, speakerAt(t, n), name)),
  each(fc.tuple(number, fc.integer({ min: 1, max: 8 })), (t, [n, colour]) => colourSpeaker(t, speakerAt(t, n), colour)),
  each(lineText, (t, name, id) => addSpeaker(t, id, name)),
  each(
    fc.tuple(number, fc.nat(8), fc.nat(3), fc.constantFrom<Marking>('cut', 'un-cut', 'redacted', 'un-redacted')),
    (t, [n, from, length, marking]) => markWords(t, [{ segmentId: segmentAt(t, n), from, to: from + length }], marking),
  ),
  each(fc.array(span, { maxLength: 4 }), (t, spans) => cutSilences(t, spans)),
  each(span, (t, one) => restoreSilences(t, one)),
);
const operations = fc.array(operation, { maxLength: 12 });

describe('operations on a transcript', () => {
  it('break no rule of the model, and their inverse leads back to exactly what was', () => {
    forAllIn(1000, start, operations, (first, row) => {
      let transcript = first;
      const back: Change[] = [];
      for (const [index, operate] of row.entries()) {
        const change = operate(transcript, `new-${String(index)}`);
        if (!change.ok) continue;
        const applied = applyChange(transcript, change.value);
        if (!applied.ok) throw new Error(applied.error);
        const undone = applyChange(applied.value.transcript, applied.value.inverse);
        expect(undone).toEqual({ ok: true, value: { transcript, inverse: change.value } });
        transcript = applied.value.transcript;
        expect(findViolations(transcript)).toEqual([]);
        back.unshift(applied.value.inverse);
      }
      const joined = applyChange(transcript, back.flat());
      expect(joined.ok && joined.value.transcript).toEqual(first);
    });
  });
});

describe('typing', () => {
  const timed = (text: string): Transcript => ({
    language: 'uz',
    durationMs: 10_000,
    speakers: [],
    segments: [
      {
        id: 's1',
        speakerId: null,
        startMs: 1000,
        endMs: 10_000,
        text,
        words: text
          .split(' ')
          .map((word, index) => ({ text: word, startMs: 1000 + index * 1000, endMs: 1800 + index * 1000 })),
      },
    ],
  });
  const typed = (before: string, after: string) => {
    const transcript = timed(before);
    return edited(transcript, replaceText(transcript, 's1', after)).segments[0]?.words.map(
      ({ text, startMs, endMs, isEstimated }) =>
        `${text} ${String(startMs)}-${String(endMs)}${isEstimated === true ? '~' : ''}`,
    );
  };

  it('leaves every word before and after the changed ones unchanged', () => {
    const few = fc.array(fc.constantFrom('va', 'ish.', '😀'), { maxLength: 4 });
    forAll(fc.nat(8), fc.nat(8), fc.nat(3), few, (count, where, removed, written) => {
      const transcript = timed(Array.from({ length: count + 1 }, (_, index) => `soʻz${String(index)}`).join(' '));
      const words = transcript.segments[0]?.words ?? [];
      const from = where % (words.length + 1);
      const texts = words.map(({ text }) => text).toSpliced(from, removed, ...written);
      const change = replaceText(transcript, 's1', texts.join(' '));
      const after = (change.ok ? edited(transcript, change) : transcript).segments[0]?.words ?? [];
      const tail = words.slice(from + removed);
      expect(after.slice(0, from)).toEqual(words.slice(0, from));
      expect(tail.length === 0 ? [] : after.slice(-tail.length)).toEqual(tail);
      const isInPlace = Math.min(removed, words.length - from) === 1 && written.length === 1;
      for (const word of after.slice(from, from + written.length)) expect(word.isEstimated === true).toBe(!isInPlace);
    });
  });

  it('keeps the time of a corrected word, whose audio is still there', () => {
    expect(typed('qizil royan beradi', 'qizil, roʻyan beradi')).toEqual([
      'qizil, 1000-1800',
      'roʻyan 2000-2800',
      'beradi 3000-3800',
    ]);
  });

  it('divides the time of replaced words among the new ones, as estimated', () => {
    expect(typed('bir oydan qirq kungacha', 'bir kungacha')).toEqual(['bir 1000-1800', 'kungacha 4000-4800']);
    expect(typed('bir kungacha', 'bir kun gacha')).toEqual(['bir 1000-1800', 'kun 2000-2300~', 'gacha 2300-2800~']);
  });

  it('does not restore a struck word when text is typed into it', () => {
    const transcript = timed('mening raqamim yetti');
    const struck = edited(transcript, markWords(transcript, [{ segmentId: 's1', from: 1, to: 3 }], 'redacted'));
    const after = edited(struck, replaceText(struck, 's1', 'mening raqamim ikki yetti'));
    expect(withoutStruckWords(after).segments[0]?.text).toBe(`mening ${redactedText}`);
  });
});

it('a speaker who takes over another keeps the own name, and without one gets that of the other', () => {
  const talk = toTranscript(
    {
      text: '',
      segments: ['a', 'b', 'c'].map((speaker) => ({ text: 'ha', speaker, words: [] })),
    },
    { language: 'uz', durationMs: 9000 },
  );
  const [first, second, third] = talk.speakers.map(({ id }) => id);
  const named = [first, second].reduce(
    (text, id, index) => edited(text, renameSpeaker(text, id ?? '', ['Anna', 'Bek'][index] ?? '')),
    talk,
  );
  const namesAfter = (from: string | undefined, into: string | undefined) =>
    edited(named, mergeSpeakers(named, from ?? '', into ?? '')).speakers.map(({ name }) => name);
  expect(namesAfter(second, first)).toEqual(['Anna', null]);
  expect(namesAfter(second, third)).toEqual(['Anna', 'Bek']);
});

it('the second part of a split segment stands behind a segment of another speaker that begins between the parts', () => {
  const spoken = (text: string, speaker: string, times: readonly number[]) => ({
    speaker,
    text,
    words: text
      .split(' ')
      .map((word, index) => ({ text: word, startMs: times[index] ?? 0, endMs: (times[index] ?? 0) + 900 })),
  });
  const talk = toTranscript(
    { text: '', segments: [spoken('bir ikki', 'a', [0, 6000]), spoken('ha', 'b', [3000])] },
    { language: 'uz', durationMs: 9000 },
  );
  const split = splitSegment(talk, talk.segments[0]?.id ?? '', 4, 'new');
  expect(edited(talk, split).segments.map(({ text }) => text)).toEqual(['bir', 'ha', 'ikki']);
});
