import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { applyChange } from './change.ts';
import { chooseRows, sideThatChanged, type RowChoice } from './choose-rows.ts';
import { compareTranscripts, compareWords, differenceOf, restoreRows } from './compare.ts';
import { viewInScript } from './edit-in-script.ts';
import { deleteSegments, mergeSegments, replaceText } from './edit-segments.ts';
import { splitSegment } from './split-segment.ts';
import { markWords, withoutStruckWords } from './edit-marks.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import type { Segment, Transcript } from './transcript.ts';

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

type Edit = (transcript: Transcript) => ReturnType<typeof replaceText>;

const after = (transcript: Transcript, ...edits: readonly Edit[]): Transcript =>
  edits.reduce((current, edit) => {
    const change = edit(current);
    const applied = change.ok ? applyChange(current, change.value) : change;
    if (!applied.ok) throw new Error(applied.error);
    return applied.value.transcript;
  }, transcript);

/** A text after some edits. */
function editedBy(start: Transcript, plan: readonly (readonly [number, number, number])[]): Transcript {
  let now = start;
  for (const [at, [n, offset, kind]] of plan.entries()) {
    const segment = now.segments[n % now.segments.length];
    if (segment === undefined) break;
    const change =
      kind === 0
        ? replaceText(now, segment.id, segment.text.slice(offset % 8))
        : kind === 1
          ? splitSegment(now, segment.id, offset, `n${at}`)
          : kind === 2
            ? mergeSegments(now, segment.id, now.segments[(n % now.segments.length) + 1]?.id ?? '')
            : deleteSegments(now, new Set([segment.id]));
    const applied = change.ok ? applyChange(now, change.value) : change;
    if (applied.ok) now = applied.value.transcript;
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

const asStored = (segment: Segment): Segment => segment;

describe('two versions of a transcript', () => {
  it('the difference of any two turns one into the other, and its inverse leads back', () => {
    fc.assert(
      fc.property(anyTranscript, anyTranscript, (from, to) => {
        const target = { ...to, language: from.language };
        const applied = applyChange(from, differenceOf(from, target));
        if (!applied.ok) throw new Error(applied.error);
        expect(applied.value.transcript).toEqual(target);
        const back = applyChange(applied.value.transcript, applied.value.inverse);
        expect(back.ok && back.value.transcript).toEqual(from);
      }),
    );
  });

  it('all segments of both are in the rows, in their order', () => {
    fc.assert(
      fc.property(anyTranscript, anyTranscript, (before, now) => {
        const rows = compareTranscripts(before, now);
        expect(rows.flatMap((row) => row.before)).toEqual(before.segments);
        expect(rows.flatMap((row) => row.after)).toEqual(now.segments);
      }),
    );
  });

  it('a part split off a paragraph stays in its row, and a row names the words that only one side has', () => {
    const now = after(
      spoken,
      (t) => replaceText(t, 's1', 'salom hayot yaxshi'),
      (t) => splitSegment(t, 's3', 5, 'n1'),
    );
    const rows = compareTranscripts(spoken, now);
    expect(rows.map((row) => [row.before.length, row.after.length, row.isSame])).toEqual([
      [1, 1, false],
      [1, 1, true],
      [1, 2, false],
      [1, 1, true],
    ]);
    expect(compareWords(spoken.segments.slice(0, 1), now.segments.slice(0, 1), asStored).after).toEqual([
      { text: 'salom', isChanged: false, isRedacted: false },
      { text: 'hayot', isChanged: true, isRedacted: false },
      { text: 'yaxshi', isChanged: false, isRedacted: false },
    ]);
  });

  it('a redacted word is a piece of its own, so that it can be masked on the side where it is redacted', () => {
    const now = after(spoken, (t) => markWords(t, [{ segmentId: 's1', from: 1, to: 2 }], 'redacted'));
    const { before, after: present } = compareWords(spoken.segments.slice(0, 1), now.segments.slice(0, 1), asStored);
    expect(before).toEqual([{ text: 'salom dunyo yaxshi', isChanged: false, isRedacted: false }]);
    expect(present.map(({ text, isRedacted }) => [text, isRedacted])).toEqual([
      ['salom', false],
      ['dunyo', true],
      ['yaxshi', false],
    ]);
  });

  it('words in other letters are the shown ones of each side, and what both have is shown as it was typed', () => {
    const view = viewInScript('cyrillic');
    const write = (text: string) => (t: Transcript) => {
      const made = replaceText(view.show(t), 's1', text);
      return made.ok ? { ...made, value: view.store(t, made.value) } : made;
    };
    const typed = after(spoken, write('бу щётка'));
    const now = after(typed, write('бу щётка яхши'));
    view.show(now);
    const { before, after: present } = compareWords(
      structuredClone(typed.segments.slice(0, 1)),
      now.segments.slice(0, 1),
      view.showSegment,
    );
    expect(before.map(({ text }) => text)).toEqual(['бу щётка']);
    expect(present.map(({ text, isChanged }) => [text, isChanged])).toEqual([
      ['бу щётка', false],
      ['яхши', true],
    ]);
    const [restored] = compareWords(spoken.segments.slice(0, 1), now.segments.slice(0, 1), view.showSegment).before;
    expect(restored?.text).toBe('салом дунё');
  });

  it('restores one paragraph and keeps changes elsewhere', () => {
    const now = after(
      spoken,
      (t) => replaceText(t, 's1', 'butunlay boshqa'),
      (t) => mergeSegments(t, 's3', 's4'),
      (t) => deleteSegments(t, new Set(['s2'])),
    );
    const rows = compareTranscripts(spoken, now);
    const restored = restoreRows(now, rows.filter((row) => row.after[0]?.id === 's1').slice(0, 1), spoken);
    const text = after(now, () => restored);
    expect(text.segments[0]?.words).toEqual(spoken.segments[0]?.words);
    expect(text.segments.at(-1)?.text).toBe('ipak va atlas rahmat katta');
    expect(findViolations(text)).toEqual([]);
    const all = after(now, () => restoreRows(now, rows, spoken));
    expect(all.segments.map((segment) => segment.text)).toEqual(spoken.segments.map((segment) => segment.text));
  });

  it('choosing between two texts paragraph by paragraph breaks no rule; one side throughout is that text', () => {
    const edited = fc
      .array(fc.tuple(fc.nat(9), fc.nat(30), fc.nat(3)), { maxLength: 8 })
      .map((plan) => editedBy(spoken, plan));
    const choice = fc.constantFrom<RowChoice>('mine', 'theirs', 'both');
    fc.assert(
      fc.property(edited, edited, fc.array(choice, { minLength: 12, maxLength: 12 }), (mine, theirs, chosen) => {
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
      }),
    );
  });

  it('a paragraph that is taken over may lie in time between those of another row', () => {
    const [first, second, third] = spoken.segments.slice(0, 3);
    const mine = { ...spoken, segments: [first!, third!] };
    const joined = { ...first!, startMs: second!.endMs, endMs: third!.endMs, text: third!.text, words: third!.words };
    const theirs = { ...spoken, segments: [second!, joined] };
    const rows = compareTranscripts(theirs, mine);
    expect(rows.map(({ before, after: now }) => [before.length, now.length])).toEqual([
      [1, 0],
      [1, 2],
    ]);
    const merged = chooseRows(mine, theirs, rows, (row) => (row.after.length === 0 ? 'theirs' : 'both'));
    const text = after(mine, () => merged);
    expect(findViolations(text)).toEqual([]);
    expect(text.segments.map((one) => one.text).toSorted()).toEqual(
      [first!.text, second!.text, third!.text, third!.text].toSorted(),
    );
  });

  it('of two texts that came from one, what only one side changed is found, whatever numbers the service gave', () => {
    /** As it comes back from the service: the same words, segments and speakers numbered anew. */
    const received = (text: Transcript): Transcript => ({
      ...text,
      segments: withoutStruckWords(text).segments.map((segment, at) => ({ ...segment, id: `s${at + 1}` })),
    });
    const reword =
      (at: number, typed: string): Edit =>
      (now) =>
        replaceText(now, now.segments[at]?.id ?? '', typed);
    const base = after(spoken, (now) => splitSegment(now, 's1', 6, 'new'));
    const mine = after(base, reword(1, 'dunyo mening'), reword(2, 'ikki tomon men'), (now) =>
      markWords(now, [{ segmentId: 's4', from: 0, to: 1 }], 'cut'),
    );
    const theirs = received(after(base, reword(2, 'ikki tomon ular'), reword(3, 'ipak va ular')));
    const rows = compareTranscripts(theirs, mine).filter(({ isSame }) => !isSame);
    const changed = rows.map(sideThatChanged(base, mine, theirs));
    expect(changed).toContain(null);
    // Whatever it says of a row, it takes nobody's own change away.
    const side = sideThatChanged(base, mine, theirs);
    for (const row of rows) {
      const said = [row.before, row.after].map((part) => part.map(({ text }) => text).join(' '));
      if (/ular/u.test(said[0] ?? '')) expect(side(row)).not.toBe('mine');
      if (/men/u.test(said[1] ?? '')) expect(side(row)).not.toBe('theirs');
    }
    const shorter = after(spoken, (now) => deleteSegments(now, new Set(['s4'])));
    const [gone] = compareTranscripts(spoken, shorter).filter(({ isSame }) => !isSame);
    expect(
      gone &&
        [
          [shorter, spoken],
          [spoken, shorter],
        ].map(([one = spoken, other = spoken]) =>
          sideThatChanged(
            spoken,
            one,
            other,
          )(one === shorter ? gone : { ...gone, before: gone.after, after: gone.before }),
        ),
    ).toEqual(['mine', 'theirs']);
    // Segments that kept their numbers are told apart one by one.
    const [here, there] = [
      after(spoken, reword(0, 'salom mening'), reword(1, 'adras men')),
      received(after(spoken, reword(1, 'adras ular'), reword(2, 'ipak ular'))),
    ];
    const each = sideThatChanged(spoken, here, there);
    expect(
      compareTranscripts(there, here)
        .filter(({ isSame }) => !isSame)
        .map(each),
    ).toEqual(['mine', null, 'theirs']);
  });

  it('a paragraph that only one of two sides changed is never given to the other', () => {
    const plan = fc.array(fc.tuple(fc.nat(9), fc.nat(30), fc.nat(3)), { maxLength: 6 });
    fc.assert(
      fc.property(plan, plan, (first, second) => {
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
      }),
    );
  });

  it('restoring any paragraphs of any earlier version breaks no rule', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(9), fc.nat(30), fc.nat(3)), { maxLength: 12 }),
        fc.nat(5),
        (plan, chosen) => {
          const now = editedBy(spoken, plan);
          const rows = compareTranscripts(spoken, now).filter((row) => !row.isSame);
          const restored = restoreRows(now, rows.slice(0, chosen), spoken);
          if (restored.ok) expect(findViolations(after(now, () => restored))).toEqual([]);
        },
      ),
    );
  });
});
