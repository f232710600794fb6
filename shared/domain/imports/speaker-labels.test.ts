import { expect, it } from 'vitest';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { toTranscript } from '../transcript/from-received.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

const captions = (...lines: readonly string[]): string =>
  lines
    .map((line, at) => `${String(at + 1)}\n00:00:0${String(at)},000 --> 00:00:0${String(at)},900\n${line}\n`)
    .join('\n');
const saidIn = (file: string) =>
  readTranscriptFile(file)?.received.segments.map(({ speaker = null, text }) => [speaker, text]);

it.each([
  ['1-soʻzlovchi', '2-soʻzlovchi'],
  ['Говорящий 1', 'Говорящий 2'],
  ['Anna', 'Usta R.'],
])('the speakers that our own SRT names, as %s and %s, are speakers again after an import', (...names) => {
  const turns = [
    ['a', 'Salom, qalaysiz?'],
    ['b', 'Yaxshi, rahmat.'],
    ['b', 'Oʻzingiz-chi?'],
    ['a', 'Men ham yaxshi.'],
  ] as const;
  const segments = turns.map(([speaker, text], at) => ({
    speaker,
    text,
    startMs: at * 4000,
    endMs: at * 4000 + 3000,
    words: [],
  }));
  const transcript = toTranscript({ text: '', segments }, { language: 'uz' });
  const facts = { title: '', date: '', media: null, nameSpeaker: (_: string, at: number) => names[at - 1] ?? '' };
  const document = writeDocument(exporters.srt, transcript, { speakers: 'change', cuesFrom: 'segments' }, facts);
  const file = document.kind === 'text' ? document.text : '';
  expect(file).toContain(`${names[0]}: `);
  expect(saidIn(file)).toEqual(turns.map(([speaker, text]) => [speaker === 'a' ? names[0] : names[1], text]));
});

it.each([
  ['one word with a colon', captions('Diqqat: eshik yopiladi.', 'Keyingi bekat.', 'Diqqat: eshik ochiladi.')],
  ['colons that never return', captions('Birinchi: osh.', 'Ikkinchi: non.')],
  ['colons after the beginning only', captions('Salom.', 'Anna: Salom.', 'Boris: Salom.', 'Anna: Xayr.')],
  ['times', captions('Soat 12:30 da.', 'Soat 13:30 da.', 'Soat 12:30 da.')],
])('captions with %s keep their words', (_, file) => {
  expect(saidIn(file)?.every(([speaker]) => speaker === null)).toBe(true);
});
