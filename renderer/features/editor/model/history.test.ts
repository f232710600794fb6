import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../../tests/support/for-all.ts';
import { applied } from '../../../../tests/support/edited.ts';
import { ok } from '../../../../shared/result/result.ts';
import type { Change } from '../../../../shared/domain/transcript/change.ts';
import { mergeSegments, replaceText, splitSegment } from '../../../../shared/domain/transcript/edit-segments.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import {
  emptyHistory,
  entryToExtend,
  recordEntry,
  redoStep,
  takeInCorrection,
  undoStep,
  type History,
} from './text-document.ts';
import { packChange, unpackChange } from '../../../../shared/domain/transcript/packed.ts';
import { listVersions, stepsToUndo, type SavedStep } from '../../../../shared/domain/transcript/versions.ts';

describe('history', () => {
  const entry = (label: string, atMs: number, mergeKey: string | null) => ({
    label,
    forward: [{ type: 'shift' as const, from: 0, byMs: atMs + 1 }],
    backward: [{ type: 'shift' as const, from: 0, byMs: -atMs - 1 }],
    caretBefore: { segmentId: 's1', offset: atMs },
    caretAfter: null,
    mergeKey,
    atMs,
    isCorrection: false,
  });

  it('undoes six hundred steps, each with the caret where it was, and redoes them', () => {
    let history: History = emptyHistory;
    for (let step = 0; step < 600; step += 1) history = recordEntry(history, entry(`step ${String(step)}`, step, null));
    const labels: string[] = [];
    for (let undone = undoStep(history); undone !== null; undone = undoStep(history)) {
      history = undone.history;
      labels.push(undone.entry.label);
      expect(undone.entry.caretBefore?.offset).toBe(600 - labels.length);
    }
    expect(labels).toHaveLength(600);
    for (let redone = redoStep(history); redone !== null; redone = redoStep(history)) history = redone.history;
    expect(history.past).toHaveLength(600);
  });

  it('makes one step of typing without a pause, and starts another after one', () => {
    let history = recordEntry(emptyHistory, entry('type', 0, 'text:s1'));
    history = recordEntry(history, entry('type', 400, 'text:s1'));
    expect(history.past).toHaveLength(1);
    expect(history.past[0]?.backward).toMatchObject([{ byMs: -401 }, { byMs: -1 }]);
    expect(history.past[0]?.caretBefore?.offset).toBe(0);
    expect(entryToExtend(history, 'text:s1', 2_000)).toBeNull();
    history = recordEntry(history, entry('type', 2_000, 'text:s1'));
    history = recordEntry(history, entry('type', 2_100, 'text:s2'));
    expect(history.past).toHaveLength(3);
  });

  it('a correction is a step of its own until editing goes on, and then one step with what was typed', () => {
    const typed = recordEntry(emptyHistory, entry('type', 0, null));
    expect(takeInCorrection(typed)).toBe(typed);
    const corrected = recordEntry(typed, { ...entry('type', 50, 'text:s1'), isCorrection: true });
    expect(undoStep(corrected)?.history.past).toEqual(typed.past);
    const joined = takeInCorrection(corrected);
    expect(joined.past).toHaveLength(1);
    expect(joined.past[0]).toMatchObject({ mergeKey: 'text:s1', isCorrection: false });
    expect(joined.past[0]?.caretBefore?.offset).toBe(0);
    expect(joined.past[0]?.backward).toEqual(corrected.past.toReversed().flatMap(({ backward }) => backward));
  });
});

describe('the list of versions', () => {
  const minute = 60_000;
  const note = (number: number, atMs: number, label = 'type', name: string | null = null) => ({
    number,
    atMs,
    label,
    name,
  });

  it('names, ends of sessions and the state before a large edit are versions; typing in between is counted', () => {
    const listed = listVersions([
      note(1, 0),
      note(2, minute),
      note(3, 90 * minute, 'type', 'Checked'),
      note(4, 91 * minute),
      note(5, 92 * minute, 'replace-all'),
      note(6, 93 * minute, 'replace-all'),
      note(7, 94 * minute),
    ]);
    expect(listed.map(({ kind, revision, label, editCount }) => [kind, revision, label, editCount])).toEqual([
      ['now', 7, null, 3],
      ['before', 4, 'replace-all', 1],
      ['named', 3, null, 1],
      ['session', 2, null, 2],
      ['service', 0, null, 0],
    ]);
  });
});

it('what was saved can be undone after a restart: every step that was not undone, back to the beginning', () => {
  const begun = toTranscript(
    {
      text: '',
      segments: ['bir ikki', 'uch toʻrt'].map((text, at) => ({
        text,
        startMs: at * 2000,
        endMs: at * 2000 + 1500,
        words: [],
      })),
    },
    { language: 'uz' },
  );
  const act = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('type' as const),
        word: fc.constantFrom('bir', 'olti', 'yetti sakkiz'),
      }),
    },
    fc.record({ kind: fc.constantFrom('split' as const, 'merge' as const) }),
    // An undo takes back as many saved edits as were one step.
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), count: fc.integer({ min: 1, max: 3 }) }) },
    fc.record({ kind: fc.constant('redo' as const) }),
  );
  forAllIn(300, fc.array(act, { maxLength: 20 }), (acts) => {
    let now = begun;
    const saved: SavedStep[] = [];
    const done: SavedStep[] = [];
    const undone: SavedStep[][] = [];
    const save = (label: string, change: Change) => {
      const { transcript, inverse } = applied(now, ok(change));
      now = transcript;
      const step = { label, forward: packChange(change), backward: packChange(inverse) };
      saved.push(step);
      return step;
    };
    for (const [at, one] of acts.entries()) {
      const [first, second] = now.segments;
      if (one.kind === 'undo') {
        const group = done.splice(-one.count);
        if (group.length === 0) continue;
        save(
          'undo',
          group.toReversed().flatMap(({ backward }) => unpackChange(backward)),
        );
        undone.push(group);
      } else if (one.kind === 'redo') {
        const group = undone.pop();
        if (group !== undefined)
          done.push(
            save(
              'redo',
              group.flatMap(({ forward }) => unpackChange(forward)),
            ),
          );
      } else {
        const change =
          one.kind === 'type'
            ? replaceText(now, first?.id ?? '', `${first?.text ?? ''} ${one.word}`)
            : one.kind === 'split'
              ? splitSegment(now, first?.id ?? '', 4, `n${String(at)}`)
              : mergeSegments(now, first?.id ?? '', second?.id ?? '');
        if (!change.ok) continue;
        done.push(save(one.kind, change.value));
        undone.length = 0;
      }
    }
    const steps = stepsToUndo(saved);
    expect(steps).toEqual(done);
    let back = now;
    for (const { backward } of steps.toReversed()) back = applied(back, ok(unpackChange(backward))).transcript;
    expect(back.segments).toEqual(begun.segments);
  });
});

it('an undo of what is not known ends the steps: nothing before it leads to the text', () => {
  const set = (text: string): SavedStep['forward'] => [
    { type: 'set', segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: 9, text, words: [] }] },
  ];
  const typed = { label: 'type', forward: set('b'), backward: set('a') };
  const undo = { label: 'undo', forward: set('0'), backward: set('b') };
  expect(stepsToUndo([typed, undo])).toEqual([]);
  expect(stepsToUndo([undo, typed])).toEqual([typed]);
});
