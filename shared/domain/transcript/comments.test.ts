import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { applied, edited } from '../../../tests/support/edited.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { commentsIn, listComments, writeComment } from './comments.ts';
import { differenceOf } from './compare.ts';
import { markWords } from './edit-marks.ts';
import { acceptHeard, compareHeard } from './heard-again.ts';
import { mergeSegments, replaceText, splitSegment } from './edit-segments.ts';
import { toTranscript } from './from-received.ts';
import { packSegment, readSegments, unpackSegment, writeSegment } from './packed.ts';
import { offsetOfWord } from './spoken-text.ts';
import type { Transcript } from './transcript.ts';

/** Two segments of words that are all different, with times or with guesses. */
const anySpoken = fc
  .record({ counts: fc.tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 4 })), isTimed: fc.boolean() })
  .map(({ counts, isTimed }): Transcript => {
    const segments = counts.map((count, at) => {
      const words = Array.from({ length: count }, (_, place) => {
        const startMs = at * 9000 + place * 1000;
        return { text: `soʻz${String(at)}${String(place)}`, startMs, endMs: startMs + 900 };
      });
      const text = words.map((word) => word.text).join(' ');
      return { text, startMs: at * 9000, endMs: at * 9000 + 8900, words: isTimed ? words : [] };
    });
    return toTranscript({ text: '', segments }, { language: 'uz' });
  });
const anyEdits = fc.array(
  fc.record({ kind: fc.constantFrom('type', 'split', 'merge'), segment: fc.nat(9), place: fc.nat(12) }),
  { maxLength: 8 },
);
const wordsWith = ({ segments }: Transcript, id: string) =>
  segments.flatMap(({ words }) => words.filter(({ comment }) => comment?.id === id).map(({ text }) => text));

describe('a comment', () => {
  it('stays on its words, whatever is typed around them, split, joined, stored and undone', () => {
    forAll(anySpoken, fc.nat(7), fc.nat(7), anyEdits, (spoken, one, other, edits) => {
      const [first] = spoken.segments;
      const from = Math.min(one, other) % (first?.words.length ?? 1);
      const range = { segmentId: first?.id ?? '', from, to: from + 1 + (Math.max(one, other) % 3) };
      let now = edited(spoken, writeComment(spoken, { id: 'c', text: 'Tekshirish' }, [range]));
      const meant = wordsWith(now, 'c');
      expect(meant).toEqual(first?.words.slice(range.from, range.to).map(({ text }) => text));
      for (const [at, { kind, segment, place }] of edits.entries()) {
        const own = now.segments[segment % now.segments.length];
        const next = now.segments[(segment % now.segments.length) + 1];
        if (own === undefined) continue;
        const offset = offsetOfWord(own, place % own.words.length);
        const typed = `${own.text.slice(0, offset)}yangi${String(at)} ${own.text.slice(offset)}`;
        const change =
          kind === 'type'
            ? replaceText(now, own.id, typed)
            : kind === 'split'
              ? splitSegment(now, own.id, offset, `new${String(at)}`)
              : mergeSegments(now, own.id, next?.id ?? '');
        if (!change.ok) continue;
        const { transcript, inverse } = applied(now, change);
        expect(wordsWith(transcript, 'c').filter((text) => text.startsWith('soʻz'))).toEqual(meant);
        expect(edited(transcript, { ok: true, value: inverse })).toEqual(now);
        for (const stored of transcript.segments) {
          expect(unpackSegment(packSegment(stored))).toEqual(stored);
          const [sent] = readSegments(`[${writeSegment(packSegment(stored))}]`);
          expect(commentsIn({ id: stored.id, words: sent?.words ?? [] })).toEqual(commentsIn(stored));
        }
        now = transcript;
      }
    });
  });

  it('is on what replaces its words, goes with them when they are deleted, and takes no words of another', () => {
    const segments = [{ text: 'bir ikki uch toʻrt', startMs: 0, endMs: 4000, words: [] }];
    const spoken = toTranscript({ text: '', segments }, { language: 'uz' });
    const all = [{ segmentId: 's1', from: 0, to: 4 }];
    const one = edited(spoken, writeComment(spoken, { id: 'a', text: 'A' }, [{ segmentId: 's1', from: 1, to: 2 }]));
    const replaced = edited(one, replaceText(one, 's1', 'bir yana boshqa uch toʻrt'));
    expect(wordsWith(replaced, 'a')).toEqual(['yana', 'boshqa']);
    const deleted = edited(one, replaceText(one, 's1', 'bir uch toʻrt'));
    expect(listComments(deleted)).toEqual([]);
    const words = ['bir', 'boshqa', 'uch', 'toʻrt'].map((text, at) => ({
      text,
      startMs: at * 1000,
      endMs: at * 1000 + 900,
    }));
    const heard = compareHeard(one, { startMs: 0, endMs: 4000 }, words);
    expect(wordsWith(edited(one, acceptHeard(one, heard)), 'a')).toEqual(['boshqa']);
    expect(edited(one, { ok: true, value: differenceOf(one, spoken) })).toEqual(spoken);
    const both = edited(one, writeComment(one, { id: 'b', text: 'B' }, all));
    expect([wordsWith(both, 'a'), wordsWith(both, 'b')]).toEqual([['ikki'], ['bir', 'uch', 'toʻrt']]);
    expect(listComments(both).map((places) => places.map(({ from, to }) => [from, to]))).toEqual([
      [
        [0, 1],
        [2, 4],
      ],
      [[1, 2]],
    ]);
    const cut = edited(one, splitSegment(one, 's1', 6, 'new'));
    const head = edited(cut, writeComment(cut, { id: 'b', text: 'B' }, [{ segmentId: 's1', from: 0, to: 1 }]));
    expect(edited(cut, mergeSegments(cut, 's1', 'new'))).toEqual(one);
    const tail = edited(head, writeComment(head, { id: 'a', text: ' ' }, []));
    const onHalf = edited(tail, writeComment(tail, { id: 'd', text: 'D' }, [{ segmentId: 'new', from: 0, to: 1 }]));
    expect(wordsWith(edited(onHalf, mergeSegments(onHalf, 's1', 'new')), 'd')).toEqual(['ikki']);
    const jsonOf = (now: Transcript) => {
      const document = writeDocument(
        exporters.json,
        now,
        {},
        { title: 't', media: null, madeAtMs: 0, nameSpeaker: () => '' },
      );
      return document.kind === 'text' ? document.text : '';
    };
    expect(jsonOf(both)).toContain('"text": "B"');
    const masked = edited(both, markWords(both, [{ segmentId: 's1', from: 0, to: 1 }], 'redacted'));
    expect(jsonOf(masked)).toContain('"text": "A"');
    expect(jsonOf(masked)).not.toContain('"text": "B"');
    const rewritten = edited(both, writeComment(both, { id: 'b', text: 'B2' }, all));
    expect(listComments(rewritten).map(([place]) => place?.text)).toEqual(['B2', 'A']);
    expect(edited(both, writeComment(both, { id: 'b', text: ' ' }, all))).toEqual(one);
    expect(writeComment(one, { id: 'b', text: ' ' }, all)).toEqual({ ok: false, error: 'nothing-to-change' });
  });
});
