import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll, forAllIn } from '../../../../tests/support/for-all.ts';
import type { Segment, Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { spansWithout } from './speaker-list.ts';
import { createTimeline } from './timeline.ts';
import { momentOfWords, wordAtOffset, wordLayout } from './word-layout.ts';

const wordText = fc.constantFrom('adras', 'boʻyoq', 'va', 'va', 'naqsh,', 'ish.', 'съёмка', '😀');

/** Segments of several speakers in order of start, some at the same time, each with words inside it. */
const transcript: fc.Arbitrary<Transcript> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: -800, max: 1500 }),
      words: fc.array(fc.record({ text: wordText, pause: fc.nat(600), length: fc.integer({ min: 20, max: 900 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
      speaker: fc.nat(2),
    }),
    { maxLength: 25 },
  )
  .map((plan) => {
    let at = 500;
    let earliest = 0;
    const segments = plan.map(({ gap, words, speaker }, index): Segment => {
      const startMs = Math.max(earliest, at + gap);
      earliest = startMs;
      let time = startMs;
      const timed = words.map(({ text, pause, length }, word) => {
        const from = time + (word === 0 ? 0 : pause);
        time = from + length;
        return { id: `${String(index)}-${String(word)}`, text, startMs: from, endMs: time };
      });
      at = time;
      return {
        id: String(index),
        speakerId: String(speaker),
        startMs,
        endMs: time,
        text: timed.map((word) => word.text).join(' '),
        words: timed,
      };
    });
    return {
      language: 'uz',
      durationMs: at + 1000,
      speakers: ['0', '1', '2'].map((id) => ({ id, name: id === '1' ? 'Zulfiya opa' : null })),
      segments,
    };
  });

test('the marked word is the one that began last, until it and the pause after it end', () => {
  forAllIn(300, transcript, fc.nat(30_000), (subject, time) => {
    const words = subject.segments.flatMap((segment) => segment.words).filter((word) => word.startMs <= time);
    const began = Math.max(...words.map((word) => word.startMs));
    const place = createTimeline(() => subject).wordAt(time);
    const word = place && subject.segments[place.segment]?.words[place.word];
    const latest = words.filter((candidate) => candidate.startMs === began);
    if (word) {
      expect(word.startMs).toBe(began);
      expect(time).toBeLessThan(word.endMs + 400);
    } else if (latest.length === 1) expect(time).toBeGreaterThanOrEqual(latest[0]?.endMs ?? 0);
  });
});

test('the segment at a time is audible then, and none is missed', () => {
  forAll(transcript, fc.nat(30_000), (subject, time) => {
    const at = createTimeline(() => subject).segmentAt(time);
    const sounding = subject.segments.filter((segment) => segment.startMs <= time && segment.endMs > time);
    expect(at >= 0).toBe(sounding.length > 0);
    if (at >= 0) expect(sounding).toContain(subject.segments[at]);
  });
});

test('every word is found at its own position in the text, equal words at different ones', () => {
  forAll(transcript, (subject) => {
    for (const segment of subject.segments) {
      const layout = wordLayout(segment);
      expect(layout.ranges.map(([from, to]) => layout.text.slice(from, to))).toEqual(segment.words.map((w) => w.text));
      for (const [index, [from, to]] of layout.ranges.entries()) {
        expect(wordAtOffset(layout, from)).toBe(index);
        expect(wordAtOffset(layout, to - 1)).toBe(index);
      }
    }
  });
});

test('a search result opens at its word, in any spelling; a segment without it opens at its start', () => {
  const said = (id: string, startMs: number, text: string): Segment => {
    const words = text.split(' ').map((word, at) => ({ text: word, startMs: startMs + at * 100, endMs: startMs + 90 }));
    return { id, speakerId: null, startMs, endMs: startMs + 190, text, words };
  };
  const segments = [said('a', 0, 'Ustaning soʻzi'), said('b', 200, 'Ustaning gʻalabasi')];
  const transcript: Transcript = { language: 'uz', durationMs: 400, speakers: [], segments };
  expect(momentOfWords(transcript, 200, 'ғалаба')).toBe(300);
  expect(momentOfWords(transcript, 0, 'galaba')).toBe(0);
  expect(momentOfWords(transcript, 120, 'galaba')).toBe(120);
});

test('one speaker alone: what is left out and what they say makes up the whole recording; nobody leaves out nothing', () => {
  forAll(transcript, (spoken) => {
    const rest = spansWithout(spoken, '1');
    const own = spoken.segments.filter(({ speakerId }) => speakerId === '1');
    for (const { startMs, endMs } of rest)
      expect(own.some((segment) => segment.startMs < endMs && segment.endMs > startMs)).toBe(false);
    if (own.length === 0) expect(rest).toEqual([]);
  });
  const said = (speakerId: string, startMs: number): Segment => {
    return { id: String(startMs), speakerId, startMs, endMs: startMs + 1000, text: '', words: [] };
  };
  const segments = [said('a', 500), said('b', 2000), said('a', 4000)];
  expect(spansWithout({ segments, durationMs: 6000 }, 'a')).toEqual([
    { startMs: 0, endMs: 500 },
    { startMs: 1500, endMs: 4000 },
    { startMs: 5000, endMs: 6000 },
  ]);
});
