import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { seededRandom } from '../random/seeded-random.ts';
import { transcriptScripts } from '../transcript/in-script.ts';
import type { Transcript, Word, WordMark } from '../transcript/transcript.ts';
import { exporters } from './exporters.ts';
import type { ExportDocument, GivenOptions } from './exporter.ts';
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
  const speakers = ['Aziz', null, null].map((name, at) => ({ id: `p${String(at)}`, name }));
  return { language: 'uz', durationMs: atMs, speakers, segments };
}

const sizeOf = (document: ExportDocument): string =>
  document.kind === 'text'
    ? document.text
    : document.kind === 'page'
      ? document.html
      : JSON.stringify(document.kind === 'outline' ? document.outline : document.spans);

it('the preview of every export is exactly the start of its file, however much is left out', () => {
  for (const transcript of [long(1, 420), long(2, 3)])
    for (const exporter of Object.values(exporters).filter(({ group }) => group !== 'audio'))
      for (const script of transcriptScripts) {
        const whole = writeDocument(exporter, transcript, { script }, facts);
        if (whole.kind !== 'text') continue;
        const { length } = whole.text;
        // The alphabet does not change where a preview ends, so one length is enough for the others.
        for (const characters of script === 'as-written' ? [1, 6_000, length - 1, length] : [6_000]) {
          const { document, isShortened } = writeBeginning(exporter, transcript, { script }, facts, characters);
          expect(sizeOf(document) === whole.text.slice(0, characters), `${exporter.id} ${script} ${characters}`).toBe(
            true,
          );
          expect(isShortened).toBe(characters < length);
        }
      }
});

it('of a second text nothing is lost or repeated, and what was struck in it is not in the file', () => {
  const transcript = long(7, 90);
  const said = long(8, 90).segments.filter(({ words: own }) => own.length > 0);
  const segments = said.map((segment, at) => ({
    ...segment,
    words: segment.words.map((word, place) => ({
      ...word,
      text: `w${String(at)}x${String(place)}`,
      ...(place % 4 === 1 && { mark: 'cut' as const }),
    })),
  }));
  const known = { ...facts, second: { ...transcript, segments } };
  const written = sizeOf(writeDocument(exporters.srt, transcript, { second: 'other', tracks: 'both' }, known));
  const wanted = segments.flatMap(({ words: own }) => own.filter(({ mark }) => mark === undefined));
  expect(written.match(/w\d+x\d+/gu)?.toSorted()).toEqual(wanted.map(({ text }) => text).toSorted());
});

it('each word of VTT is timed within its caption and after the word before, wherever the captions begin', () => {
  forAllIn(process.env['OVOZ_LONG'] ? 20_000 : 300, anyTranscript, (transcript) => {
    const timesAt = (offsetMs: number) =>
      sizeOf(writeDocument(exporters['vtt-words'], transcript, { offsetMs }, facts))
        .split('\n\n')
        .map((cue) => [...cue.matchAll(/\d\d:\d\d:\d\d\.\d{3}/gu)].map(([time]) => time));
    const moved = timesAt(3_600_000);
    expect(moved.map(({ length }) => length)).toEqual(timesAt(0).map(({ length }) => length));
    for (const [from = '', to = '', ...words] of moved.slice(1)) {
      const times = [from, ...words, to];
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a.localeCompare(b)));
    }
  });
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

it('whatever is struck or redacted, in whichever order, no format and no second text contains a word of it', () => {
  const anyMarks = fc.constantFrom<WordMark | undefined>(undefined, 'cut', 'redacted', 'cut-redacted');
  const anyOptions = fc.constantFrom<GivenOptions>(
    {},
    { rows: 'words', linksAudio: true, hasWordTimes: true, clips: 'turns', followsCuts: true, mends: true },
    { second: 'letters', omitsFillers: true },
    { second: 'other', tracks: 'second' },
  );
  forAllIn(
    process.env['OVOZ_LONG'] ? 20_000 : 100,
    anyTranscript,
    fc.array(anyMarks, { minLength: 5, maxLength: 40 }),
    fc.constantFrom(...Object.values(exporters)),
    anyOptions,
    (transcript, marks, exporter, options) => {
      const segments = transcript.segments.map((segment, at) => {
        const words = segment.words.map((word, place): Word => {
          const mark = marks[(at * 7 + place) % marks.length];
          return mark === undefined ? { ...word, text: 'ochiq' } : { ...word, text: 'maxfiy', mark };
        });
        return { ...segment, words, text: words.map(({ text }) => text).join(' ') };
      });
      const marked = { ...transcript, segments };
      const written = sizeOf(writeDocument(exporter, marked, options, { ...facts, second: marked }));
      expect(written, exporter.id).not.toMatch(/maxfiy|махфий/iu);
    },
  );
});
