import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptOf } from '../transcript/in-script.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { cleanLine, colourOf } from './format-text.ts';
import { makeCues } from '../subtitles/make-cues.ts';
import { standardProfile } from '../subtitles/profiles.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { isAllowed, readOptions, type GivenOptions, type OptionSpecs } from './options.ts';
import { frameRateOf, frameRates, timecode, toFrames } from './timecode.ts';
import { writeDocument } from './write-export.ts';
import { exporters } from './exporters.ts';
import { exportFormats } from './formats.ts';
import { playerScript, playerScriptHash, toFragment } from './html.ts';
import { plainForSrt } from './srt.ts';

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
const optionNames = Object.values(exporters).flatMap(({ options }) => Object.keys(options));
const runs = process.env['OVOZ_LONG'] ? 20_000 : 600;

/** Independent parsers, written from the definitions of the formats and not from the writers. */
interface Parsed {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly voice: string | null;
}
const toMs = (time: string): number => {
  const [h = '0', m = '0', s = '0', ms = '0'] = time.split(/[:,.]/);
  return ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1000 + Number(ms);
};
function parseBlocks(blocks: readonly string[], arrow: RegExp): Parsed[] {
  return blocks.map((block) => {
    const [number, times = '', ...lines] = block.split('\n');
    expect(number).toMatch(/^\d+$/);
    const [, start = '', end = ''] = arrow.exec(times) ?? [];
    expect(start).not.toBe('');
    const voice = /^<v ([^>]*)>/.exec(lines[0] ?? '')?.[1] ?? null;
    return { startMs: toMs(start), endMs: toMs(end), text: lines.join(' ').replace(/^<v [^>]*>/, ''), voice };
  });
}
const parseSrt = (text: string) =>
  parseBlocks(
    text
      .split(/\n\n/)
      .map((block) => block.replace(/\n$/, ''))
      .filter((block) => block !== ''),
    /^(\d{2,}:\d\d:\d\d,\d{3}) --> (\d{2,}:\d\d:\d\d,\d{3})$/,
  );
const parseVtt = (text: string) => {
  const [head, ...blocks] = text
    .split(/\n\n/)
    .map((block) => block.replace(/\n$/, ''))
    .filter((block) => block !== '');
  expect(head).toBe('WEBVTT');
  const unescape = (value: string) => value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return parseBlocks(blocks, /^(\d{2,}:\d\d:\d\d\.\d{3}) --> (\d{2,}:\d\d:\d\d\.\d{3})$/).map((cue) => ({
    ...cue,
    text: unescape(cue.text),
  }));
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
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
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
      }),
      { numRuns: runs },
    );
  });

  it('name each speaker if requested, and the name counts towards the line length', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        fc.pre(transcript.speakers.length > 1);
        for (const speakers of ['every', 'change', 'first'] as const) {
          const read = parseSrt(textOf('srt', transcript, { speakers }));
          const named = read.filter(({ text }) => /^Soʻzlovchi \d+:/u.test(text)).length;
          if (speakers === 'every') expect(named).toBe(read.length);
          if (read.length > 0) expect(named).toBeGreaterThan(0);
          if (speakers === 'first') expect(named).toBeLessThanOrEqual(transcript.speakers.length);
        }
      }),
      { numRuns: runs / 4 },
    );
  });

  it('carry the time of each word inside its cue, and read as the cue without them', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const plainCues = parseVtt(textOf('vtt', transcript));
        const tag = /<\d{2,}:\d\d:\d\d\.\d{3}>/gu;
        const written = textOf('vtt-words', transcript);
        const cues = parseVtt(written);
        expect(times(cues)).toEqual(times(plainCues));
        expect(cues.map(({ text }) => text.replaceAll(tag, ''))).toEqual(plainCues.map(({ text }) => text));
        for (const { text, startMs, endMs } of cues) {
          const inside = [...text.matchAll(tag)].map(([found]) => toMs(found.slice(1, -1)));
          expect(inside.every((at, place) => at > (inside[place - 1] ?? startMs) && at < endMs)).toBe(true);
        }
      }),
      { numRuns: runs / 4 },
    );
  });

  it('start later by the offset, with CRLF and a byte order mark if requested', () => {
    const transcript = sampleOf('Salom dunyo.');
    const written = textOf('srt', transcript, { offsetMs: 3_600_000, lineEnds: 'crlf', byteOrderMark: true });
    expect(written).toBe('\ufeff1\r\n01:00:00,000 --> 01:00:01,000\r\nSalom dunyo.\r\n');
  });
});

