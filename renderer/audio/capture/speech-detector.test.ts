import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
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
type Noise = 'fan' | 'keys';
/** Typical room noises, at most this loud. */
function room(kind: Noise, length: number, loudness: number): Int16Array {
  const next = noiseOf(length);
  let slow = 0;
  return Int16Array.from({ length }, (_none, at) => {
    slow += (next() - slow) * 0.08;
    if (kind === 'fan') return Math.round(slow * loudness * 3);
    // A key press four times a second, 8 ms each.
    return Math.round(next() * (at % (rate / 4) < rate / 125 ? loudness * 3 : 20));
  });
}
const power = (audio: Int16Array): number => audio.reduce((sum, one) => sum + one * one, 0) / audio.length;
const mixed = (one: Int16Array, other: Int16Array): Int16Array =>
  one.map((value, at) => Math.max(-32_768, Math.min(32_767, value + (other[at] ?? 0))));

/** Runs frames of 20 ms through detector and cutter, as in the app. */
function cut(audio: Int16Array) {
  const detector = newDetector();
  const cutter = new PhraseCutter({ pauses: 'each', keepsSilence: false });
  const events: CutterEvent[] = [];
  for (let at = 0; at + frameSamples <= audio.length; at += frameSamples) {
    const frame = audio.slice(at, at + frameSamples);
    events.push(...cutter.push(frame, detector.hear(frame)));
  }
  events.push(...cutter.finish());
  detector.free();
  return { phrases: events.filter((event) => event.kind === 'close') };
}

it.each<Noise | 'nothing'>(['nothing', 'fan', 'keys'])(
  'no spoken word is outside a phrase, with %s around it',
  (noise) => {
    const audio = soundOf('interview-uz.mp3');
    const loudness = Math.sqrt(power(audio) / 10) * (noise === 'keys' ? 2 : 1.4);
    const heard = noise === 'nothing' ? audio : mixed(audio, room(noise, audio.length, loudness));
    const { phrases } = cut(heard);
    for (const { from, to } of phrases) expect(to - from).toBeLessThanOrEqual(longestPhrase);
    const isOutside = (at: number) => !phrases.some(({ from, to }) => from <= at && to >= at);
    const words = wordsOf('interview-uz');
    expect(words.length).toBeGreaterThan(5);
    expect(words.filter(({ startMs, endMs }) => isOutside(((startMs + endMs) / 2) * 16))).toEqual([]);
  },
);

it.each<Noise>(['fan', 'keys'])('%s alone is no speech, however loud it is', (noise) => {
  expect(cut(room(noise, rate * 5, 6000)).phrases).toEqual([]);
});
