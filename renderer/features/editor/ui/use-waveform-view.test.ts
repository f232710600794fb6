import { expect, it } from 'vitest';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { redactedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import { regionsOf } from './use-waveform-view.ts';

const said = (id: string, speakerId: string | null, text: string): Segment => ({
  id,
  speakerId,
  startMs: 0,
  endMs: 900,
  text,
  words: text.split(' ').map((word, at) => ({ text: word, startMs: at * 100, endMs: at * 100 + 90 })),
});

it('a redacted word is masked in the label of its segment', () => {
  const made = said('s1', null, 'Men Aziz Karimovman, salom.');
  const words = made.words.map((word, at) => (at === 1 || at === 2 ? { ...word, mark: 'redacted' as const } : word));
  expect(regionsOf([{ ...made, words }], []).map(({ label }) => label)).toEqual([`1 Men ${redactedText}, salom.`]);
});
