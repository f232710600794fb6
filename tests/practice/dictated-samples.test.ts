import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { knownWords } from '../../electron/practice/realtime/known-words.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import { TakeEngine } from '../../electron/services/dictation/take-engine.ts';
import { textOf } from '../../shared/domain/dictation/take.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { liveClient, practice } from '../contract/live-rig.ts';

const samples = fileURLToPath(new URL('../../assets/samples/', import.meta.url));

/** A bundled sample as from a microphone: 16 kHz mono, quieter, and starting at an arbitrary time. */
async function heard(name: string): Promise<Float32Array> {
  const file = await open(`${samples}${name}`);
  onTestFinished(() => file.close());
  const { blocks } = await openAudio(file, `${samples}${name}`);
  const parts: Float32Array[] = [new Float32Array(113)];
  let resampler: Resampler | null = null;
  for await (const { channels, sampleRate } of blocks) {
    resampler ??= new Resampler(sampleRate, 16_000);
    const [left = new Float32Array(), right = left] = channels;
    parts.push(resampler.push(left.map((value, at) => (value + (right[at] ?? value)) * 0.2)));
  }
  if (resampler !== null) parts.push(resampler.flush());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

test.each<[string, SpeechLanguage]>([
  ['interview-uz.mp3', 'uz'],
  ['lecture-ru.ogg', 'ru'],
  ['podcast-en.flac', 'en'],
])('practice mode knows the words of %s when they are dictated, each once and in order', async (name, language) => {
  const audio = await heard(name);
  const pcm = Buffer.alloc(audio.length * 2);
  for (const [at, value] of audio.entries()) pcm.writeInt16LE(Math.round(value * 32_767), at * 2);
  const client = liveClient(await practice());
  const engine = new TakeEngine(
    {
      dictate: (options, listener) => client.live.dictate(options, listener),
      spool: { append: () => undefined, read: (from, to) => pcm.subarray(from * 2, to * 2) },
      after: () => () => undefined,
      listener: { onPhrases: () => undefined, onState: () => undefined },
    },
    { language, pauses: 'each', keepsSilence: false, triesAgain: false },
  );
  onTestFinished(() => engine.close());
  for (let at = 0; at < pcm.length; at += 640) engine.push(pcm.subarray(at, at + 640));
  engine.endCapture();
  await engine.settled();
  const phrases = engine.take.phrases.filter(({ state }) => state === 'text');
  expect(phrases.length).toBeGreaterThan(0);
  const sample = JSON.parse(await readFile(`${samples}${name.replace(/\.\w+$/, '.json')}`, 'utf8')) as {
    readonly segments: readonly { readonly words: readonly { readonly text: string; readonly startMs: number }[] }[];
  };
  const words = sample.segments.flatMap((segment) => segment.words);
  expect(phrases.map(textOf).join(' ')).toBe(words.map(({ text }) => text).join(' '));
  // Times of words are those of the audio.
  const first = phrases[0]?.texts[0]?.received.segments[0]?.words[0]?.startMs ?? 0;
  expect(Math.abs((phrases[0]?.from ?? 0) / 16 + first - (words[0]?.startMs ?? 0))).toBeLessThan(60);
});

test('speech that is no sample, or a sample in another language, is not mistaken for one', async () => {
  const audio = await heard('lecture-ru.ogg');
  expect(knownWords(audio, { startMs: 500, endMs: 3000 }, 'uz')).toBeNull();
  const reversed = audio.toReversed();
  expect(knownWords(reversed, { startMs: 500, endMs: 3000 }, 'ru')).toBeNull();
});
