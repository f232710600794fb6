import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { edited } from '../../../tests/support/edited.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { replaceText, insertSegment } from './edit-segments.ts';
import type { Segment, TimeSpan, Transcript } from './transcript.ts';

const said = (id: string, speakerId: string, startMs: number, endMs: number): Segment => ({
  id,
  speakerId,
  startMs,
  endMs,
  text: 'bir',
  words: [{ text: 'bir', startMs, endMs }],
});
const transcript: Transcript = {
  language: 'uz',
  durationMs: 20_000,
  speakers: [
    { id: 'a', name: null },
    { id: 'b', name: null },
  ],
  segments: [
    said('1', 'a', 1000, 5000),
    said('2', 'b', 3000, 4000),
    said('3', 'a', 10_000, 12_000),
    said('4', 'a', 12_040, 13_000),
  ],
};
const after = (start: Transcript, wanted: number | TimeSpan, gapMs = 0): Transcript | null => {
  const change = insertSegment(start, 'new', wanted, gapMs);
  return change.ok ? edited(start, change) : null;
};
const madeAt = (wanted: number | TimeSpan, gapMs = 0) => {
  const segments = after(transcript, wanted, gapMs)?.segments ?? [];
  const at = segments.findIndex(({ id }) => id === 'new');
  const made = segments[at];
  return made === undefined ? null : [at, made.startMs, made.endMs, made.speakerId];
};

describe('a new segment', () => {
  it('takes two seconds of a gap from its time on, or the rest of the gap, and the speaker before it', () => {
    expect(madeAt(6000)).toEqual([2, 6000, 8000, 'b']);
    expect(madeAt(9000)).toEqual([2, 9000, 10_000, 'b']);
    expect(madeAt(5000)).toEqual([2, 5000, 7000, 'b']);
    expect(madeAt(19_500)).toEqual([4, 19_500, 20_000, 'a']);
    expect(madeAt(9990)).toEqual([2, 9950, 10_000, 'b']);
  });

  it('has the speaker after it when nobody spoke before', () => {
    expect(madeAt(0)).toEqual([0, 0, 1000, 'a']);
    expect(after({ ...transcript, segments: [] }, 400)?.segments).toEqual([
      { id: 'new', speakerId: null, startMs: 400, endMs: 2400, text: '', words: [] },
    ]);
  });

  const place = fc.oneof(
    fc.nat(40_000),
    fc.tuple(fc.nat(40_000), fc.nat(9000)).map(([startMs, length]) => ({ startMs, endMs: startMs + length })),
  );
  const spaced = anyTranscript.map((some) => ({ ...some, durationMs: some.durationMs + 5000 }));

  it('lies beside all the others and leaves them as they were; words typed into it have estimated times', () => {
    forAll(spaced, place, fc.nat(500), (start, wanted, gapMs) => {
      const inserted = after(start, wanted, gapMs);
      fc.pre(inserted !== null);
      const made = inserted.segments.find(({ id }) => id === 'new');
      const others = inserted.segments.filter((segment) => segment !== made);
      expect(others).toEqual(start.segments);
      for (const { startMs, endMs } of others)
        expect(startMs === endMs || endMs <= (made?.startMs ?? 0) || startMs >= (made?.endMs ?? 0)).toBe(true);
      const typed = edited(inserted, replaceText(inserted, 'new', 'bir ikki'));
      const text = typed.segments.find(({ id }) => id === 'new');
      expect(text?.words.map((word) => [word.text, word.isEstimated])).toEqual([
        ['bir', true],
        ['ikki', true],
      ]);
      expect([text?.words[0]?.startMs, text?.words[1]?.endMs]).toEqual([made?.startMs, made?.endMs]);
    });
  });

  it('is in no export while it is empty, except in the one that keeps everything', () => {
    const facts = { title: 'Suhbat', madeAtMs: 0, media: null, nameSpeaker: () => 'a' };
    const inserted = after(transcript, 6000) ?? transcript;
    for (const exporter of Object.values(exporters).filter(({ id }) => id !== 'json'))
      expect([exporter.id, writeDocument(exporter, inserted, {}, facts)]).toEqual([
        exporter.id,
        writeDocument(exporter, transcript, {}, facts),
      ]);
  });
});
