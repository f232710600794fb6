import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTranscript } from '../../../tests/support/any-transcript.ts';
import { exporters } from '../exports/exporters.ts';
import { writeDocument } from '../exports/write-export.ts';
import { toTranscript } from '../transcript/from-received.ts';
import { applyChange } from '../transcript/change.ts';
import { findViolations } from '../transcript/find-violations.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { readTranscriptFile } from './read-transcript-file.ts';
import { namesBefore, takeNames } from './speaker-labels.ts';

const captions = (...lines: readonly string[]): string =>
  lines
    .map((line, at) => `${String(at + 1)}\n00:00:0${String(at)},000 --> 00:00:0${String(at)},900\n${line}\n`)
    .join('\n');
const saidIn = (file: string) =>
  readTranscriptFile(file)?.received.segments.map(({ speaker = null, text }) => [speaker, text]);

const transcriptOf = (file: string) =>
  toTranscript(readTranscriptFile(file)?.received ?? { text: '', segments: [] }, { language: 'uz', keepsLines: true });
const namesIn = (file: string) => namesBefore(transcriptOf(file).segments).map(({ name }) => name);
const likelyIn = (file: string) =>
  namesBefore(transcriptOf(file).segments).flatMap(({ name, isLikely }) => (isLikely ? [name] : []));
/** Who says what after these names, or all that were found, became speakers. */
function taken(file: string, names: readonly string[] = namesIn(file)) {
  const transcript = transcriptOf(file);
  let count = 0;
  const change = takeNames(transcript, names, () => `n${String((count += 1))}`);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { speakers, segments } = applied.value.transcript;
  const said = segments.map(({ speakerId, text }) => [speakers.find(({ id }) => id === speakerId)?.name ?? null, text]);
  return { transcript, said, changed: applied.value.transcript, inverse: applied.value.inverse };
}

it.each([
  ['1-soʻzlovchi', '2-soʻzlovchi'],
  ['Говорящий 1', 'Говорящий 2'],
  ['Anna', 'Usta R.'],
  ['Dilnoza opa', 'Karim'],
])('the speakers that our own SRT names, as %s and %s, are offered after an import', (...names) => {
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
  const facts = { title: '', madeAtMs: 0, media: null, nameSpeaker: (_: string, at: number) => names[at - 1] ?? '' };
  const document = writeDocument(exporters.srt, transcript, { speakers: 'every', cuesFrom: 'segments' }, facts);
  const file = document.kind === 'text' ? document.text : '';
  expect(file).toContain(`${names[0]}: `);
  expect(taken(file).said).toEqual(turns.map(([speaker, text]) => [speaker === 'a' ? names[0] : names[1], text]));
});

const interview = captions(
  'ANNA: Xush kelibsiz.',
  'BOB: Rahmat.',
  '- Sizga qoʻngʻiroq qilishdimi?\n- Yoʻq.',
  'BOB: Xat keldi.',
  'ANNA: Nima deyilgan?',
  'Kuting, deyilgan.',
  'Note: xatda sana yoʻq.',
);

it('an import leaves the names before the words where they are, also names that return', () => {
  expect(saidIn(interview)?.map(([speaker]) => speaker)).toEqual(Array.from({ length: 7 }, () => null));
  expect(saidIn(interview)?.[6]).toEqual([null, 'Note: xatda sana yoʻq.']);
});

it('voices of WebVTT are speakers without a question', () => {
  expect(saidIn('WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Salom.\n')).toEqual([['Anna', 'Salom.']]);
});

it.each([
  ['a name that occurs once beside names of another shape that return is not', interview, ['ANNA', 'BOB']],
  ['where no name returns all of them are', captions('Anna: Salom.', 'WARNING: issiq.'), ['Anna', 'WARNING']],
  [
    'a name in capitals that occurs once beside names in capitals that return is',
    captions('ANNA: Salom.', 'BOB: Salom.', 'ANNA: Xush kelibsiz.', 'Diqqat: eshik ochiq.'),
    ['ANNA', 'BOB'],
  ],
  [
    'a numbered speaker who speaks once beside others who return is',
    captions('Speaker 1: Salom.', 'Speaker 2: Salom.', 'Speaker 1: Xayr.', 'Question: kim bu?'),
    ['Speaker 1', 'Speaker 2'],
  ],
  [
    'a word with a capital beside such names that return is not, because any can stand before a colon',
    captions('Anna: Salom.', 'Note: eshik ochiq.', 'Anna: Xayr.'),
    ['Anna'],
  ],
])('likely speakers: %s', (_, file, likely) => {
  expect(likelyIn(file)).toEqual(likely);
});

it('names that were not chosen stay in the text, and captions without a name belong to whoever was named last', () => {
  expect(taken(interview, likelyIn(interview)).said).toEqual([
    ['ANNA', 'Xush kelibsiz.'],
    ['BOB', 'Rahmat.'],
    [null, '- Sizga qoʻngʻiroq qilishdimi?\n- Yoʻq.'],
    ['BOB', 'Xat keldi.'],
    ['ANNA', 'Nima deyilgan?'],
    ['ANNA', 'Kuting, deyilgan.'],
    ['ANNA', 'Note: xatda sana yoʻq.'],
  ]);
});

