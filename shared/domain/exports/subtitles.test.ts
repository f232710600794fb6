import { expect, it } from 'vitest';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { checkCaptions } from './subtitles.ts';
import { changeChoices, exporters } from './exporters.ts';
import type { GivenOptions } from './exporter.ts';

const said = (text: string, startMs: number, speaker: string) => ({
  text,
  startMs,
  endMs: startMs + 3000,
  words: [],
  speaker,
});
const talk = toTranscript(
  { text: '', segments: [said('Salom, qalaysiz?', 0, 'a'), said('Yaxshi, rahmat.', 4000, 'b')] },
  { language: 'uz', durationMs: 8000 },
);
const halfNamed = { ...talk, speakers: talk.speakers.map((one, at) => (at === 0 ? { ...one, name: 'Dilnoza' } : one)) };
const writing = {
  title: '',
  madeAtMs: 0,
  media: null,
  nameSpeaker: (_: string, at: number) => `Speaker ${String(at)}`,
};

it.each(['sentences', 'segments'])(
  'where only the named are named, a dash says that somebody else speaks, but not at the very beginning (%s)',
  (cuesFrom) => {
    const texts = ['Kim bor?', 'Men bor.', 'Yaxshi, rahmat.', 'Keling.', '- Mana keldim.'];
    const segments = texts.map((text, at) => said(text, at * 4000, 'babbc'.charAt(at)));
    const turns = toTranscript({ text: '', segments }, { language: 'uz', durationMs: 20_000 });
    const speakers = turns.speakers.map((one, at) => (at === 1 ? { ...one, name: 'Dilnoza' } : one));
    const linesOf = (given: GivenOptions) =>
      checkCaptions(exporters.srt, { ...turns, speakers }, { cuesFrom, ...given }, writing)?.written.cues.flatMap(
        ({ lines }) => lines,
      );
    const lines = ['Kim bor?', 'Dilnoza: Men bor.', '- Yaxshi, rahmat.', 'Keling.', '- Mana keldim.'];
    expect(linesOf({})).toEqual(lines);
    for (const speakers of ['named-first', 'named-every', 'none'])
      expect(linesOf({ speakers })?.filter((line) => line.startsWith('-'))).toEqual(['- Mana keldim.']);
  },
);
const prefixesOf = (transcript: Transcript, given: GivenOptions, format: 'srt' | 'ttml' | 'lrc' = 'srt') =>
  checkCaptions(exporters[format], transcript, given, writing)?.written.cues.map(({ prefix }) => prefix);

it.each(['srt', 'ttml', 'lrc'] as const)(
  'a speaker who was never named is not in the captions of %s unless the user chose that, so it is not read either',
  (format) => {
    expect(prefixesOf(talk, {}, format)).toEqual(['', '']);
    expect(prefixesOf(halfNamed, {}, format)).toEqual(['Dilnoza:', '-']);
    expect(prefixesOf(halfNamed, { cuesFrom: 'segments' }, format)).toEqual(['Dilnoza:', '-']);
    expect(prefixesOf(halfNamed, { speakers: 'named-every' }, format)).toEqual(['Dilnoza:', '']);
    // What was chosen before there was such a choice.
    for (const speakers of ['first', 'change', 'every'])
      expect(prefixesOf(halfNamed, { speakers }, format)).toEqual(['Dilnoza:', 'Speaker 2:']);
    expect(prefixesOf(halfNamed, { speakers: 'none' }, format)).toEqual(['', '']);
  },
);

it('a limit of captions is that of every format of subtitles, and a style takes the place of what was typed', () => {
  const typed = changeChoices({ vtt: { speakers: 'none' } }, 'srt', { 'charactersPerSecond.ru': 14 });
  const limit = { 'charactersPerSecond.ru': 14 };
  expect(typed).toMatchObject({ srt: limit, vtt: { ...limit, speakers: 'none' } });
  const styled = changeChoices(typed, 'srt', { charactersPerSecond: 25 });
  expect(styled['vtt']).toEqual({ speakers: 'none', charactersPerSecond: 25 });
});

it('the only speaker is named where other words are nobody’s', () => {
  const speakers = halfNamed.speakers.slice(0, 1);
  const segments = halfNamed.segments.map((one, at) => (at === 0 ? one : { ...one, speakerId: null }));
  expect(prefixesOf({ ...halfNamed, speakers, segments }, { speakers: 'named-every' })).toEqual(['Dilnoza:', '']);
  expect(prefixesOf({ ...halfNamed, speakers, segments: segments.slice(0, 1) }, { speakers: 'named-every' })).toEqual([
    '',
  ]);
});
