import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAllIn } from '../../tests/support/for-all.ts';
import { readCompletion, readStreamPiece } from './ask.ts';
import { SignedUrl } from './download.ts';
import { endpoints, type Endpoint } from './endpoints.ts';
import { readLegacyTranscription } from './legacy.ts';
import { readTranscription } from './read-transcription.ts';
import { readPendingSpeech } from './speak.ts';
import { asCount, asDecimal, asMoment, asUnixSeconds } from './values.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

/** Those of the table of routes, and those whose route needs more than a body. */
const inTable = Object.values<Endpoint>(endpoints).flatMap(({ read }) =>
  read === null ? [] : [[read.name, read] as const],
);
const others = {
  readTranscription: (body: unknown) => readTranscription(body),
  readCompletion,
  readStreamPiece,
  readPendingSpeech,
};
const readers = new Map<string, (body: unknown, requestId: null) => unknown>([...inTable, ...Object.entries(others)]);

/** Bodies with the names that readers search for, and values of any kind in any place. */
const names = fc.constantFrom(
  ...'id data items results status state error usage choices message delta content text audio_url url voices'.split(
    ' ',
  ),
  ...'voice_clone webhook delivery webhooks deliveries key keys summary series labels name ticket pagination'.split(
    ' ',
  ),
  ...'segments words start end start_ms end_ms speaker timestamp transcript transcription diarization'.split(' '),
  ...'credits duration title audio_status pricing next_cursor job jobs export files has_more __proto__'.split(' '),
);
const leaf = fc.oneof(
  fc.constantFrom(null, true, '', 'completed', 'failed', 'x', -1, 0, 1.5, 1e300, '12.5', '\u202e', '..'),
  fc.string({ maxLength: 8 }),
);
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('body'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('body')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Every number of a value, however deep; text that only looks like one is text. */
const numbersIn = (value: unknown): readonly number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : [];

test.each([...readers])('P-02: %s reads or refuses a body of any shape, and never throws', (_name, reader) => {
  forAllIn(isLong ? 50_000 : 300, body, (value) => {
    const read = reader(value, null);
    expect(read === null || typeof read === 'object').toBe(true);
    expect(numbersIn(read).every(Number.isFinite)).toBe(true);
  });
});

test('a signed address prints nothing of itself, however it is written down', () => {
  const url = new SignedUrl('https://files.example/a?sig=CANARY');
  expect(`${String(url)} ${JSON.stringify({ url })} ${JSON.stringify(Object.entries(url))}`).not.toContain('CANARY');
  expect(url.reveal()).toContain('CANARY');
});

test('amounts keep their fractions; invalid amounts and times are missing', () => {
  expect([asDecimal(1e-8), asDecimal('0.00000001'), asDecimal(7)]).toEqual(['0.00000001', '0.00000001', '7']);
  expect([asDecimal(-1), asDecimal('1e5'), asDecimal(NaN), asDecimal({})]).toEqual(Array(4).fill(undefined));
  expect([asCount('12'), asCount(-1), asCount(Infinity), asCount('x')]).toEqual([12, undefined, undefined, undefined]);
  // Without a zone it is UTC, whatever this computer's zone is.
  expect(['2026-11-20 10:00', '2026-11-20T10:00:00.123456', '2026-11-20T10:00:00+05:00'].map(asMoment)).toEqual([
    '2026-11-20T10:00Z',
    '2026-11-20T10:00:00.123456Z',
    '2026-11-20T10:00:00+05:00',
  ]);
  expect([asMoment('2026-11-20T10:00:00Z'), asMoment('yesterday'), asMoment('2026-13-45T10:00:00Z')]).toEqual([
    '2026-11-20T10:00:00Z',
    undefined,
    undefined,
  ]);
  expect([asUnixSeconds(100), asUnixSeconds(1e30)]).toEqual([100_000, undefined]);
});

test('a legacy transcription keeps who spoke, how they sound and where the audio is', () => {
  const turn = (speaker: string, start: number, text: string) => ({ speaker, start, end: start + 1, text });
  const read = readLegacyTranscription({
    id: 7,
    status: 'SUCCESS',
    duration: 12.5,
    transcript: 'Salom. Vaalaykum.',
    diarization: [turn('A', 0, 'Salom.'), turn('B', 2, 'Vaalaykum.')],
    speakers: ['A', 'B'],
    gender: 'female',
    audio_url: '/media/7.wav',
    has_diarization: true,
    is_meeting: false,
  });
  expect(read).toMatchObject({ speakers: ['A', 'B'], gender: 'female', audioUrl: '/media/7.wav' });
  expect(read).toMatchObject({ hasDiarization: true, isMeeting: false });
  expect(read?.segments.map(({ speaker, text }) => [speaker, text])).toEqual([
    ['A', 'Salom.'],
    ['B', 'Vaalaykum.'],
  ]);
});
