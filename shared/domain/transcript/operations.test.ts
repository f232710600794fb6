import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  replaceTexts,
  rippleFrom,
  stretchCaption,
} from './edit-segments.ts';
import { splitSegment, splitSegmentAt } from './split-segment.ts';
import { addSpeaker, assignSpeaker, colourSpeaker, mergeSpeakers, renameSpeaker } from './edit-speakers.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import { insertSegment } from './insert-segment.ts';
import { replaceStretch } from './replace-stretch.ts';
import type { Transcript } from './transcript.ts';

type Operation = (transcript: Transcript, newId: string) => Result<Change, EditRefusal>;

const wordText = fc.constantFrom('adras', 'boʻyoq', 'va', 'naqsh,', 'ish.', 'съёмка', '😀', '—');
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
const edge = fc.constantFrom('start' as const, 'end' as const);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(number, number, fc.nat(30_000), fc.nat(30_000)).map(([n, length, from, to]): Operation => (t) => {
    const own = t.segments.filter(({ speakerId }) => speakerId === at(t.segments, n)?.speakerId);
    const words = own.flatMap((segment) => segment.words);
    const first = n % Math.max(1, words.length);
    const [opening, closing] = [words[first], words[Math.min(words.length - 1, first + (length % 5))]];
    const span = { startMs: opening?.startMs ?? 0, endMs: closing?.endMs ?? 0 };
    const ids = own.map(({ id }) => id);
    return stretchCaption(t, ids, span, { startMs: Math.min(from, to), endMs: Math.max(from, to) });
  }),
  fc.tuple(number, lineText).map(
    ([n, text]): Operation =>
      (t) =>
        replaceText(t, segmentAt(t, n), text),
  ),
  fc.tuple(number, number, wordText, fc.nat(2)).map(([n, where, word, removed]): Operation => (t) => {
    const words = (at(t.segments, n)?.text ?? '').split(/[ \n]/u);
    words.splice(where % (words.length + 1), removed, word);
    return replaceText(t, segmentAt(t, n), words.join(where % 2 === 0 ? ' ' : '\n'));
  }),
  fc.tuple(number, fc.nat(31_000)).map(([n, place]): Operation => (t, id) => {
    const segmentId = segmentAt(t, n);
    return place % 2 === 0 ? splitSegment(t, segmentId, place % 40, id) : splitSegmentAt(t, segmentId, place, id);
  }),
  fc.tuple(number, number).map(
    ([n, m]): Operation =>
      (t) =>
        mergeSegments(t, segmentAt(t, n), segmentAt(t, n + (m % 3))),
  ),
  fc.tuple(number, edge, fc.nat(31_000)).map(
    ([n, side, to]): Operation =>
      (t) =>
        moveEdge(t, segmentAt(t, n), side, to),
  ),
  fc.tuple(number, fc.nat(31_000)).map(
    ([n, to]): Operation =>
      (t) =>
        moveSharedEdge(t, segmentAt(t, n), to),
  ),
  fc.tuple(number, fc.integer({ min: -9_000, max: 9_000 })).map(
    ([n, by]): Operation =>
      (t) =>
        rippleFrom(t, segmentAt(t, n), by),
  ),
  fc.tuple(number, edge, fc.nat(31_000)).map(
    ([n, side, to]): Operation =>
      (t) =>
        moveEdgeRippling(t, segmentAt(t, n), side, to),
  ),
  fc.tuple(number, number, fc.nat(40), fc.nat(40), wordText).map(([n, m, from, to, word]): Operation => (t) => {
    const [first, last] = [n % Math.max(1, t.segments.length), m % Math.max(1, t.segments.length)].toSorted(
      (a, b) => a - b,
    );
    return replaceStretch(
      t,
      { segmentId: segmentAt(t, first ?? 0), offset: from },
      { segmentId: segmentAt(t, last ?? 0), offset: to },
      from % 2 === 0 ? word : '',
    );
  }),
  fc.tuple(number, number).map(
    ([n, m]): Operation =>
      (t) =>
        deleteSegments(t, new Set([segmentAt(t, n), segmentAt(t, m)])),
  ),
  fc.tuple(fc.nat(31_000), fc.option(fc.nat(4_000))).map(
    ([startMs, lengthMs]): Operation =>
      (t, id) =>
        insertSegment(t, id, lengthMs === null ? startMs : { startMs, endMs: startMs + lengthMs }),
  ),
  fc.tuple(number, fc.array(number, { maxLength: 4 })).map(
    ([n, which]): Operation =>
      (t) =>
        assignSpeaker(t, new Set(which.map((one) => segmentAt(t, one))), n % 5 === 0 ? null : speakerAt(t, n)),
  ),
  fc.tuple(number, number).map(
    ([n, m]): Operation =>
      (t) =>
        mergeSpeakers(t, speakerAt(t, n), speakerAt(t, m)),
  ),
  fc.tuple(number, lineText).map(
    ([n, name]): Operation =>
      (t) =>
        renameSpeaker(t, speakerAt(t, n), name),
  ),
  fc.tuple(number, fc.integer({ min: 1, max: 8 })).map(
    ([n, colour]): Operation =>
      (t) =>
        colourSpeaker(t, speakerAt(t, n), colour),
  ),
  lineText.map(
    (name): Operation =>
      (t, id) =>
        addSpeaker(t, id, name),
  ),
  fc.tuple(number, number, number, fc.constantFrom<Marking>('cut', 'un-cut', 'redacted', 'un-redacted')).map(
    ([n, from, length, marking]): Operation =>
      (t) =>
        markWords(t, [{ segmentId: segmentAt(t, n), from: from % 9, to: (from % 9) + (length % 4) }], marking),
  ),
  fc.array(fc.record({ startMs: fc.nat(31_000), endMs: fc.nat(31_000) }), { maxLength: 4 }).map(
    (spans): Operation =>
      (t) =>
        cutSilences(t, spans),
  ),
  fc.record({ startMs: fc.nat(31_000), endMs: fc.nat(31_000) }).map(
    (span): Operation =>
      (t) =>
        restoreSilences(t, span),
  ),
);
const operations = fc.array(operation, { maxLength: 12 });

