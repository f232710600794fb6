import { expect, it } from 'vitest';
import type { Transcript } from '../transcript/transcript.ts';
import { exporters } from './exporters.ts';
import type { GivenOptions } from './options.ts';
import { optionFacts, writeBeginning, writeDocument } from './write-export.ts';

const facts = {
  title: 'Talk',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  nameSpeaker: (_: string, at: number) => `Speaker ${String(at)}`,
};

it('a text without several speakers has a paragraph for each pause, and imported subtitles without pauses for each caption', () => {
  const captions = (gapMs: number, speakerIds: readonly string[]): Transcript => ({
    language: 'en',
    durationMs: 600_000,
    speakers: speakerIds.map((id) => ({ id, name: null })),
    segments: Array.from({ length: 150 }, (_, at) => ({
      id: `s${String(at)}`,
      speakerId: speakerIds[at % speakerIds.length] ?? null,
      startMs: at * 3000,
      endMs: at * 3000 + 3000 - (at % 10 === 9 ? gapMs : 100),
      text: `Caption ${String(at)}.`,
      words: [],
    })),
  });
  const counted = (transcript: Transcript, sourceName: string, options: GivenOptions = {}) => {
    const written = writeDocument(exporters.txt, transcript, options, { ...facts, sourceName, media: null });
    const { document } = writeBeginning(exporters.txt, transcript, options, { ...facts, sourceName, media: null }, 60);
    expect(written).toMatchObject({
      text: expect.stringContaining(document.kind === 'text' ? document.text : '-') as string,
    });
    return written.kind === 'text' ? written.text.trim().split('\n\n').length : 0;
  };
  expect(counted(captions(100, []), 'talk.srt')).toBe(150);
  expect(counted(captions(100, ['p1']), 'talk.vtt')).toBe(150);
  expect(counted(captions(2500, []), 'talk.srt')).toBe(15);
  expect(counted(captions(2500, ['p1']), 'talk.mp3')).toBe(15);
  // A choice stays.
  expect(counted(captions(100, []), 'talk.srt', { paragraphs: 'pause' })).toBe(1);
  expect(counted(captions(100, []), 'talk.srt', { paragraphs: 'speaker' })).toBe(1);
  expect(counted(captions(2500, ['p1', 'p2']), 'talk.srt')).toBe(150);
  const presets = [captions(100, []), captions(2500, ['p1']), captions(100, ['p1', 'p2'])].map(
    (transcript) => optionFacts(transcript, {}, 'talk.srt').dividedBy,
  );
  expect(presets).toEqual(['segment', 'pause', 'speaker']);
});

it('the length in a header is that of the player, to the nearest second', () => {
  const transcript: Transcript = { language: 'en', durationMs: 18_620, speakers: [], segments: [] };
  expect(writeDocument(exporters.txt, transcript, { header: true }, { ...facts, media: null })).toMatchObject({
    text: expect.stringContaining('22 November 2026 · 0:19\n') as string,
  });
});

const documents = ['txt', 'md', 'html', 'docx', 'pdf'] as const;
it.each([
  ['uz', {}, '2026-yil 22-noyabr'],
  ['uz', { script: 'cyrillic' }, '2026-йил 22-ноябрь'],
  ['ru', {}, '22 ноября 2026 г.'],
  ['en', {}, '22 November 2026'],
] as const)('the day in the header of a document is in its language (%s %o)', (language, options, day) => {
  const said = { text: 'Salom', startMs: 0, endMs: 900 };
  const segments = [{ id: 's0', speakerId: null, ...said, words: [said] }];
  const transcript: Transcript = { language, durationMs: 18_620, speakers: [], segments };
  for (const format of documents) {
    const written = writeDocument(
      exporters[format],
      transcript,
      { ...options, header: true },
      { ...facts, media: null },
    );
    expect(JSON.stringify(written)).toContain(`${day} · 0:19`);
  }
});
