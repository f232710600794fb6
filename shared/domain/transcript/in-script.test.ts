import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { foldText } from '../text/fold-text.ts';
import { inScript, scriptOf, writtenLanguage } from './in-script.ts';
import type { Segment, Transcript } from './transcript.ts';

const sample = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../assets/samples/interview-uz.json', import.meta.url)), 'utf8'),
) as {
  readonly segments: readonly (Pick<Segment, 'text' | 'startMs' | 'endMs'> & { readonly words: Segment['words'] })[];
};

const segmentOf = (text: string, words: readonly string[] = text.split(' ')): Segment => ({
  id: 's1',
  speakerId: 'a',
  startMs: 0,
  endMs: words.length * 100,
  text,
  words: words.map((word, at) => ({ text: word, startMs: at * 100, endMs: at * 100 + 90 })),
});
const transcriptOf = (segments: readonly Segment[], language: Transcript['language'] = 'uz'): Transcript => ({
  language,
  durationMs: 60_000,
  speakers: [{ id: 'a', name: 'Dilnoza Karimova' }],
  segments,
});
const real = transcriptOf(sample.segments.map((segment, at) => ({ ...segment, id: `s${String(at)}`, speakerId: 'a' })));

describe('a transcript in the other alphabet', () => {
  it('has its names in the same letters', () => {
    const speakers = [
      { id: 'a', name: 'Dilnoza Karimova' },
      { id: 'b', name: null },
    ];
    const names = (script: 'latin' | 'cyrillic') =>
      inScript({ ...real, speakers }, script).speakers.map(({ name }) => name);
    expect(names('cyrillic')).toEqual(['Дилноза Каримова', null]);
    expect(names('latin')).toEqual(['Dilnoza Karimova', null]);
  });

  it('keeps segments, times and ids, and every word is found in the text', () => {
    const cyrillic = inScript(real, 'cyrillic');
    expect(cyrillic.segments.map(withoutWords)).toEqual(real.segments.map(withoutWords));
    for (const { text, words } of cyrillic.segments) {
      expect(text).not.toMatch(/[a-z]/i);
      let end = 0;
      for (const word of words) {
        const start = text.indexOf(word.text, end);
        expect(start).toBeGreaterThanOrEqual(end);
        end = start + word.text.length;
      }
    }
    expect(cyrillic.segments[0]?.text).toBe('Ассалому алайкум, уста!');
  });

  it('leaves the stored transcript unchanged, and converts back to it', () => {
    const before = structuredClone(real);
    const there = inScript(real, 'cyrillic');
    expect(real).toEqual(before);
    expect(inScript(there, 'latin').segments.map(({ text }) => text)).toEqual(real.segments.map(({ text }) => text));
    expect(inScript(real, 'as-written')).toBe(real);
  });

  it('is found by a search in either alphabet', () => {
    const said = (transcript: Transcript) => transcript.segments.map(({ text }) => foldText(text).text).join(' ');
    const cyrillic = said(inScript(real, 'cyrillic'));
    expect(cyrillic).toBe(said(real));
    for (const query of ['kulolchilik', 'кулолчилик', "o'rgana", 'ўргана'])
      expect(cyrillic).toContain(foldText(query).text);
  });

  it('follows its words where its text is not made of them', () => {
    const [segment] = inScript(transcriptOf([segmentOf('boshqa matn', ['Salom', 'dunyo'])]), 'cyrillic').segments;
    expect(segment?.text).toBe('бошқа матн');
    expect(segment?.words.map(({ text }) => text)).toEqual(['Салом', 'дунё']);
  });

  it('sees where a quotation of several words is closed', () => {
    const [segment] = inScript(
      transcriptOf([segmentOf("U 'qachon kelding', ‘yangi video’ va tog' dedi")]),
      'cyrillic',
    ).segments;
    expect(segment?.text).toBe("У 'қачон келдинг', ‘янги видео’ ва тоғ деди");
    expect(segment?.words.map(({ text }) => text).join(' ')).toBe(segment?.text);
  });

  it('is for Uzbek only', () => {
    const russian = transcriptOf([segmentOf('Добрый день')], 'ru');
    expect(inScript(russian, 'latin')).toBe(russian);
    expect(scriptOf(russian)).toBeNull();
    expect(writtenLanguage(russian)).toBe('ru');
  });

  it('recognizes its alphabet by most of its letters', () => {
    expect(scriptOf(real)).toBe('latin');
    expect(scriptOf(transcriptOf([segmentOf('Бугун Google ҳақида гаплашамиз')]))).toBe('cyrillic');
    expect(writtenLanguage(inScript(real, 'cyrillic'))).toBe('uz-Cyrl');
    expect(writtenLanguage(real)).toBe('uz');
  });
});

const withoutWords = ({ text, words, ...rest }: Segment) => ({
  ...rest,
  isSpoken: text !== '',
  words: words.map(({ startMs, endMs }) => [startMs, endMs]),
});
