import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Segment, Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { createEditorStore, zoomRange } from './editor-store.ts';
import { listSpeakers, spansWithout, timingOf } from './speaker-list.ts';
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
  fc.assert(
    fc.property(transcript, fc.nat(30_000), (subject, time) => {
      const words = subject.segments.flatMap((segment) => segment.words).filter((word) => word.startMs <= time);
      const began = Math.max(...words.map((word) => word.startMs));
      const place = createTimeline(subject).wordAt(time);
      const word = place && subject.segments[place.segment]?.words[place.word];
      if (word) {
        expect(word.startMs).toBe(began);
        expect(time).toBeLessThan(word.endMs + 400);
      } else {
        for (const last of words.filter((candidate) => candidate.startMs === began)) {
          if (words.filter((candidate) => candidate.startMs === began).length === 1) {
            expect(time).toBeGreaterThanOrEqual(last.endMs);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('when the last word ends, none that began before it is marked again', () => {
  const word = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs });
  const said = (id: string, words: readonly ReturnType<typeof word>[]): Segment => ({
    id,
    speakerId: null,
    startMs: words[0]?.startMs ?? 0,
    endMs: words.at(-1)?.endMs ?? 0,
    text: words.map(({ text }) => text).join(' '),
    words,
  });
  const segments = [
    said('s1', [word('bir', 500, 520), word('ikki', 520, 540)]),
    said('s2', [word('uch', 519, 541), word('toʻrt', 941, 961)]),
  ];
  const timeline = createTimeline({ language: 'uz', durationMs: 1961, speakers: [], segments });
  expect(timeline.wordAt(939)).toEqual({ segment: 0, word: 1 });
  expect(timeline.wordAt(940)).toBeNull();
});

test('the segment at a time is audible then, and none is missed', () => {
  fc.assert(
    fc.property(transcript, fc.nat(30_000), (subject, time) => {
      const at = createTimeline(subject).segmentAt(time);
      const sounding = subject.segments.filter((segment) => segment.startMs <= time && segment.endMs > time);
      expect(at >= 0).toBe(sounding.length > 0);
      if (at >= 0) expect(sounding).toContain(subject.segments[at]);
    }),
  );
});

test('next and previous always move, and stay inside the recording', () => {
  fc.assert(
    fc.property(transcript, fc.nat(30_000), (subject, time) => {
      const timeline = createTimeline(subject);
      const next = timeline.nextStartMs(time);
      if (next !== null) expect(next).toBeGreaterThan(time);
      const previous = timeline.previousStartMs(time);
      expect(previous).toBeGreaterThanOrEqual(0);
      if (time > 0) expect(previous).toBeLessThanOrEqual(time);
    }),
  );
});

test('every word is found at its own position in the text, equal words at different ones', () => {
  fc.assert(
    fc.property(transcript, (subject) => {
      for (const segment of subject.segments) {
        const layout = wordLayout(segment);
        expect(layout.ranges.map(([from, to]) => layout.text.slice(from, to))).toEqual(
          segment.words.map((w) => w.text),
        );
        for (const [index, [from, to]] of layout.ranges.entries()) {
          expect(wordAtOffset(layout, from)).toBe(index);
          expect(wordAtOffset(layout, to - 1)).toBe(index);
        }
      }
    }),
  );
});

test('if the text does not contain its words, the words are shown', () => {
  const words = [{ text: 'salom', startMs: 0, endMs: 10 }];
  const segment: Segment = { id: 's', speakerId: null, startMs: 0, endMs: 10, text: 'Xayr', words };
  expect(wordLayout(segment)).toEqual({ text: 'salom', ranges: [[0, 5]] });
});

test('a segment without words keeps its text', () => {
  const segment: Segment = { id: 's', speakerId: null, startMs: 0, endMs: 10, text: 'Musiqa', words: [] };
  expect(wordLayout(segment).text).toBe('Musiqa');
  expect(wordAtOffset(wordLayout(segment), 3)).toBe(-1);
});

test('the shares of the speakers add up to the whole speech', () => {
  fc.assert(
    fc.property(transcript, (subject) => {
      const speakers = listSpeakers(subject, (number) => `Speaker ${String(number)}`);
      expect(speakers[1]?.name).toBe('Zulfiya opa');
      expect(speakers[2]?.name).toBe('Speaker 3');
      const sum = speakers.reduce((total, speaker) => total + speaker.share, 0);
      expect(sum).toBeCloseTo(subject.segments.length === 0 ? 0 : 1, 6);
    }),
  );
});

test('estimated times are marked only if some other times are exact', () => {
  const base = { id: 'a', text: 'a', startMs: 0, endMs: 1 };
  const of = (words: Segment['words']): Transcript => ({
    language: 'en',
    durationMs: 1,
    speakers: [],
    segments: [{ id: 's', speakerId: null, startMs: 0, endMs: 1, text: '', words }],
  });
  expect(timingOf(of([base]))).toBe('given');
  expect(timingOf(of([{ ...base, isEstimated: true }]))).toBe('all-estimated');
  expect(timingOf(of([base, { ...base, isEstimated: true }]))).toBe('some-estimated');
});

test('zoom stays between a second and a half and ten minutes, and ends where the recording does', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8_000_000 }),
      fc.integer({ min: 1, max: 8_000_000 }),
      fc.array(fc.constantFrom('zoomIn' as const, 'zoomOut' as const, 'zoomToFit' as const), { maxLength: 40 }),
      (said, measured, steps) => {
        const store = createEditorStore(said);
        for (const step of steps) store[step]();
        store.measure(measured);
        const { visibleMs } = store.getState();
        const { leastMs, mostMs } = zoomRange(measured);
        expect(mostMs).toBeLessThanOrEqual(Math.min(measured, 600_000));
        expect(leastMs).toBe(Math.min(1500, measured));
        expect(visibleMs >= leastMs && visibleMs <= mostMs).toBe(true);
      },
    ),
  );
});

