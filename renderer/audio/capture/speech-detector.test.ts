import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { longestPhrase, PhraseCutter, type CutterEvent } from '../../../shared/domain/dictation/phrase-cutter.ts';
import { frameSamples } from './capture-frame.ts';
import { SpeechDetector } from './speech-detector.ts';

const samples = fileURLToPath(new URL('../../../assets/samples/', import.meta.url));
const rate = 16_000;
let newDetector: () => SpeechDetector;
beforeAll(async () => {
  const path = createRequire(import.meta.url).resolve('@jitsi/rnnoise-wasm/dist/rnnoise.wasm');
  newDetector = await SpeechDetector.open({ wasmBinary: readFileSync(path) });
});

interface Word {
  readonly startMs: number;
  readonly endMs: number;
}
const wordsOf = (name: string): readonly Word[] =>
  (
    JSON.parse(readFileSync(`${samples}${name}.json`, 'utf8')) as {
      readonly segments: readonly { readonly words: readonly Word[] }[];
    }
  ).segments.flatMap(({ words }) => words.filter(({ endMs }) => endMs < 11_500));
function soundOf(file: string): Int16Array {
  const args = [
    '-v',
    'error',
    '-i',
    `${samples}${file}`,
    '-ac',
    '1',
    '-ar',
    String(rate),
    '-t',
    '12',
    '-f',
    's16le',
    '-',
  ];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 100_000_000 });
  return new Int16Array(Uint8Array.from(bytes).buffer);
}

/** Repeatable random numbers around 0. */
function noiseOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
}
type Noise = 'fan' | 'hum' | 'keys';
/** Typical room noises, at most this loud. */
function room(kind: Noise, length: number, loudness: number): Int16Array {
  const next = noiseOf(length);
  let slow = 0;
  return Int16Array.from({ length }, (_none, at) => {
    slow += (next() - slow) * 0.08;
    if (kind === 'fan') return Math.round(slow * loudness * 3);
    if (kind === 'hum') return Math.round(Math.sin((2 * Math.PI * 50 * at) / rate) * loudness);
    // A key press four times a second, 8 ms each.
    return Math.round(next() * (at % (rate / 4) < rate / 125 ? loudness * 3 : 20));
  });
}
const power = (audio: Int16Array): number => audio.reduce((sum, one) => sum + one * one, 0) / audio.length;
const mixed = (one: Int16Array, other: Int16Array): Int16Array =>
  one.map((value, at) => Math.max(-32_768, Math.min(32_767, value + (other[at] ?? 0))));

/** Runs frames of 20 ms through detector and cutter, as in the app. */
function cut(audio: Int16Array, pauses: 'each' | 'long' = 'each') {
  const detector = newDetector();
  const cutter = new PhraseCutter({ pauses, keepsSilence: false });
  const events: CutterEvent[] = [];
  const speech: number[] = [];
  for (let at = 0; at + frameSamples <= audio.length; at += frameSamples) {
    const frame = audio.slice(at, at + frameSamples);
    const probability = detector.hear(frame);
    speech.push(probability);
    events.push(...cutter.push(frame, probability));
  }
  events.push(...cutter.finish());
  detector.free();
  const phrases = events.filter((event) => event.kind === 'close');
  return { speech, phrases };
}

describe.each([
  ['interview-uz', 'interview-uz.mp3'],
  ['lecture-ru', 'lecture-ru.ogg'],
  ['podcast-en', 'podcast-en.flac'],
])('of the speech in %s', (name, file) => {
  const audio = soundOf(file);
  const words = wordsOf(name);
  const isSpoken = (ms: number): boolean => words.some(({ startMs, endMs }) => ms > startMs && ms < endMs);

  it.each<Noise | 'nothing'>(['nothing', 'fan', 'hum', 'keys'])(
    'no word is outside a phrase, with %s around it',
    (noise) => {
      const loudness = Math.sqrt(power(audio) / 10) * (noise === 'keys' ? 2 : 1.4);
      const heard = noise === 'nothing' ? audio : mixed(audio, room(noise, audio.length, loudness));
      const { phrases } = cut(heard);
      for (const { from, to } of phrases) expect(to - from).toBeLessThanOrEqual(longestPhrase);
      const lost = words.filter(
        ({ startMs, endMs }) =>
          !phrases.some(({ from, to }) => from <= ((startMs + endMs) / 2) * 16 && to >= ((startMs + endMs) / 2) * 16),
      );
      expect(lost).toEqual([]);
    },
  );

  it('the detector says speech where words are', () => {
    const { speech } = cut(audio);
    const inWords = speech.filter((_one, at) => isSpoken(at * 20 + 10));
    expect(inWords.filter((one) => one > 0.6).length / inWords.length).toBeGreaterThan(0.8);
  });
});

it.each<Noise>(['fan', 'hum', 'keys'])('%s alone is no speech, however loud it is', (noise) => {
  const { phrases } = cut(room(noise, rate * 20, 6000));
  // A hum from the very start counts as a voice until the network has heard it for a second.
  expect(phrases.filter(({ from }) => from > 0)).toEqual([]);
  expect(phrases).toHaveLength(noise === 'hum' ? 1 : 0);
});

it('a minute of speech without a pause is cut between 100 ms and 35 s, near 30 s at a quiet place', () => {
  const audio = soundOf('lecture-ru.ogg');
  const words = wordsOf('lecture-ru');
  // Words in a row, without the silence between them.
  const dense = words.flatMap(({ startMs, endMs }) => Array.from(audio.subarray(startMs * 16, endMs * 16)));
  const minute = Int16Array.from({ length: rate * 60 }, (_none, at) => dense[at % dense.length] ?? 0);
  const { phrases } = cut(minute, 'long');
  expect(phrases.length).toBeGreaterThanOrEqual(2);
  for (const { from, to } of phrases) {
    expect(to - from).toBeLessThanOrEqual(longestPhrase);
    expect(to - from).toBeGreaterThanOrEqual(rate / 10);
  }
  const [first] = phrases;
  if (first === undefined) throw new Error('nothing was cut');
  expect((first.to - first.from) / rate).toBeGreaterThan(20);
  const around = power(minute.subarray(first.to - 400, first.to + 400));
  expect(around).toBeLessThan(power(minute) / 3);
});
