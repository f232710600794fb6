import { expect, it } from 'vitest';
import { toTranscript } from '../transcript/from-received.ts';
import { checkCaptions } from './check-subtitles.ts';
import { exporters } from './exporters.ts';
import { captionLimits, namesAreWritten } from './subtitles.ts';
import { optionFacts } from './write-export.ts';

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
const alone = toTranscript({ text: '', segments: [said('Salom.', 0, 'a')] }, { language: 'uz', durationMs: 4000 });
const writing = { title: '', date: '', media: null, nameSpeaker: (_: string, at: number) => `Speaker ${String(at)}` };

it.each([{}, { script: 'cyrillic' }, { charactersPerLine: 30, gapMs: 100 }, { linesPerCue: 'many' }])(
  'the limits that captions are said to have are those of the file (%o)',
  (given) => {
    const found = captionLimits(given, optionFacts(talk, given, ''));
    expect(checkCaptions(exporters.srt, talk, given, writing)?.profile).toMatchObject(found);
  },
);

it.each(['none', 'first', 'change', 'every', 'voice'])(
  'names are said to be written where captions have them before their words (%s)',
  (speakers) => {
    for (const transcript of [talk, alone]) {
      const { cues = [] } = checkCaptions(exporters.vtt, transcript, { speakers }, writing)?.written ?? {};
      expect(cues.length).toBeGreaterThan(0);
      expect(namesAreWritten({ speakers }, transcript)).toBe(cues.some(({ prefix }) => prefix !== ''));
    }
  },
);
