import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { applied, edited } from '../../../tests/support/edited.ts';
import { ok } from '../../result/result.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { findViolations } from '../transcript/find-violations.ts';
import { toTranscript } from '../transcript/from-received.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { readTranscriptFile } from './read-transcript-file.ts';
import { namesBefore, takeNames } from './speaker-labels.ts';

const captions = (...lines: readonly string[]): string =>
  lines
    .map((line, at) => `${String(at + 1)}\n00:00:0${String(at)},000 --> 00:00:0${String(at)},900\n${line}\n`)
    .join('\n');
const transcriptOf = (file: string) =>
  toTranscript(readTranscriptFile(file)?.received ?? { text: '', segments: [] }, { language: 'uz', keepsLines: true });
const namesIn = (file: string) => namesBefore(transcriptOf(file).segments).map(({ name }) => name);
const likelyIn = (file: string) =>
  namesBefore(transcriptOf(file).segments).flatMap(({ name, isLikely }) => (isLikely ? [name] : []));
/** A file after these names, or all that were found, became speakers. */
function taken(file: string, names: readonly string[] = namesIn(file)) {
  let count = 0;
  const transcript = transcriptOf(file);
  return applied(
    transcript,
    takeNames(transcript, names, () => `n${String((count += 1))}`),
  );
}
const saidIn = ({ speakers, segments }: Transcript) =>
  segments.map(({ speakerId, text }) => [speakers.find(({ id }) => id === speakerId)?.name ?? null, text]);
const said = (file: string, names?: readonly string[]) => saidIn(taken(file, names).transcript);

const interview = captions(
  'ANNA: Xush kelibsiz.',
  'BOB: Rahmat.',
  '- Sizga qoʻngʻiroq qilishdimi?\n- Yoʻq.',
  'BOB: Xat keldi.',
  'ANNA: Nima deyilgan?',
  'Kuting, deyilgan.',
  'Note: xatda sana yoʻq.',
);

it('names that were not chosen stay in the text, and captions without a name belong to whoever was named last', () => {
  expect(said(interview, likelyIn(interview))).toEqual([
    ['ANNA', 'Xush kelibsiz.'],
    ['BOB', 'Rahmat.'],
    [null, '- Sizga qoʻngʻiroq qilishdimi?\n- Yoʻq.'],
    ['BOB', 'Xat keldi.'],
    ['ANNA', 'Nima deyilgan?'],
    ['ANNA', 'Kuting, deyilgan.'],
    ['ANNA', 'Note: xatda sana yoʻq.'],
  ]);
});

it('an SRT of ours with names where the speaker changes gives every word back to its speaker, and to nobody what nobody named says', () => {
  const names = ['ANNA', 'Usta Karim', 'Олег'];
  const facts = {
    title: '',
    madeAtMs: 0,
    media: null,
    nameSpeaker: (_: string, at: number) => `Speaker ${String(at)}`,
  };
  const saidBy = (transcript: Transcript) =>
    // The dash before the words of somebody without a name stays.
    saidIn(transcript).flatMap(([speaker, text]) =>
      (text ?? '').split(/\s/u).flatMap((word) => (word === '-' ? [] : [[speaker, word]])),
    );
  const cutFrom = fc.constantFrom('sentences', 'segments');
  forAllIn(500, anyTranscript, cutFrom, fc.nat(3), (transcript, cuesFrom, namedCount) => {
    const speakers = transcript.speakers.map((one, at) => ({
      ...one,
      name: at < namedCount ? (names[at] ?? null) : null,
    }));
    const segments = transcript.segments.flatMap((segment) => {
      const words = segment.words.filter(({ text }) => /^\p{L}+[.,!?]?$/u.test(text));
      return words.length === 0 ? [] : [{ ...segment, words, text: words.map(({ text }) => text).join(' ') }];
    });
    const plain: Transcript = { ...transcript, speakers, segments };
    const document = writeDocument(exporters.srt, plain, { speakers: 'named-change', cuesFrom }, facts);
    const file = document.kind === 'text' ? document.text : '';
    const before = saidBy(plain);
    const spoken = new Set(before.flatMap(([speaker]) => speaker ?? []));
    fc.pre(spoken.size > 0 && namesIn(file).length === spoken.size);
    expect(saidBy(taken(file).transcript)).toEqual(before);
  });
});

it.each([
  ['a dash after a line with the name alone', 'ANNA:\n– Keldimi?\n– Yoʻq.'],
  ['another name', 'ANNA: Keldimi?\nBOB: Yoʻq.'],
])('a caption in which somebody else answers after %s is given to nobody', (_, dialogue) => {
  expect(said(captions('ANNA: Salom.', dialogue, 'ANNA: Xayr.'))[1]).toEqual([null, dialogue]);
});

it('names before the words become speakers on request, and the words keep their times', () => {
  const file = captions('Salom.', 'MUXLISA: Yangiliklar.', 'Ha.', 'Usta Karim: Xush kelibsiz.', 'MUXLISA:\nRahmat.');
  const before = transcriptOf(file);
  const { transcript, inverse } = taken(file);
  expect(findViolations(transcript)).toEqual([]);
  expect(saidIn(transcript)).toEqual([
    [null, 'Salom.'],
    ['MUXLISA', 'Yangiliklar.'],
    ['MUXLISA', 'Ha.'],
    ['Usta Karim', 'Xush kelibsiz.'],
    ['MUXLISA', 'Rahmat.'],
  ]);
  expect(transcript.segments[3]?.words).toEqual(before.segments[3]?.words.slice(2));
  expect(edited(transcript, ok(inverse))).toEqual(before);
});
