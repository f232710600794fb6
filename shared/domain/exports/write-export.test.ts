import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { seededRandom } from '../random/seeded-random.ts';
import { transcriptScripts } from '../transcript/in-script.ts';
import { findViolations } from '../transcript/find-violations.ts';
import type { Transcript, Word, WordMark } from '../transcript/transcript.ts';
import { unheardSpans } from '../transcript/unheard-spans.ts';
import { exporters } from './exporters.ts';
import type { ExportDocument } from './exporter.ts';
import type { GivenOptions } from './options.ts';
import { keptSpans, prepareTranscript } from './prepare.ts';
import { checkSubtitles } from './check-subtitles.ts';
import { writeBeginning, writeDocument } from './write-export.ts';

const facts = {
  title: 'Suhbat',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  media: { name: 'a.mp3', url: 'file:///a.mp3' },
  nameSpeaker: (language: string, at: number) => `${language} ${String(at)}`,
};
const words = ['soʻz', 'yaxshi.', 'gʻalaba,', 'Toshkentda', '-->', '<b>', 'a', 'привет'];

/** Words of all lengths, pauses, turns of three speakers, and times that touch or overlap a little. */
function long(seed: number, count: number): Transcript {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  let atMs = 0;
  const segments = Array.from({ length: count }, (_, at) => {
    const texts = Array.from({ length: 1 + upTo(30) }, () => words[upTo(words.length)] ?? '');
    const made = texts.map((text, word) => {
      const startMs = atMs;
      atMs += 40 + upTo(500);
      return { id: `s${String(at)}w${String(word)}`, text, startMs, endMs: atMs };
    });
    const startMs = made[0]?.startMs ?? 0;
    const segment = { id: `s${String(at)}`, startMs, endMs: atMs, speakerId: `p${String(upTo(3))}` };
    atMs += upTo(1500);
    return { ...segment, text: texts.join(' '), words: at % 7 === 0 ? [] : made };
  });
  const speakers = [
    { id: 'p0', name: 'Aziz' },
    { id: 'p1', name: null },
    { id: 'p2', name: null },
  ];
  return { language: 'uz', durationMs: atMs, speakers, segments };
}

const sizeOf = (document: ExportDocument): string =>
  document.kind === 'text'
    ? document.text
    : document.kind === 'page'
      ? document.html
      : JSON.stringify(document.kind === 'outline' ? document.outline : document.spans);

it('the preview of every export is exactly the start of its file, however much is left out', () => {
  for (const [at, transcript] of [long(1, 420), long(2, 3)].entries())
    for (const exporter of Object.values(exporters).filter(({ group }) => group !== 'audio'))
      for (const script of transcriptScripts) {
        const whole = writeDocument(exporter, transcript, { script }, facts);
        if (whole.kind !== 'text') continue;
        const { length } = whole.text;
        // The alphabet does not change where a preview ends, so one length is enough for the others.
        for (const characters of script === 'as-written' ? [1, 6_000, length - 1, length] : [6_000]) {
          const { document, isShortened } = writeBeginning(exporter, transcript, { script }, facts, characters);
          expect(
            sizeOf(document) === whole.text.slice(0, characters),
            `${String(at)} ${exporter.id} ${script} ${String(characters)}`,
          ).toBe(true);
          expect(isShortened).toBe(characters < whole.text.length);
        }
      }
});

it('of hours of speech only the start is written', () => {
  const transcript = long(4, 20_000);
  let asked = 0;
  const counting = {
    ...exporters.txt,
    write: (some: Transcript) => {
      asked = Math.max(asked, some.segments.length);
      return { kind: 'text', text: some.segments.map(({ text }) => text).join(' ') } as const;
    },
  };
  expect(writeBeginning(counting, transcript, {}, facts, 6_000).isShortened).toBe(true);
  expect(asked).toBeLessThan(500);
  const paper = writeBeginning(exporters.docx, transcript, {}, facts, 6_000);
  expect(paper.isShortened).toBe(true);
  expect(sizeOf(paper.document).length).toBeLessThan(12_000);
});

/** The same speech in another language: other words, other segments, the same length. */
const translated = (transcript: Transcript): Transcript => ({
  ...transcript,
  language: 'ru',
  segments: transcript.segments.flatMap((segment, at) =>
    at % 5 === 4 ? [] : [{ ...segment, id: `t${String(at)}`, text: `перевод ${String(at)} слова`, words: [] }],
  ),
});
const cueTimes = (document: ExportDocument): readonly string[] =>
  sizeOf(document).match(/^.*(?:-->|Dialogue: 0,[^,]+,[^,]+|begin="[^"]*" end="[^"]*").*$/gmu) ?? [];
