import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { edited } from '../../../tests/support/edited.ts';
import type { Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { markWords } from './edit-marks.ts';
import { mergeSegments, replaceText, splitSegment } from './edit-segments.ts';
import type { Transcript } from './transcript.ts';

const transcriptOf = (text: string): Transcript => ({
  language: 'uz',
  durationMs: 60_000,
  speakers: [
    { id: 'a', name: null },
    { id: 'b', name: null },
  ],
  segments: [
    {
      id: 's1',
      speakerId: 'a',
      startMs: 0,
      endMs: text.split(' ').length * 1000,
      text,
      words: text.split(' ').map((word, at) => ({ text: word, startMs: at * 1000, endMs: at * 1000 + 900 })),
    },
  ],
});
type Operation = (now: Transcript) => Result<Change, EditRefusal>;
const after = (start: Transcript, ...operations: readonly Operation[]): Transcript =>
  operations.reduce((now, operate) => edited(now, operate(now)), start);
const split =
  (id: string, offset: number, newId: string): Operation =>
  (now) =>
    splitSegment(now, id, offset, newId);
const merge =
  (firstId: string, secondId: string): Operation =>
  (now) =>
    mergeSegments(now, firstId, secondId);
const type =
  (id: string, text: string): Operation =>
  (now) =>
    replaceText(now, id, text);
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

const start = transcriptOf('bizning kulolchilik ustaxonamiz');
const inside = 'bizning kul'.length;

describe('a word that a split cut in two', () => {
  it('is what it was when its segments are joined, whatever else was done meanwhile', () => {
    expect(after(start, split('s1', inside, 's2'), merge('s1', 's2'))).toEqual(start);
    const twice = after(start, split('s1', inside, 's2'), split('s2', 3, 's3'));
    expect(textsOf(twice)).toEqual(['bizning kul', 'olc', 'hilik ustaxonamiz']);
    expect(after(twice, merge('s2', 's3'), merge('s1', 's2'))).toEqual(start);
  });

  it('is one word with the letters that its halves have by then', () => {
    const typed = after(
      start,
      split('s1', inside, 's2'),
      type('s2', 'olchiligi ustaxonamiz'),
      type('s1', 'Bizning ku'),
      merge('s1', 's2'),
    );
    expect(textsOf(typed)).toEqual(['Bizning kuolchiligi ustaxonamiz']);
    const word = { text: 'kuolchiligi', startMs: 1000, endMs: 1900, isEstimated: true };
    expect(typed.segments[0]?.words[1]).toEqual(word);
  });

  it('stays two words where another word came between, or only one half is to be hidden', () => {
    const cut = after(start, split('s1', inside, 's2'));
    for (const typed of [type('s1', 'bizning kul va'), type('s2', 'va olchilik ustaxonamiz')])
      expect(textsOf(after(cut, typed, merge('s1', 's2')))).toEqual(['bizning kul va olchilik ustaxonamiz']);
    const redacted = after(cut, (now) => markWords(now, [{ segmentId: 's2', from: 0, to: 1 }], 'redacted'));
    expect(textsOf(after(redacted, merge('s1', 's2')))).toEqual(['bizning kul olchilik ustaxonamiz']);
  });

  it('is whole again wherever it was cut', () => {
    forAll(fc.nat({ max: start.segments[0]?.text.length ?? 0 }), (offset) => {
      const made = splitSegment(start, 's1', offset, 's2');
      fc.pre(made.ok);
      expect(after(start, () => made, merge('s1', 's2'))).toEqual(start);
    });
  });
});

it('merging with what somebody said meanwhile keeps the end and the times of the longer segment', () => {
  const start = transcriptOf('bir ikki uch toʻrt besh');
  const [long] = start.segments;
  if (long === undefined) throw new Error('no segment');
  const meanwhile = { ...long, id: 's2', speakerId: 'b', startMs: 2000, endMs: 3000, text: 'ha', words: [] };
  const [merged] = after({ ...start, segments: [long, meanwhile] }, (now) => mergeSegments(now, 's1', 's2')).segments;
  expect(merged).toMatchObject({ startMs: 0, endMs: 5000, text: 'bir ikki uch toʻrt besh ha' });
  expect(merged?.words).toEqual(long.words);
});