describe('plain text and JSON', () => {
  const sample: Transcript = {
    language: 'en',
    durationMs: 3000,
    speakers: [
      { id: 'p1', name: null },
      { id: 'p2', name: null },
    ],
    segments: [
      { id: 's1', speakerId: 'p1', startMs: 0, endMs: 1000, text: 'Hello\u001b[31m there.', words: [] },
      { id: 's2', speakerId: 'p1', startMs: 1000, endMs: 2000, text: 'How are you?', words: [] },
      { id: 's3', speakerId: 'p2', startMs: 2000, endMs: 3000, text: 'Fine\u0000 <b>.', words: [] },
    ],
  };

  it('TXT has a paragraph for each turn and no terminal control codes', () => {
    expect(textOf('txt', sample)).toBe('Soʻzlovchi 1: Hello there. How are you?\n\nSoʻzlovchi 2: Fine <b>.\n');
  });

  it('paragraphs of one speaker who never changes end with a pause', () => {
    const alone = sample.segments.map((segment) => ({ ...segment, speakerId: 'p1' }));
    const late = { id: 's4', speakerId: 'p1', startMs: 5000, endMs: 6000, text: 'Later.', words: [] };
    const transcript = {
      ...sample,
      durationMs: 6000,
      speakers: [{ id: 'p1', name: null }],
      segments: [...alone, late],
    };
    expect(textOf('txt', transcript)).toBe('Hello there. How are you? Fine <b>.\n\nLater.\n');
    expect(textOf('txt', transcript, { paragraphs: 'segment' }).split('\n\n')).toHaveLength(4);
  });

  it('JSON reads back as the same transcript and holds no raw angle bracket', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const text = textOf('json', transcript);
        expect(text).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(text)).toMatchObject({
          ...transcript,
          title: 'Suhbat',
          speakers: transcript.speakers.map(({ id }) => ({ id, name: nameOf(id) })),
        });
      }),
      { numRuns: runs / 4 },
    );
  });
});

describe('every format', () => {
  it('accepts any options, uses those it knows and leaves the rest at their defaults', () => {
    const anyOption = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom('none', 'crlf', '29.97-drop', 42),
    );
    fc.assert(
      fc.property(
        anyTranscript,
        fc.constantFrom(...exportFormats),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...optionNames)), anyOption),
        (transcript, id, given) => {
          const options = readOptions(exporters[id].options as OptionSpecs, given, {
            language: 'uz',
            isCyrillic: false,
            isFromSubtitles: false,
            hasCuts: false,
            dividedBy: 'speaker',
          });
          for (const [name, spec] of Object.entries(exporters[id].options as OptionSpecs))
            expect(isAllowed(spec, options[name])).toBe(true);
          expect(() => writeDocument(exporters[id], transcript, given, facts)).not.toThrow();
        },
      ),
      { numRuns: runs / 4 },
    );
  });

  it('has no formula for a spreadsheet and the same number of cells in each row', () => {
    fc.assert(
      fc.property(
        anyTranscript,
        fc.constantFrom('=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', '"=1+1"'),
        (transcript, formula) => {
          const hostile = {
            ...transcript,
            segments: transcript.segments.map((segment) => ({ ...segment, text: `${formula} ${segment.text}` })),
          };
          const rows = textOf('tsv', hostile)
            .trimEnd()
            .split('\n')
            .map((row) => row.split('\t'));
          for (const row of rows) {
            expect(row).toHaveLength(5);
            // Some readers take quotation marks off a cell.
            for (const cell of row) expect(cell).not.toMatch(/^"?[=+\-@＝]/u);
          }
          const cells = textOf('csv', hostile)
            .slice(1)
            .split('\r\n')
            .flatMap((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/u));
          for (const cell of cells) expect(cell).not.toMatch(/^"?[=+\-@＝]/u);
        },
      ),
      { numRuns: runs / 8 },
    );
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

  it('shows speakers in the colours of the editor, including chosen ones', () => {
    const tokens = readFileSync(new URL('../../../renderer/ui/tokens.css', import.meta.url), 'utf8');
    const shown = [...tokens.matchAll(/--spk-\d-text: light-dark\((#\w+), (#\w+)\)/gu)];
    expect(shown.map(([, light]) => light)).toEqual(shown.map((_, at) => colourOf(at + 1, 'paper')));
    expect(shown.map(([, , dark]) => dark)).toEqual(shown.map((_, at) => colourOf(at + 1, 'video')));
    const transcript: Transcript = {
      ...sampleOf('Salom.'),
      speakers: [
        { id: 'p1', name: null, colour: 7 },
        { id: 'p2', name: null },
      ],
      segments: sampleOf('Salom.').segments.map((segment) => ({ ...segment, speakerId: 'p1' })),
    };
    expect(textOf('html', transcript)).toContain('color:light-dark(#635c00,#ecf2a1)');
    const word = writeDocument(exporters.docx, transcript, {}, facts);
    expect(word.kind === 'outline' && toFragment(word.outline)).toContain('<b style="color:#635c00">');
    expect(textOf('ass', transcript, { speakers: 'colour' })).toContain('Style: Speaker 1,Arial,54,&H00A1F2EC,');
    expect(textOf('ttml', transcript, { speakers: 'colour' })).toContain('xml:id="c1" style="s" tts:color="#ecf2a1"');
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
