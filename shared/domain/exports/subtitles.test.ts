import { describe, expect, it } from 'vitest';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { checkCaptions } from './check-subtitles.ts';
import { changeChoices, exporters } from './exporters.ts';
import { captionLimits, namesAreWritten } from './subtitles.ts';
import type { GivenOptions } from './options.ts';
import { optionFacts, writeDocument } from './write-export.ts';

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
const alone = toTranscript({ text: '', segments: [said('Salom.', 0, 'a')] }, { language: 'uz', durationMs: 4000 });
const writing = {
  title: '',
  madeAtMs: 0,
  media: null,
  nameSpeaker: (_: string, at: number) => `Speaker ${String(at)}`,
};

it.each([{}, { script: 'cyrillic' }, { charactersPerLine: 30, gapMs: 100 }, { linesPerCue: 'many' }])(
  'the limits that captions are said to have are those of the file (%o)',
  (given) => {
    const found = captionLimits(given, optionFacts(talk, given, ''));
    expect(checkCaptions(exporters.srt, talk, given, writing)?.profile).toMatchObject(found);
  },
);

it.each(['none', 'named-first', 'named-change', 'named-every', 'first', 'change', 'every', 'voice'])(
  'names are said to be written where captions have them before their words (%s)',
  (speakers) => {
    for (const transcript of [talk, halfNamed, alone]) {
      const { cues = [] } = checkCaptions(exporters.vtt, transcript, { speakers }, writing)?.written ?? {};
      expect(cues.length).toBeGreaterThan(0);
      expect(namesAreWritten({ speakers }, transcript)).toBe(cues.some(({ prefix }) => prefix !== ''));
    }
  },
);

it.each(['sentences', 'segments'])(
  'where only the named are named, a dash says that somebody else speaks, but not at the very beginning (%s)',
  (cuesFrom) => {
    const turns = toTranscript(
      {
        text: '',
        segments: [
          said('Kim bor?', 0, 'b'),
          said('Men bor.', 4000, 'a'),
          said('Yaxshi, rahmat.', 8000, 'b'),
          said('Keling.', 12_000, 'b'),
          said('- Mana keldim.', 16_000, 'c'),
        ],
      },
      { language: 'uz', durationMs: 20_000 },
    );
    const named = {
      ...turns,
      speakers: turns.speakers.map((one, at) => (at === 1 ? { ...one, name: 'Dilnoza' } : one)),
    };
    const linesOf = (given: GivenOptions) =>
      checkCaptions(exporters.srt, named, { cuesFrom, ...given }, writing)?.written.cues.flatMap(({ lines }) => lines);
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

describe('limits of captions', () => {
  const limitsOf = (given: GivenOptions) =>
    (['en', 'ru', 'uz'] as const).map(
      (language) => captionLimits(given, { language, isCyrillic: language === 'ru' }).charactersPerSecond,
    );

  it('count for one language where they are stored for it, and for all of them as they once were stored', () => {
    expect(limitsOf({})).toEqual([20, 17, 17]);
    expect(limitsOf({ charactersPerSecond: 15 })).toEqual([15, 15, 15]);
    expect(limitsOf({ charactersPerSecond: 15, 'charactersPerSecond.ru': 14 })).toEqual([15, 14, 15]);
    expect(limitsOf({ 'charactersPerSecond.uz': 900 })).toEqual([20, 17, 17]);
  });

  it('are those of every format of subtitles, and a style takes the place of what was typed for a language', () => {
    const typed = changeChoices({ vtt: { speakers: 'none' } }, 'srt', { 'charactersPerSecond.ru': 14 });
    expect(typed).toMatchObject({
      srt: { 'charactersPerSecond.ru': 14 },
      vtt: { speakers: 'none', 'charactersPerSecond.ru': 14 },
    });
    expect(changeChoices(typed, 'srt', { charactersPerSecond: 25 })['vtt']).toEqual({
      speakers: 'none',
      charactersPerSecond: 25,
    });
    expect(changeChoices(typed, 'srt', { charactersPerSecond: undefined })['srt']).toEqual({});
  });
});

it('LRC joins the lines of a caption, so how many there are and how long limits its line for a time', () => {
  const long = toTranscript(
    { text: '', segments: [said(Array(9).fill('soʻzlar').join(' '), 0, 'a')] },
    { language: 'uz', durationMs: 8000 },
  );
  const longest = (charactersPerLine: number, linesPerCue: number): number => {
    const limits = { charactersPerLine, linesPerCue, charactersPerSecond: 40 };
    const file = writeDocument(exporters.lrc, long, limits, writing);
    const lines = file.kind === 'text' ? [...file.text.matchAll(/^\[\d.*?\](.*)$/gmu)] : [];
    return Math.max(...lines.map(([, line = '']) => line.length));
  };
  expect([longest(20, 1), longest(40, 1), longest(20, 3)].map((length) => length > 20)).toEqual([false, true, true]);
});
