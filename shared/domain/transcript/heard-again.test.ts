import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { edited } from '../../../tests/support/edited.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import { acceptHeard, compareHeard } from './heard-again.ts';
import type { Transcript, Word } from './transcript.ts';

const timed = (text: string, startMs: number): Word[] =>
  text.split(' ').map((word, at) => ({ text: word, startMs: startMs + at * 500, endMs: startMs + at * 500 + 400 }));
const spoken = toTranscript(
  {
    text: '',
    segments: [
      { text: 'bir oydan qirg kungacha boʻladi', speaker: 'a', words: timed('bir oydan qirg kungacha boʻladi', 1000) },
      { text: 'ha albatta', speaker: 'b', words: timed('ha albatta', 4000) },
    ],
  },
  { language: 'uz', durationMs: 9000 },
);
const accepted = (transcript: Transcript, ...given: Parameters<typeof acceptHeard>[1]): Transcript =>
  edited(transcript, acceptHeard(transcript, given));

describe('listening again', () => {
  it('an accepted word has its new time; the words around it and outside of the span keep theirs', () => {
    const [change] = compareHeard(
      spoken,
      { startMs: 1000, endMs: 3500 },
      timed('bir oydan qirq kungacha boʻladi', 1030),
    );
    if (change === undefined) throw new Error('no change');
    const now = accepted(spoken, change);
    expect(now.segments[0]?.text).toBe('bir oydan qirq kungacha boʻladi');
    expect(now.segments[0]?.words[2]).toEqual({ text: 'qirq', startMs: 2030, endMs: 2430 });
    for (const at of [0, 1, 3, 4]) expect(now.segments[0]?.words[at]).toBe(spoken.segments[0]?.words[at]);
    expect(now.segments[1]).toBe(spoken.segments[1]);
  });

  it('words of two speakers go to whoever speaks at that time, and left out or added words are changes too', () => {
    const heard = [...timed('bir oydan qirg boʻladi', 1000), ...timed('ha ha albatta', 4000)];
    const changes = compareHeard(spoken, { startMs: 0, endMs: 9000 }, heard);
    expect(changes.map(({ segmentId, old, heard: now }) => [segmentId, old.length, now.length])).toEqual([
      ['s1', 1, 0],
      ['s2', 0, 1],
    ]);
    const now = accepted(spoken, ...changes);
    expect(now.segments.map(({ text }) => text)).toEqual(['bir oydan qirg boʻladi', 'ha ha albatta']);
    const left = compareHeard(now, { startMs: 0, endMs: 9000 }, heard);
    expect(left.filter(({ isOnlyTimes }) => !isOnlyTimes)).toEqual([]);
  });

  it('whatever was heard, accepting any of it breaks no rule', () => {
    const heardWords = fc.array(fc.tuple(fc.constantFrom('salom', 'dunyo', 'adras', 'привет,'), fc.nat(700)), {
      maxLength: 20,
    });
    const span = fc.tuple(fc.nat(8000), fc.integer({ min: 100, max: 9000 }));
    forAll(span, heardWords, fc.nat(9), ([startMs, lengthMs], plan, some) => {
      let clock = startMs;
      const heard = plan.map(([text, ms]): Word => ({ text, startMs: clock, endMs: (clock += ms) }));
      const changes = compareHeard(spoken, { startMs, endMs: startMs + lengthMs }, heard);
      for (const chosen of [changes, changes.filter((_, at) => at % (some + 2) === 0)]) {
        if (chosen.length > 0) expect(findViolations(accepted(spoken, ...chosen))).toEqual([]);
      }
    });
  });
});
