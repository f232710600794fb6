import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { scriptOf } from '../transcript/in-script.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine, colourOf } from './format-text.ts';
import { makeCues } from '../subtitles/make-cues.ts';
import { standardProfile } from '../subtitles/profiles.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { type GivenOptions } from './exporter.ts';
import { frameRateOf, frameRates, timecode, toFrames } from './editing-formats.ts';
import { writeDocument } from './write-export.ts';
import { exporters } from './exporters.ts';
import { exportFormats } from './formats.ts';
import { playerScript, playerScriptHash } from './document-formats.ts';
import { plainForSrt } from './subtitle-formats.ts';

const nameOf = (id: string) => `Soʻzlovchi ${id.slice(1)}`;
const facts = {
  title: 'Suhbat',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  media: null,
  nameSpeaker: (_: string, at: number) => nameOf(`p${String(at)}`),
};
function textOf(id: keyof typeof exporters, transcript: Transcript, options: GivenOptions = {}): string {
  const written = writeDocument(exporters[id], transcript, options, facts);
  return written.kind === 'text' ? written.text : '';
}
const isCyrillic = (transcript: Transcript) => transcript.language === 'ru' || scriptOf(transcript) === 'cyrillic';
const sampleOf = (text: string): Transcript => ({
  language: 'uz',
  durationMs: 1000,
  speakers: [],
  segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: 1000, text, words: [] }],
});
const runs = process.env['OVOZ_LONG'] ? 20_000 : 600;

/** Independent parsers, written from the definitions of the formats and not from the writers. */
const toMs = (time: string): number => {
  const [h = '0', m = '0', s = '0', ms = '0'] = time.split(/[:,.]/);
  return ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1000 + Number(ms);
};
function parseBlocks(blocks: readonly string[], arrow: RegExp) {
  return blocks.map((block) => {
    const [number, times = '', ...lines] = block.split('\n');
    expect(number).toMatch(/^\d+$/);
    const [, start = '', end = ''] = arrow.exec(times) ?? [];
    expect(start).not.toBe('');
    const voice = /^<v ([^>]*)>/.exec(lines[0] ?? '')?.[1] ?? null;
    return { startMs: toMs(start), endMs: toMs(end), text: lines.join(' ').replace(/^<v [^>]*>/, ''), voice };
  });
}
const blocksOf = (text: string) =>
  text
    .split(/\n\n/)
    .map((block) => block.replace(/\n$/, ''))
    .filter((block) => block !== '');
const parseSrt = (text: string) =>
  parseBlocks(blocksOf(text), /^(\d{2,}:\d\d:\d\d,\d{3}) --> (\d{2,}:\d\d:\d\d,\d{3})$/);
const parseVtt = (text: string) => {
  const [head, ...blocks] = blocksOf(text);
  expect(head).toBe('WEBVTT');
  const unescape = (value: string) => value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const cues = parseBlocks(blocks, /^(\d{2,}:\d\d:\d\d\.\d{3}) --> (\d{2,}:\d\d:\d\d\.\d{3})$/);
  return cues.map((cue) => ({ ...cue, text: unescape(cue.text) }));
};

const spoken = (transcript: Transcript): string =>
  transcript.segments
    .flatMap(({ words }) => words.map(({ text }) => cleanLine(text)))
    .filter((text) => text !== '')
    .join(' ');
const times = (cues: readonly { readonly startMs: number; readonly endMs: number }[]) =>
  cues.map(({ startMs, endMs }) => [startMs, endMs]);

describe('subtitles (P-07)', () => {
  it('read back with the same text, order and times in SRT and VTT, whatever was said', () => {
    forAllIn(runs, anyTranscript, (transcript) => {
      const cues = makeCues(transcript, standardProfile(transcript.language, isCyrillic(transcript)));
      const fromVtt = parseVtt(textOf('vtt', transcript));
      expect(times(fromVtt)).toEqual(times(cues));
      const ordered = cues.map(({ lines }) => lines.join(' ')).join(' ');
      expect(fromVtt.map(({ text }) => text).join(' ')).toBe(ordered);
      expect(ordered.split(' ').toSorted()).toEqual(spoken(transcript).split(' ').toSorted());
      const fromSrt = parseSrt(textOf('srt', transcript, { speakers: 'none' }));
      expect(times(fromSrt)).toEqual(times(cues));
      expect(fromSrt.map(({ text }) => text).join(' ')).toBe(
        cues.map(({ lines }) => lines.map(plainForSrt).join(' ')).join(' '),
      );
      expect(fromVtt.map(({ voice }) => voice)).toEqual(
        cues.map(({ speakerId }) => (transcript.speakers.length > 1 ? nameOf(speakerId ?? '') : null)),
      );
    });
  });

  it('start later by the offset, with CRLF and a byte order mark if requested', () => {
    const transcript = sampleOf('Salom dunyo.');
    const written = textOf('srt', transcript, { offsetMs: 3_600_000, lineEnds: 'crlf', byteOrderMark: true });
    expect(written).toBe('\ufeff1\r\n01:00:00,000 --> 01:00:01,000\r\nSalom dunyo.\r\n');
  });
});

