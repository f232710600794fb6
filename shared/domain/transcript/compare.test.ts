import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { applied, edited } from '../../../tests/support/edited.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { ok } from '../../result/result.ts';
import {
  chooseRows,
  sideThatChanged,
  compareTranscripts,
  compareWords,
  differenceOf,
  restoreRows,
  type RowChoice,
} from './compare.ts';
import { deleteSegments, mergeSegments, replaceText, splitSegment } from './edit-segments.ts';
import { markWords } from './edit-marks.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import type { Transcript } from './transcript.ts';

const spoken = toTranscript(
  {
    text: '',
    segments: ['salom dunyo yaxshi', 'adras naqsh boʻyoq', 'ipak va atlas', 'rahmat katta'].map((text, at) => ({
      text,
      speaker: at % 2 === 0 ? 'a' : 'b',
      words: text
        .split(' ')
        .map((word, index) => ({ text: word, startMs: at * 5000 + index * 900, endMs: at * 5000 + index * 900 + 700 })),
    })),
  },
  { language: 'uz', durationMs: 25_000 },
);

const textsOf = ({ segments }: Transcript) => segments.map(({ text }) => text);

type Edit = (transcript: Transcript) => ReturnType<typeof replaceText>;

const after = (transcript: Transcript, ...edits: readonly Edit[]): Transcript =>
  edits.reduce((current, edit) => edited(current, edit(current)), transcript);

const anyPlan = fc.array(fc.tuple(fc.nat(9), fc.nat(30), fc.nat(3)), { maxLength: 8 });
/** A text after some edits. */
function editedBy(start: Transcript, plan: readonly (readonly [number, number, number])[]): Transcript {
  let now = start;
  for (const [at, [n, offset, kind]] of plan.entries()) {
    const segment = now.segments[n % now.segments.length];
    if (segment === undefined) break;
    const change = [
      () => replaceText(now, segment.id, segment.text.slice(offset % 8)),
      () => splitSegment(now, segment.id, offset, `n${at}`),
      () => mergeSegments(now, segment.id, now.segments[(n % now.segments.length) + 1]?.id ?? ''),
      () => deleteSegments(now, new Set([segment.id])),
    ][kind]!();
    if (change.ok) now = edited(now, change);
  }
  return now;
}

/** A transcript without what is remembered only while it is open. */
const onDisk = (transcript: Transcript): Transcript => ({
  ...transcript,
  segments: transcript.segments.map((segment) => ({
    ...segment,
    words: segment.words.map(({ wholeWord: _whole, ...word }) => word),
  })),
});

describe('two versions of a transcript', () => {
  it('the difference of any two turns one into the other, and its inverse leads back', () => {
    forAll(anyTranscript, anyTranscript, (from, to) => {
      const target = { ...to, language: from.language };
      const { transcript, inverse } = applied(from, ok(differenceOf(from, target)));
      expect(transcript).toEqual(target);
      expect(edited(transcript, ok(inverse))).toEqual(from);
    });
  });

  it('all segments of both are in the rows, in their order', () => {
    forAll(anyTranscript, anyTranscript, (before, now) => {
      const rows = compareTranscripts(before, now);
      expect(rows.flatMap((row) => row.before)).toEqual(before.segments);
      expect(rows.flatMap((row) => row.after)).toEqual(now.segments);
    });
  });

  it('a redacted word is a piece of its own, so that it can be masked on the side where it is redacted', () => {
    const now = after(spoken, (t) => markWords(t, [{ segmentId: 's1', from: 1, to: 2 }], 'redacted'));
    const { before, after: present } = compareWords(spoken.segments.slice(0, 1), now.segments.slice(0, 1));
    expect(before).toEqual([{ text: 'salom dunyo yaxshi', isChanged: false, isRedacted: false }]);
    expect(present.map(({ text, isRedacted }) => [text, isRedacted])).toEqual([
      ['salom', false],
      ['dunyo', true],
      ['yaxshi', false],
    ]);
  });

  it('choosing between two texts paragraph by paragraph breaks no rule; one side throughout is that text', () => {
    const anyText = anyPlan.map((plan) => editedBy(spoken, plan));
    const choice = fc.constantFrom<RowChoice>('mine', 'theirs', 'both');
    forAll(anyText, anyText, fc.array(choice, { minLength: 12, maxLength: 12 }), (mine, theirs, chosen) => {
      const rows = compareTranscripts(theirs, mine);
      const merged = chooseRows(mine, theirs, rows, (row) => chosen[rows.indexOf(row) % 12] ?? 'mine');
      const text = merged.ok ? after(mine, () => merged) : mine;
      if (!merged.ok) expect(merged.error).toBe('nothing-to-change');
      expect(findViolations(text)).toEqual([]);
      for (const [at, row] of rows.entries())
        if (!row.isSame && chosen[at % 12] === 'both')
          for (const segment of [...row.before, ...row.after])
            expect(text.segments.map((one) => one.text)).toContain(segment.text);
      expect(chooseRows(mine, theirs, rows, () => 'mine')).toEqual({ ok: false, error: 'nothing-to-change' });
      const taken = chooseRows(mine, theirs, rows, () => 'theirs');
      expect(onDisk(taken.ok ? after(mine, () => taken) : mine)).toEqual(onDisk(theirs));
    });
  });

  it('of two texts that came from one, what only one side changed is found, and what both changed is left open', () => {
    const reword =
      (at: number, typed: string): Edit =>
      (now) =>
        replaceText(now, now.segments[at]?.id ?? '', typed);
    const mine = after(spoken, reword(0, 'salom mening'), reword(1, 'adras men'));
    const theirs = after(spoken, reword(1, 'adras ular'), reword(2, 'ipak ular'));
    const rows = compareTranscripts(theirs, mine).filter(({ isSame }) => !isSame);
    expect(rows.map(sideThatChanged(spoken, mine, theirs))).toEqual(['mine', null, 'theirs']);
  });

  it('a paragraph that only one of two sides changed is never given to the other', () => {
    forAll(anyPlan, anyPlan, (first, second) => {
      const base = editedBy(spoken, first);
      const mine = editedBy(base, second);
      for (const [one, other, expected] of [
        [mine, base, 'mine'],
        [base, mine, 'theirs'],
      ] as const)
        for (const row of compareTranscripts(other, one))
          if (!row.isSame) {
            const said = [row.before, row.after].map((part) =>
              part.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
            );
            if (JSON.stringify(said[0]) !== JSON.stringify(said[1]))
              expect(sideThatChanged(base, one, other)(row)).toBe(expected);
          }
    });
  });

  it('restoring any paragraphs of any earlier version breaks no rule', () => {
    forAll(anyPlan, fc.nat(5), (plan, chosen) => {
      const now = editedBy(spoken, plan);
      const rows = compareTranscripts(spoken, now).filter((row) => !row.isSame);
      const restored = restoreRows(now, rows.slice(0, chosen), spoken);
      const text = restored.ok ? edited(now, restored) : now;
      expect(findViolations(text)).toEqual([]);
      // Whoever restores everything has the text of before.
      if (restored.ok && chosen >= rows.length) expect(textsOf(text)).toEqual(textsOf(spoken));
    });
  });
});
