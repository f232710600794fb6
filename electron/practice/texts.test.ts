import { describe, expect, it } from 'vitest';
import { joinSpeech, practiceNote } from './texts.ts';

describe('the note in place of words', () => {
  it('says in each language that there was speech, and how long', () => {
    expect(practiceNote('en', 3000, 6400)).toBe('(speech, 3 s)');
    expect(practiceNote('ru', 3000, 6400)).toBe('(речь, 3 с)');
    expect(practiceNote('uz', 3000, 3100)).toBe('(nutq, 1 s)');
  });

  it('is one for speech with only short pauses, and no longer than a minute', () => {
    const spans = [0, 2000, 4000, 9000].map((startMs) => ({ startMs, endMs: startMs + 1000 }));
    expect(joinSpeech(spans)).toEqual([
      { startMs: 0, endMs: 5000 },
      { startMs: 9000, endMs: 10_000 },
    ]);
    const talk = Array.from({ length: 100 }, (_, at) => ({ startMs: at * 2000, endMs: at * 2000 + 1900 }));
    expect(joinSpeech(talk).every(({ startMs, endMs }) => endMs - startMs <= 60_000)).toBe(true);
    expect(joinSpeech(talk)).toHaveLength(4);
  });
});