describe('plain text and JSON', () => {
  const said = (id: string, speakerId: string, startMs: number, text: string) => ({
    id,
    speakerId,
    startMs,
    endMs: startMs + 1000,
    text,
    words: [],
  });
  const sample: Transcript = {
    language: 'en',
    durationMs: 3000,
    speakers: ['p1', 'p2'].map((id) => ({ id, name: null })),
    segments: [
      said('s1', 'p1', 0, 'Hello\u001b[31m there.'),
      said('s2', 'p1', 1000, 'How are you?'),
      said('s3', 'p2', 2000, 'Fine\u0000 <b>.'),
    ],
  };

  it('TXT has a paragraph for each turn and no terminal control codes', () => {
    expect(textOf('txt', sample)).toBe('Soʻzlovchi 1: Hello there. How are you?\n\nSoʻzlovchi 2: Fine <b>.\n');
  });

  it('JSON reads back as the same transcript and holds no raw angle bracket', () => {
    forAllIn(runs / 4, anyTranscript, (transcript) => {
      const text = textOf('json', transcript);
      expect(text).not.toMatch(/[<\u2028\u2029]/);
      expect(JSON.parse(text)).toMatchObject({
        ...transcript,
        title: 'Suhbat',
        speakers: transcript.speakers.map(({ id }) => ({ id, name: nameOf(id) })),
      });
    });
  });
});

describe('every format', () => {
  it('has no formula for a spreadsheet and the same number of cells in each row', () => {
    const anyFormula = fc.constantFrom('=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', '"=1+1"');
    forAllIn(runs / 8, anyTranscript, anyFormula, (transcript, formula) => {
      const segments = transcript.segments.map((one) => ({ ...one, text: `${formula} ${one.text}` }));
      const speakers = transcript.speakers.map((one) => ({ ...one, name: `${formula} A` }));
      const hostile = { ...transcript, speakers, segments };
      const rows = textOf('tsv', hostile).trimEnd().split('\n');
      for (const row of rows) expect(row.split('\t')).toHaveLength(5);
      const cells = textOf('csv', hostile)
        .slice(1)
        .split('\r\n')
        .flatMap((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/u));
      // Some readers take quotation marks off a cell.
      for (const cell of [...cells, ...rows.flatMap((row) => row.split('\t'))])
        expect(cell).not.toMatch(/^"?[=+\-@＝]/u);
    });
  });

  it('writes the colours of speakers as ASS wants them, blue first', () => {
    const segments = ['p1', 'p2'].map((speakerId) => ({ ...sampleOf('bir').segments[0]!, id: speakerId, speakerId }));
    const talk = { ...sampleOf(''), speakers: ['p1', 'p2'].map((id) => ({ id, name: null })), segments };
    const [, first = ''] = /Style: Speaker 1,Arial,\d+,&H00([0-9A-F]{6}),/u.exec(textOf('ass', talk)) ?? [];
    const colour = colourOf(1, 'video').slice(1).toUpperCase();
    expect(first.match(/../gu)?.toReversed().join('')).toBe(colour);
  });

  it('contains no element, attribute or script from the spoken text', () => {
    const hostile = sampleOf(
      '<img src=x onerror=alert(1)> "quoted" </p><script>1</script> [a](javascript:1) **b** # c ]]>',
    );
    const titled = { ...facts, title: '</title><script>1</script>', media: { name: '"><b>.mp3', url: 'file:///a' } };
    for (const id of exportFormats) {
      const written = writeDocument(exporters[id], hostile, { linksAudio: true, header: true, clips: 'turns' }, titled);
      const text = written.kind === 'text' ? written.text : written.kind === 'page' ? written.html : '';
      if (['html', 'pdf', 'ttml', 'fcpxml'].includes(id)) {
        expect(text, id).not.toMatch(/<img|<b>|<script>1/u);
        expect(text.match(/<script/gu) ?? []).toHaveLength(id === 'html' ? 1 : 0);
      }
      if (id === 'md') expect(text).toContain(String.raw`\<img src=x onerror=alert(1)\>`);
    }
  });

  it('allows no script in a page except the one that plays words', () => {
    expect(playerScriptHash).toBe(`sha256-${createHash('sha256').update(playerScript).digest('base64')}`);
  });

  it('counts drop-frame time codes like a clock, and every frame once', () => {
    for (const id of frameRates) {
      const rate = frameRateOf(id);
      const ten = toFrames(600_000, rate);
      const codes = new Set(Array.from({ length: 4000 }, (_, at) => timecode(ten - 2000 + at, rate)));
      expect(codes.size).toBe(4000);
      if (rate.isDrop) expect(timecode(ten, rate)).toBe('00:10:00;00');
      if (rate.per === 1) expect(timecode(ten, rate)).toBe('00:10:00:00');
    }
    expect(timecode(1800, frameRateOf('29.97-drop'))).toBe('00:01:00;02');
    expect(timecode(17_982, frameRateOf('29.97-drop'))).toBe('00:10:00;00');
  });
});
