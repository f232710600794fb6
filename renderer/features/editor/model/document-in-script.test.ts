import { expect, it } from 'vitest';
import { moveEdgeRippling, replaceText } from '../../../../shared/domain/transcript/edit-segments.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { ok } from '../../../../shared/result/result.ts';
import { documentInScript } from './document-in-script.ts';
import { createTextDocument, type TextDocument } from './text-document.ts';

const segmentOf = (id: string, text: string, startMs: number) => ({
  id,
  speakerId: null,
  startMs,
  endMs: startMs + 1000,
  text,
  words: [{ text, startMs, endMs: startMs + 1000 }],
});
const start: Transcript = {
  language: 'uz',
  durationMs: 60_000,
  speakers: [],
  segments: [segmentOf('s1', 'salom', 0), segmentOf('s2', 'bu', 1000)],
};
const opened = () =>
  createTextDocument(start, 0, {
    save: (revision) => Promise.resolve(ok(revision + 1)),
    now: () => 0,
    after: () => () => undefined,
  });
const textsOf = ({ document }: { readonly document: TextDocument }) =>
  document.getState().transcript.segments.map(({ text }) => text);

it('what was typed in the other letters is shown as it was typed when they are chosen again, shifted or undone', () => {
  const stored = opened();
  documentInScript(stored, 'cyrillic').document.edit('type', (shown) => replaceText(shown, 's2', 'щётка'));
  expect(textsOf(documentInScript(stored, 'as-written'))).toEqual(['salom', 'shyotka']);
  expect(textsOf(documentInScript(stored, 'cyrillic'))).toEqual(['салом', 'щётка']);
  documentInScript(stored, 'as-written').document.edit('edge', (now) => moveEdgeRippling(now, 's1', 'end', 1500));
  expect(textsOf(documentInScript(stored, 'cyrillic'))).toEqual(['салом', 'щётка']);
  stored.undo();
  expect(textsOf(documentInScript(stored, 'cyrillic'))).toEqual(['салом', 'щётка']);
  stored.undo();
  expect(textsOf(documentInScript(stored, 'cyrillic'))).toEqual(['салом', 'бу']);
});

it('a document has one view in each script', () => {
  const stored = opened();
  expect(documentInScript(stored, 'cyrillic')).toBe(documentInScript(stored, 'cyrillic'));
  expect(documentInScript(stored, 'latin')).not.toBe(documentInScript(stored, 'cyrillic'));
  expect(documentInScript(stored, 'cyrillic')).not.toBe(documentInScript(opened(), 'cyrillic'));
  expect(documentInScript(stored, 'as-written').document).toBe(stored);
});