describe('operations on a transcript', () => {
  it('break no rule of the model, and their inverse leads back to exactly what was', () => {
    fc.assert(
      fc.property(start, operations, (first, row) => {
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
      }),
      { numRuns: 1000 },
    );
  });

  it('survive being stored and read again', () => {
    fc.assert(
      fc.property(start, operation, (transcript, operate) => {
        const change = operate(transcript, 'new');
        fc.pre(change.ok);
        expect(JSON.parse(JSON.stringify(change.value))).toEqual(change.value);
      }),
    );
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
    const change = replaceText(transcript, 's1', after);
    const applied = change.ok ? applyChange(transcript, change.value) : null;
    return applied?.ok === true
      ? applied.value.transcript.segments[0]?.words.map(
          (w) => `${w.text} ${String(w.startMs)}-${String(w.endMs)}${w.isEstimated ? '~' : ''}`,
        )
      : null;
  };

  it('leaves every word before and after the changed ones unchanged', () => {
    const few = fc.array(fc.constantFrom('va', 'ish.', '😀'), { maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(8), fc.nat(8), fc.nat(3), few, (count, where, removed, written) => {
        const transcript = timed(Array.from({ length: count + 1 }, (_, index) => `soʻz${String(index)}`).join(' '));
        const words = transcript.segments[0]?.words ?? [];
        const from = where % (words.length + 1);
        const texts = words.map(({ text }) => text).toSpliced(from, removed, ...written);
        const change = replaceText(transcript, 's1', texts.join(' '));
        const applied = change.ok ? applyChange(transcript, change.value) : null;
        const after = (applied?.ok === true ? applied.value.transcript : transcript).segments[0]?.words ?? [];
        const tail = words.slice(from + removed);
        expect(after.slice(0, from)).toEqual(words.slice(0, from));
        expect(tail.length === 0 ? [] : after.slice(-tail.length)).toEqual(tail);
        const isInPlace = Math.min(removed, words.length - from) === 1 && written.length === 1;
        for (const word of after.slice(from, from + written.length)) expect(word.isEstimated === true).toBe(!isInPlace);
      }),
    );
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

  it('puts inserted words into the pause around them', () => {
    expect(typed('bir ikki', 'bir va ikki')).toEqual(['bir 1000-1800', 'va 1800-2000~', 'ikki 2000-2800']);
  });

  it('does not restore a struck word when text is typed into it', () => {
    const transcript = timed('mening raqamim yetti');
    const marked = markWords(transcript, [{ segmentId: 's1', from: 1, to: 3 }], 'redacted');
    const struck = marked.ok ? applyChange(transcript, marked.value) : null;
    if (struck?.ok !== true) throw new Error('not marked');
    const change = replaceText(struck.value.transcript, 's1', 'mening raqamim ikki yetti');
    const applied = change.ok ? applyChange(struck.value.transcript, change.value) : null;
    expect(applied?.ok === true && withoutStruckWords(applied.value.transcript).segments[0]?.text).toBe(
      `mening ${redactedText}`,
    );
  });

  it('replaces five hundred places of a long text as one change, whose inverse is one step', () => {
    const many: Transcript = {
      ...timed('royan'),
      durationMs: 9_000_000,
      segments: Array.from({ length: 500 }, (_, index) => ({
        id: `s${String(index)}`,
        speakerId: null,
        startMs: index * 1000,
        endMs: index * 1000 + 900,
        text: 'royan rangi',
        words: [],
      })),
    };
    const change = replaceTexts(many, new Map(many.segments.map(({ id }) => [id, 'roʻyan rangi'])));
    const applied = change.ok ? applyChange(many, change.value) : null;
    if (applied?.ok !== true) throw new Error('not replaced');
    expect(applied.value.inverse).toHaveLength(1);
    const undone = applyChange(applied.value.transcript, applied.value.inverse);
    expect(undone.ok && undone.value.transcript).toEqual(many);
  });
});