it.each([
  ['whose names return at once, those belong to nobody', ['ANNA: Salom.', 'ANNA: Xush kelibsiz.'], null],
  ['with names where the speaker changes, those belong to whoever was named last', ['ANNA: Salom.', 'Xush.'], 'ANNA'],
  ['in which a dash begins the words of somebody else, those belong to nobody', ['ANNA: Salom.', '- Salom.'], null],
])('captions without a name: in a file %s', (_, beginning, speaker) => {
  const { said } = taken(captions(...beginning, 'Toshkent, 1995', 'BOB: Rahmat.'), ['ANNA', 'BOB']);
  expect(said[2]).toEqual([speaker, 'Toshkent, 1995']);
  expect(said[3]).toEqual(['BOB', 'Rahmat.']);
});

it.each(['♪ Yor-yor ♪', '[kulgi]', '(gulduros qarsaklar)'])(
  '%s belongs to nobody, and whoever spoke goes on after it',
  (sound) => {
    const { said } = taken(captions('ANNA: Salom.', sound, 'Xush kelibsiz.', 'BOB: Rahmat.', 'Xayr.'));
    expect(said.map(([speaker]) => speaker)).toEqual(['ANNA', null, 'ANNA', 'BOB', 'BOB']);
  },
);

it('an SRT of ours with names where the speaker changes gives every word back to its speaker, and to nobody what nobody named says', () => {
  const names = ['ANNA', 'Usta Karim', 'Олег'];
  const saidBy = ({ segments, speakers }: Transcript) =>
    segments.flatMap(({ speakerId, text }) => {
      const speaker = speakers.find(({ id }) => id === speakerId)?.name ?? null;
      // The dash before the words of somebody without a name stays.
      return text.split(/\s/u).flatMap((word) => (word === '-' ? [] : [[speaker, word]]));
    });
  const cutFrom = fc.constantFrom('sentences', 'segments');
  fc.assert(
    fc.property(anyTranscript, cutFrom, fc.nat(3), (transcript, cuesFrom, namedCount) => {
      const plain: Transcript = {
        ...transcript,
        speakers: transcript.speakers.map((one, at) => ({
          ...one,
          name: at < namedCount ? (names[at] ?? null) : null,
        })),
        segments: transcript.segments.flatMap((segment) => {
          const words = segment.words.filter(({ text }) => /^\p{L}+[.,!?]?$/u.test(text));
          return words.length === 0 ? [] : [{ ...segment, words, text: words.map(({ text }) => text).join(' ') }];
        }),
      };
      const facts = {
        title: '',
        madeAtMs: 0,
        media: null,
        nameSpeaker: (_: string, at: number) => `Speaker ${String(at)}`,
      };
      const document = writeDocument(exporters.srt, plain, { speakers: 'named-change', cuesFrom }, facts);
      const file = document.kind === 'text' ? document.text : '';
      const before = saidBy(plain);
      const spoken = new Set(before.flatMap(([speaker]) => speaker ?? []));
      fc.pre(spoken.size > 0 && namesIn(file).length === spoken.size);
      expect(saidBy(taken(file).changed)).toEqual(before);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['a dash', 'ANNA: - Keldimi?\n- Yoʻq.'],
  ['a dash after a line with the name alone', 'ANNA:\n– Keldimi?\n– Yoʻq.'],
  ['another name', 'ANNA: Keldimi?\nBOB: Yoʻq.'],
])('a caption in which somebody else answers after %s is given to nobody', (_, dialogue) => {
  const { said } = taken(captions('ANNA: Salom.', dialogue, 'ANNA: Xayr.'));
  expect(said).toEqual([
    ['ANNA', 'Salom.'],
    [null, dialogue],
    ['ANNA', 'Xayr.'],
  ]);
});

it('names before the words become speakers on request, and the words keep their times', () => {
  const file = captions('Salom.', 'MUXLISA: Yangiliklar.', 'Ha.', 'Usta Karim: Xush kelibsiz.', 'MUXLISA:\nRahmat.');
  expect(namesIn(file)).toEqual(['MUXLISA', 'Usta Karim']);
  const { transcript, changed, said, inverse } = taken(file);
  expect(findViolations(changed)).toEqual([]);
  expect(said).toEqual([
    [null, 'Salom.'],
    ['MUXLISA', 'Yangiliklar.'],
    ['MUXLISA', 'Ha.'],
    ['Usta Karim', 'Xush kelibsiz.'],
    ['MUXLISA', 'Rahmat.'],
  ]);
  expect(changed.segments[3]?.words).toEqual(transcript.segments[3]?.words.slice(2));
  const undone = applyChange(changed, inverse);
  expect(undone.ok && undone.value.transcript).toEqual(transcript);
});

it.each([
  ['a single name', captions('Anna: Salom.', 'Xayr.')],
  ['times and small letters', captions('Soat 12:30 da.', 'u dedi: keling', 'Men aytdim u edi: ha')],
  ['sentences with a colon', captions('Men aytdim: keling.', 'U dedi: ha.')],
])('nothing is offered for captions with %s', (_, file) => {
  expect(namesIn(file)).toEqual([]);
});