const timesOnly = (line: string): string =>
  /[\d:.,]+ --> [\d:.,]+|Dialogue: 0,[^,]+,[^,]+|begin="[^"]*" end="[^"]*"/u.exec(line)?.[0] ?? '';

it('a second text appears below the first or replaces it: as many cues, with the same numbers and times', () => {
  const transcript = long(6, 120);
  const second = translated(transcript);
  for (const format of ['srt', 'vtt', 'vtt-words', 'ass', 'ttml'] as const)
    for (const chosen of ['letters', 'other']) {
      const made = (tracks: string) =>
        writeDocument(
          exporters[format],
          transcript,
          { second: chosen, tracks, speakers: 'none' },
          { ...facts, second },
        );
      const [both, alone] = [made('both'), made('second')];
      const times = cueTimes(both).map(timesOnly);
      expect(times.length).toBeGreaterThan(100);
      expect(cueTimes(alone).map(timesOnly)).toEqual(times);
      const written = sizeOf(both);
      expect(written).toContain(chosen === 'letters' ? 'Тошкентда' : 'перевод');
      if (format !== 'vtt-words') expect(written).toContain('Toshkentda');
      if (chosen === 'letters') expect(sizeOf(alone)).not.toContain('Toshkentda');
    }
});

it('a typed sentence takes time from the one before it, and the words of both keep to their cues, in a second text too', () => {
  const timed = (texts: string, startMs: number, stepMs: number) =>
    texts.split(' ').map((text, at) => ({
      id: `w${String(startMs)}-${String(at)}`,
      text,
      startMs: startMs + at * stepMs,
      endMs: startMs + (at + 1) * stepMs,
    }));
  const transcriptOf = (made: readonly Word[]): Transcript => {
    const text = made.map((word) => word.text).join(' ');
    return {
      language: 'en',
      durationMs: 9000,
      speakers: [],
      segments: [{ id: 's', speakerId: null, startMs: 0, endMs: 9000, text, words: made }],
    };
  };
  const transcript = transcriptOf([
    ...timed('Clay has to rest.', 0, 1000),
    ...timed('Nobody knew that then.', 4000, 0),
    ...timed('Now we do.', 4200, 1000),
  ]);
  const second = transcriptOf([
    ...timed('Глина должна отдыхать тут.', 0, 1000),
    ...timed('Теперь знаем мы.', 4200, 1000),
  ]);
  const cues = (format: 'vtt' | 'vtt-words', options: GivenOptions) =>
    sizeOf(writeDocument(exporters[format], transcript, options, { ...facts, second }))
      .trim()
      .split('\n\n')
      .slice(1);
  const [said, typed] = cues('vtt-words', {});
  expect(said?.match(/<[\d:.]+>/gu)).toHaveLength(3);
  expect(typed?.match(/<[\d:.]+>/gu)).toHaveLength(3);
  expect(cues('vtt', { second: 'other', tracks: 'second' }).map((cue) => cue.split('\n').at(-1))).toEqual([
    'Глина должна отдыхать тут.',
    'Nobody knew that then.',
    'Теперь знаем мы.',
  ]);
});

it('of a second text nothing is lost or repeated, and what was struck in it is not in the file', () => {
  const transcript = long(7, 90);
  const said = long(8, 90).segments.map((segment, at) => ({
    ...segment,
    words: segment.words.map((word, place) => ({
      ...word,
      text: `w${String(at)}x${String(place)}`,
      ...(place % 4 === 1 ? { mark: 'cut' as const } : {}),
    })),
  }));
  const second = { ...transcript, segments: said.filter(({ words: own }) => own.length > 0) };
  const written = sizeOf(
    writeDocument(exporters.srt, transcript, { second: 'other', tracks: 'both' }, { ...facts, second }),
  );
  const wanted = second.segments.flatMap(({ words: own }) => own.filter(({ mark }) => mark === undefined));
  expect(written.match(/w\d+x\d+/gu)?.toSorted()).toEqual(wanted.map(({ text }) => text).toSorted());
});

it('captions never overlap in ASS, which has hundredths of a second, however short they are', () => {
  const segments = ['bir', 'ikki', 'uch', 'toʻrt'].map((text, at) => {
    const span = { startMs: at * 4, endMs: at * 4 + 4 };
    return { id: text, speakerId: null, ...span, text, words: [{ text, ...span }] };
  });
  const transcript = { language: 'uz', durationMs: 1000, speakers: [], segments } as const;
  const written = sizeOf(writeDocument(exporters.ass, transcript, { cuesFrom: 'segments' }, facts));
  const times = [...written.matchAll(/^Dialogue: 0,([^,]+),([^,]+),/gmu)].flatMap(([, from = '', to = '']) => [
    from,
    to,
  ]);
  expect(times).toHaveLength(8);
  expect(times).toEqual(times.toSorted((a, b) => a.localeCompare(b)));
  for (const at of [0, 2, 4, 6]) expect(times[at]).not.toBe(times[at + 1]);
});

it('the check counts the captions of the actual file, and fixing leaves fewer problems', () => {
  const transcript = long(9, 200);
  for (const format of ['srt', 'vtt', 'ass', 'ttml', 'lrc'] as const) {
    const check = checkSubtitles(exporters[format], transcript, {}, facts);
    const mended = checkSubtitles(exporters[format], transcript, { mends: true }, facts);
    if (check === null || mended === null) throw new Error('a format of captions is checked');
    if (format !== 'lrc')
      expect(cueTimes(writeDocument(exporters[format], transcript, {}, facts))).toHaveLength(check.cueCount);
    expect(check.problems).toHaveLength(check.unmendedCount);
    expect(mended.problems).toHaveLength(check.mendedCount);
    expect(check.mendedCount).toBeLessThan(check.unmendedCount);
  }
  expect(checkSubtitles(exporters.docx, transcript, {}, facts)).toBe(null);
});

it('whatever is struck or redacted, in whichever order, no format and no second text contains a word of it', () => {
  fc.assert(
    fc.property(
      anyTranscript,
      fc.array(fc.constantFrom<WordMark | undefined>(undefined, 'cut', 'redacted', 'cut-redacted'), {
        minLength: 5,
        maxLength: 40,
      }),
      fc.constantFrom(...Object.values(exporters)),
      fc.constantFrom<GivenOptions>(
        {},
        { rows: 'words', linksAudio: true, hasWordTimes: true, clips: 'turns', followsCuts: true, mends: true },
        { second: 'letters', omitsFillers: true },
        { second: 'other', tracks: 'second' },
      ),
      (transcript, marks, exporter, options) => {
        const marked: Transcript = {
          ...transcript,
          segments: transcript.segments.map((segment, at) => {
            const own = segment.words.map((word, place): Word => {
              const mark = marks[(at * 7 + place) % marks.length];
              return mark === undefined ? { ...word, text: 'ochiq' } : { ...word, text: 'maxfiy', mark };
            });
            return { ...segment, words: own, text: own.map(({ text }) => text).join(' ') };
          }),
        };
        const written = sizeOf(writeDocument(exporter, marked, options, { ...facts, second: marked }));
        expect(written, exporter.id).not.toMatch(/maxfiy|махфий/iu);
      },
    ),
    { numRuns: process.env['OVOZ_LONG'] ? 20_000 : 100 },
  );
});

it('cut or redacted words are in no format, and cut audio is not played', () => {
  const base = long(5, 40);
  const marked: Transcript = {
    ...base,
    segments: base.segments.map((segment, at) => {
      const said =
        segment.words.length > 0 ? segment.words : [{ text: 'bor', startMs: segment.startMs, endMs: segment.endMs }];
      const words = said.map((word, place): Word =>
        place % 3 === 1
          ? { ...word, text: `maxfiy${String(at)}.`, mark: at % 2 === 0 ? 'cut' : 'redacted' }
          : { ...word, text: 'ochiq' },
      );
      return { ...segment, words, text: words.map(({ text }) => text).join(' ') };
    }),
  };
  for (const exporter of Object.values(exporters))
    for (const options of [
      {},
      { rows: 'words', linksAudio: true, hasWordTimes: true, clips: 'turns', followsCuts: true },
    ]) {
      const written = sizeOf(writeDocument(exporter, marked, options, facts));
      expect(written, exporter.id).not.toMatch(/maxfiy/iu);
      expect(written.includes('ochiq') || exporter.group === 'editing' || exporter.group === 'audio', exporter.id).toBe(
        true,
      );
    }
  const shorter = prepareTranscript(marked, { script: 'as-written', omitsFillers: false, followsCuts: true });
  const kept = keptSpans(marked.durationMs, unheardSpans(marked));
  expect(shorter.durationMs).toBe(kept.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0));
  expect(findViolations(shorter).filter(({ rule }) => rule !== 'overlap-of-one-speaker')).toEqual([]);
});

it('the title and the names of speakers are written in the letters of the words, and those of the recording as they are', () => {
  const transcript: Transcript = {
    language: 'uz',
    durationMs: 9_000,
    speakers: [
      { id: 'a', name: 'Gʻulnora' },
      { id: 'b', name: null },
    ],
    segments: [
      { id: 's1', speakerId: 'a', startMs: 0, endMs: 900, text: 'Salom', words: [] },
      { id: 's2', speakerId: 'b', startMs: 1000, endMs: 1900, text: 'Yaxshi', words: [] },
    ],
  };
  const written = (language: 'uz' | 'ru', exporter: 'md' | 'otio') =>
    sizeOf(writeDocument(exporters[exporter], { ...transcript, language }, { script: 'cyrillic' }, facts));
  expect(written('uz', 'md')).toContain('Суҳбат');
  expect(written('uz', 'md')).toContain('Ғулнора');
  expect(written('uz', 'md')).not.toMatch(/Suhbat|Gʻulnora/u);
  expect(written('uz', 'otio')).toContain('a.mp3');
  expect(written('ru', 'md')).toContain('Suhbat');
  expect(written('ru', 'md')).toContain('Gʻulnora');
});
