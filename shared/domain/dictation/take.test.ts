import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { longestPhrase, PhraseCutter, shortestPhrase, type CutterEvent, type CutterOptions } from './phrase-cutter.ts';
import { Take } from './take.ts';

/** Imitates speech: noise with the rhythm of syllables, or the hum of a quiet room. */
function audio(ms: number, isSpeech: boolean, seed: number): Int16Array {
  let state = seed * 7919 + 1;
  return Int16Array.from({ length: ms * 16 }, (_, at) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    const noise = state / 0x3fffffff - 1;
    const swell = 0.55 + 0.45 * Math.sin((2 * Math.PI * at) / 3200);
    return Math.round(noise * (isSpeech ? 8000 * swell : 12));
  });
}

function cutAll(pieces: readonly Int16Array[], options: CutterOptions, frame = 320): readonly CutterEvent[] {
  const cutter = new PhraseCutter(options);
  const events: CutterEvent[] = [];
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += frame) events.push(...cutter.push(piece.subarray(at, at + frame)));
  return [...events, ...cutter.finish()];
}

const spans = (events: readonly CutterEvent[]): readonly { from: number; to: number; kind: string }[] =>
  events.flatMap((event) => (event.kind === 'open' ? [] : [event]));
const live: CutterOptions = { pauses: 'each', keepsSilence: false };

const speechOrSilence = fc.array(
  fc.record({ ms: fc.integer({ min: 1, max: 9000 }), isSpeech: fc.boolean(), seed: fc.nat(1000) }),
  { minLength: 1, maxLength: 12 },
);

describe('phrases', () => {
  test('without any pause in ten minutes are cut near 30 s at the quietest place, and none is lost or too long', () => {
    const pieces = Array.from({ length: 300 }, (_, at) => audio(2000, true, at));
    // A dip of 60 ms at 28 s is too short to be a pause, but it is the place to cut.
    pieces[14]?.fill(0, 0, 960);
    const phrases = spans(cutAll(pieces, live));
    const first = phrases.find(({ kind }) => kind === 'close');
    expect(Math.abs((first?.to ?? 0) - (28 * 16_000 + 480))).toBeLessThan(480);
    for (const { from, to } of phrases.slice(0, -1)) expect(to - from).toBeLessThanOrEqual(32 * 16_000);
    expect(phrases.at(-1)?.to).toBe(600 * 16_000);
  });

  test('of a recording contain every sample, and no remainder is too short to be sent', () => {
    forAllIn(process.env['OVOZ_LONG'] ? 400 : 12, speechOrSilence, (parts) => {
      const pieces = parts.map(({ ms, isSpeech, seed }) => audio(ms, isSpeech, seed));
      const total = pieces.reduce((sum, { length }) => sum + length, 0);
      const all = cutAll(pieces, { pauses: 'each', keepsSilence: true, total }, 1000);
      let at = 0;
      for (const { kind, from, to } of spans(all)) {
        expect(kind).toBe('close');
        expect(from).toBe(at);
        expect(to - from).toBeLessThanOrEqual(longestPhrase);
        if (total >= shortestPhrase) expect(to - from).toBeGreaterThanOrEqual(shortestPhrase);
        at = to;
      }
      expect(at).toBe(total);
    });
  });
});

describe('a take', () => {
  test('P-14: every captured sample is in exactly one of text, waiting and discarded, whatever happens', () => {
    const happening = fc.record({
      what: fc.constantFrom('text', 'silent', 'fail', 'discard', 'again'),
      at: fc.nat(30),
    });
    const happenings = fc.array(happening, { maxLength: 40 });
    forAllIn(
      process.env['OVOZ_LONG'] ? 600 : 20,
      speechOrSilence,
      happenings,
      fc.integer({ min: 1, max: 1600 }),
      (parts, toCome, frame) => {
        const take = new Take();
        const cutter = new PhraseCutter(live);
        const check = (): void => {
          const { text, waiting, discarded } = take.account();
          expect(text + waiting + discarded).toBe(take.captured);
          expect(Math.min(text, waiting, discarded)).toBeGreaterThanOrEqual(0);
        };
        for (const [turn, { ms, isSpeech, seed }] of parts.entries()) {
          const piece = audio(ms, isSpeech, seed);
          for (let at = 0; at < piece.length; at += frame * 10) {
            const part = piece.subarray(at, at + frame * 10);
            take.capture(part.length);
            take.cut(cutter.push(part), 'uz');
            check();
          }
          const next = toCome[turn];
          if (next !== undefined) happen(take, next);
          check();
        }
        take.cut(cutter.finish(), 'uz');
        for (const next of toCome.slice(parts.length)) happen(take, next);
        check();
        // Nothing overlaps: phrases are in order and apart.
        let end = 0;
        for (const { from, to } of take.phrases) {
          expect(from).toBeGreaterThanOrEqual(end);
          end = to ?? take.captured;
        }
      },
    );
  });

  test('inserts in order: a phrase waits for those before it, but not for one that needs the user', () => {
    const take = new Take();
    take.capture(4000);
    for (const from of [0, 1000, 2000, 3000])
      take.cut([{ kind: 'close', from, to: from + 1000, hasSpeech: true }], 'ru');
    const text = { language: 'ru', received: { text: 'да', segments: [] } } as const;
    take.settle(2, text);
    expect(take.readyAfter(0)).toEqual([]);
    take.change(1, { state: 'failed' });
    expect(take.readyAfter(0).map(({ id }) => id)).toEqual([1, 2]);
    take.settle(4, text);
    expect(take.readyAfter(2)).toEqual([]);
    take.discard(3);
    expect(take.readyAfter(2).map(({ id }) => id)).toEqual([3, 4]);
  });

  test('a second attempt keeps the first text, even if it hears nothing; a text for discarded audio comes back with it', () => {
    const take = new Take();
    take.capture(2000);
    take.cut([{ kind: 'close', from: 0, to: 2000, hasSpeech: true }], 'uz');
    take.settle(1, { language: 'uz', received: { text: 'bir', segments: [] } });
    take.sendAgain(1, 'ru');
    expect(take.account()).toEqual({ text: 0, waiting: 2000, discarded: 0 });
    take.settle(1, null);
    expect(take.phrase(1)).toMatchObject({ state: 'text', language: 'ru', texts: [{ language: 'uz' }] });
    take.discard(1);
    take.settle(1, { language: 'uz', received: { text: 'ikki', segments: [] } });
    expect(take.account()).toEqual({ text: 0, waiting: 0, discarded: 2000 });
    expect(take.restore(1)).toMatchObject({ state: 'text', texts: [{ language: 'uz' }, { language: 'uz' }] });
  });
});

function happen(take: Take, { what, at }: { readonly what: string; readonly at: number }): void {
  const phrase = take.phrases[at % Math.max(1, take.phrases.length)];
  if (phrase === undefined || phrase.to === null) return;
  if (what === 'text') take.settle(phrase.id, { language: 'uz', received: { text: 'soʻz', segments: [] } });
  if (what === 'silent') take.settle(phrase.id, null);
  if (what === 'fail' && phrase.state === 'waiting') take.change(phrase.id, { state: 'failed' });
  if (what === 'discard') take.discard(phrase.id);
  if (what === 'again') take.sendAgain(phrase.id, 'ru');
}
