import { expect, it } from 'vitest';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { redactedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import { listSpeakers } from '../model/speaker-list.ts';
import { regionsOf } from './use-waveform-view.ts';

const said = (id: string, speakerId: string | null, text: string): Segment => ({
  id,
  speakerId,
  startMs: 0,
  endMs: 900,
  text,
  words: text.split(' ').map((word, at) => ({ text: word, startMs: at * 100, endMs: at * 100 + 90 })),
});

it('a segment without a speaker is labelled by its number and first words, and by its number where there is no room', () => {
  const segments = [said('s1', 'a', 'bir ikki'), said('s2', null, 'uch toʻrt besh olti'), said('s3', null, 'yetti')];
  const speakers = listSpeakers({ speakers: [{ id: 'a', name: 'Dilnoza' }], segments: [] }, String);
  expect(regionsOf(segments, speakers).map(({ label, initials }) => [label, initials])).toEqual([
    ['Dilnoza', 'D'],
    ['2 uch toʻrt besh olti', '2'],
    ['3 yetti', '3'],
  ]);
});

it('a redacted word is masked in the label of its segment', () => {
  const made = said('s1', null, 'Men Aziz Karimovman, salom.');
  const words = made.words.map((word, at) => (at === 1 || at === 2 ? { ...word, mark: 'redacted' as const } : word));
  expect(regionsOf([{ ...made, words }], []).map(({ label }) => label)).toEqual([`1 Men ${redactedText}, salom.`]);
});

it('the words of segments with a speaker are not read for their labels', () => {
  const segment: Segment = {
    ...said('s1', 'a', 'bir ikki'),
    get words(): never {
      throw new Error('read');
    },
  };
  const speakers = listSpeakers({ speakers: [{ id: 'a', name: 'Dilnoza' }], segments: [] }, String);
  expect(regionsOf([segment], speakers)[0]?.label).toBe('Dilnoza');
});
