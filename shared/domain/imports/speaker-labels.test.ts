import { expect, it } from 'vitest';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { toTranscript } from '../transcript/from-received.ts';
import { applyChange } from '../transcript/change.ts';
import { findViolations } from '../transcript/find-violations.ts';
import { readTranscriptFile } from './read-transcript-file.ts';
import { namesBefore, takeNames } from './speaker-labels.ts';

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

it('names before the words become speakers on request, and the words keep their times', () => {
  const file = captions('Salom.', 'MUXLISA: Yangiliklar.', 'Ha.', 'Usta Karim: Xush kelibsiz.', 'MUXLISA:\nRahmat.');
  const read = readTranscriptFile(file)?.received ?? { text: '', segments: [] };
  const transcript = toTranscript(read, { language: 'uz', keepsLines: true });
  expect(namesBefore(transcript.segments)).toEqual(['MUXLISA', 'Usta Karim']);
  let count = 0;
  const change = takeNames(transcript, () => `n${String((count += 1))}`);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { transcript: taken, inverse } = applied.value;
  expect(findViolations(taken)).toEqual([]);
  expect(taken.speakers.map(({ name }) => name)).toEqual(['MUXLISA', 'Usta Karim']);
  expect(taken.segments.map(({ speakerId, text }) => [speakerId, text])).toEqual([
    [null, 'Salom.'],
    ['n1', 'Yangiliklar.'],
    [null, 'Ha.'],
    ['n2', 'Xush kelibsiz.'],
    ['n1', 'Rahmat.'],
  ]);
  expect(taken.segments[3]?.words).toEqual(transcript.segments[3]?.words.slice(2));
  const undone = applyChange(taken, inverse);
  expect(undone.ok && undone.value.transcript).toEqual(transcript);
});

it.each([
  ['a single name', captions('Anna: Salom.', 'Xayr.')],
  ['times and small letters', captions('Soat 12:30 da.', 'u dedi: keling', 'Men aytdim u edi: ha')],
])('nothing is offered for captions with %s', (_, file) => {
  const transcript = toTranscript(readTranscriptFile(file)?.received ?? { text: '', segments: [] }, { language: 'uz' });
  expect(namesBefore(transcript.segments)).toEqual([]);
});