test('a search result opens at its word, in any spelling; a segment without it opens at its start', () => {
  const word = (text: string, startMs: number) => ({ text, startMs, endMs: startMs + 90 });
  const segments: readonly Segment[] = [
    {
      id: 'a',
      speakerId: null,
      startMs: 0,
      endMs: 190,
      text: 'Ustaning soʻzi',
      words: [word('Ustaning', 0), word('soʻzi', 100)],
    },
    {
      id: 'b',
      speakerId: null,
      startMs: 200,
      endMs: 390,
      text: 'Ustaning gʻalabasi',
      words: [word('Ustaning', 200), word('gʻalabasi', 300)],
    },
  ];
  const transcript: Transcript = { language: 'uz', durationMs: 400, speakers: [], segments };
  expect(momentOfWords(transcript, 200, 'ғалаба')).toBe(300);
  expect(momentOfWords(transcript, 200, "g'alaba")).toBe(300);
  expect(momentOfWords(transcript, 0, 'galaba')).toBe(0);
  expect(momentOfWords(transcript, 120, 'galaba')).toBe(120);
});

test('one speaker alone: what is left out and what they say makes up the whole recording; nobody leaves out nothing', () => {
  fc.assert(
    fc.property(transcript, (spoken) => {
      const rest = spansWithout(spoken, '1');
      const own = spoken.segments.filter(({ speakerId }) => speakerId === '1');
      for (const { startMs, endMs } of rest)
        expect(own.some((segment) => segment.startMs < endMs && segment.endMs > startMs)).toBe(false);
      if (own.length === 0) expect(rest).toEqual([]);
    }),
  );
  const said = (id: string, speakerId: string, startMs: number) => ({
    id,
    speakerId,
    startMs,
    endMs: startMs + 1000,
    text: '',
    words: [],
  });
  const segments = [said('1', 'a', 500), said('2', 'b', 2000), said('3', 'a', 4000)];
  expect(spansWithout({ segments, durationMs: 6000 }, 'a')).toEqual([
    { startMs: 0, endMs: 500 },
    { startMs: 1500, endMs: 4000 },
    { startMs: 5000, endMs: 6000 },
  ]);
});

test.each([
  ['Usta Rahmatillo', 'UR'],
  ['Gʻani Oʻrinov', 'GʻOʻ'],
  ["G'ani O‘rinov", "G'O‘"],
  ['Aʼzam Ibrohimov', 'AI'],
  ['Oydin Karimova-Rahmatullayeva, professor', 'OK'],
  ['dilnoza', 'D'],
  [null, 'S1'],
] as const)('the initials of %s are %s', (name, initials) => {
  const [speaker] = listSpeakers({ speakers: [{ id: 'a', name }], segments: [] }, (n) => `Speaker ${String(n)}`);
  expect(speaker?.initials).toBe(initials);
});
