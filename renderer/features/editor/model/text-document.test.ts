import { expect, test } from 'vitest';
import { deleteSegments, replaceText, splitSegment } from '../../../../shared/domain/transcript/edit-segments.ts';
import { applyChange } from '../../../../shared/domain/transcript/change.ts';
import { findViolations } from '../../../../shared/domain/transcript/find-violations.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { packedChange, unpackChange } from '../../../../shared/domain/transcript/packed.ts';
import { createTextDocument } from './text-document.ts';

const words = ['Bir', 'ikki', 'uch.'].map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400 }));
const start = toTranscript(
  {
    text: '',
    segments: [
      { text: 'Bir ikki uch.', words },
      { text: 'Toʻrt besh.', words: [] },
    ],
  },
  { language: 'uz', durationMs: 5000 },
);

interface Asked {
  readonly baseRevision: number;
  readonly edits: readonly { readonly label: string; readonly change: unknown }[];
}

function open(answer: (edits: Asked['edits']) => Result<number | null> | null = () => null) {
  let nowMs = 0;
  let onDisk: Transcript = start;
  let revision = 0;
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  const save = async ({ baseRevision, edits }: Asked): Promise<Result<number | null>> => {
    await Promise.resolve();
    const planned = answer(edits);
    if (planned !== null) return planned;
    if (baseRevision !== revision) return ok(null);
    for (const { change } of edits) {
      const applied = applyChange(onDisk, unpackChange(packedChange().parse(change)));
      if (!applied.ok) throw new Error(applied.error);
      onDisk = applied.value.transcript;
      revision += 1;
    }
    return ok(revision);
  };
  const request = async (_method: string, asked: Asked) => {
    const saved = await save(asked);
    return saved.ok ? ok({ revision: saved.value }) : saved;
  };
  const studio = { request } as unknown as Parameters<typeof createTextDocument>[1];
  const document = createTextDocument({ id: 't1', transcript: start, revision: 0 }, studio, {
    now: () => nowMs,
    after: (ms, run) => {
      const timer = { atMs: nowMs + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
    for (const timer of timers)
      if (timer.atMs <= nowMs) {
        timers.delete(timer);
        timer.run();
      }
  };
  const type = (text: string) =>
    document.edit('type', (t) => replaceText(t, 's1', text), {
      mergeKey: 'type:s1',
      caretBefore: { segmentId: 's1', offset: 3 },
    });
  const textNow = () => document.getState().transcript.segments.map(({ text }) => text);
  return { document, pass, type, textNow, onDisk: () => onDisk, revision: () => revision };
}

test('continuous typing is one step, a pause starts another, and undo restores exactly the former state, with the caret where it began', () => {
  const { document, type, textNow, pass } = open();
  for (const text of ['Birikki uch.', 'Bir ikki uch.', 'Bir ikkii uch.', 'Bir ikkita uch.']) {
    type(text);
    pass(100);
  }
  expect(textNow()[0]).toBe('Bir ikkita uch.');
  document.undo();
  expect(document.getState()).toMatchObject({ transcript: start, canUndo: false, canRedo: true });
  expect(document.getState().caret).toEqual({ segmentId: 's1', offset: 3 });
  document.redo();
  expect(textNow()[0]).toBe('Bir ikkita uch.');
  type('Bir ikki.');
  pass(1500);
  type('Bir.');
  document.undo();
  expect(textNow()[0]).toBe('Bir ikki.');
});

test('a word that was joined to another and split again has its own time as before, also on disk', async () => {
  const { document, type, onDisk } = open();
  type('Birikki uch.');
  await document.flush();
  type('Bir ikki uch.');
  expect(document.getState().transcript).toEqual(start);
  await document.flush();
  expect(onDisk()).toEqual(start);
});

test('everything is on disk soon after, identical to the screen, whatever was done meanwhile', async () => {
  const { document, type, pass, onDisk, revision } = open();
  type('Bir ikki toʻrt.');
  document.edit('split', (t) => splitSegment(t, 's1', 4, 'new'));
  pass(800);
  expect(document.getState().saving).toBe('saving');
  document.undo();
  document.edit('delete', (t) => deleteSegments(t, new Set(['s2'])));
  await document.flush();
  expect(onDisk()).toEqual(document.getState().transcript);
  expect([document.getState().saving, revision()]).toEqual(['saved', 4]);
});

test('an edit that fails to be written is retried, before what was typed meanwhile', async () => {
  let isFull = true;
  const { document, type, pass, onDisk } = open(() => {
    if (!isFull) return null;
    type('Bir besh.');
    isFull = false;
    return err(makeFailure('disk-full'));
  });
  type('Bir.');
  await document.flush();
  expect(document.getState()).toMatchObject({ saving: 'failed', failure: { kind: 'disk-full' } });
  pass(6000);
  await document.flush();
  expect(document.getState().saving).toBe('saved');
  expect(onDisk()).toEqual(document.getState().transcript);
});

test('nothing is called saved while what was typed during a save waits for the next one', async () => {
  let isFirst = true;
  const { document, type, pass } = open(() => {
    if (isFirst) type('Bir besh.');
    isFirst = false;
    return null;
  });
  type('Bir.');
  await document.flush();
  expect(document.getState().saving).toBe('saving');
  pass(800);
  await document.flush();
  expect(document.getState().saving).toBe('saved');
});

test('a text that was changed elsewhere is not overwritten', async () => {
  const { document, type, onDisk } = open(() => ok(null));
  type('Bir.');
  await document.flush();
  expect(document.getState().saving).toBe('stale');
  type('Bir besh.');
  await document.flush();
  expect(onDisk()).toEqual(start);
});

test('no step makes a text shorter than the recording that was attached to it, and attaching one is no step', async () => {
  const { document, onDisk } = open();
  document.edit('edge', () => ok([{ type: 'duration', durationMs: 6000 }]));
  document.setRecordingLength(10_000);
  expect(document.getState().transcript.durationMs).toBe(10_000);
  document.undo();
  await document.flush();
  expect(document.getState()).toMatchObject({ canUndo: false, transcript: { durationMs: 10_000 } });
  expect(onDisk().durationMs).toBe(10_000);
  // Another recording may be shorter; what is said after its end stays.
  document.setRecordingLength(1);
  expect(document.getState().transcript.durationMs).toBe(start.segments.at(-1)?.endMs);
});

test('undoing brings back what was deleted before a shorter recording was attached, and nothing is after the end', async () => {
  const { document, onDisk } = open();
  const last = start.segments.at(-1);
  document.edit('delete', (t) => deleteSegments(t, new Set([last?.id ?? ''])));
  document.setRecordingLength(1);
  expect(document.getState().transcript.durationMs).toBeLessThan(last?.endMs ?? 0);
  document.undo();
  expect(findViolations(document.getState().transcript)).toEqual([]);
  document.redo();
  document.undo();
  await document.flush();
  expect(onDisk().segments).toEqual(start.segments);
  expect(document.getState().transcript.durationMs).toBe(last?.endMs);
});
