import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import interviewUz from '../../../assets/samples/interview-uz.json' with { type: 'json' };
import lectureRu from '../../../assets/samples/lecture-ru.json' with { type: 'json' };
import podcastEn from '../../../assets/samples/podcast-en.json' with { type: 'json' };
import { openAudio } from '../../audio/decode/open-audio.ts';
import type { PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';
import type { Spoken } from './speech-program.ts';

const recordings = [
  { file: 'interview-uz.mp3', sample: interviewUz },
  { file: 'lecture-ru.ogg', sample: lectureRu },
  { file: 'podcast-en.flac', sample: podcastEn },
] as const;

/** Audio kept before the first word and after the last. */
const edgeMs = 60;

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(/[^\p{L}\d]/gu, ''))
    .filter((word) => word !== '');

/** Where a recording contains these words in sequence; null: nowhere. */
function findWords(text: string) {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return null;
  for (const { file, sample } of recordings) {
    const said = sample.segments
      .flatMap(({ words }) => words)
      .map((word) => ({ ...word, key: wordsOf(word.text).join('') }));
    for (let from = 0; from + wanted.length <= said.length; from += 1) {
      if (!wanted.every((word, at) => said[from + at]?.key === word)) continue;
      const first = said[from];
      const last = said[from + wanted.length - 1];
      if (first !== undefined && last !== undefined) return { file, fromMs: first.startMs, toMs: last.endMs };
    }
  }
  return null;
}

/** Speaks sentences of the bundled samples with their own audio, whatever voice and speed is requested. */
export class SampleVoice {
  readonly #folder: URL;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  canSay(text: string): boolean {
    return findWords(text) !== null;
  }

  /** Null: no sample contains it, or its file is missing. */
  async say(text: string): Promise<Spoken | null> {
    const found = findWords(text);
    if (found === null) return null;
    const path = fileURLToPath(new URL(found.file, this.#folder));
    const file = await open(path, 'r').catch(() => null);
    if (file === null) return null;
    try {
      const from = Math.max(0, found.fromMs - edgeMs);
      return await cutSound((await openAudio(file, path)).blocks, from, found.toMs + edgeMs);
    } finally {
      await file.close();
    }
  }
}

/** One channel of the audio between two moments. */
async function cutSound(blocks: AsyncIterable<PcmBlock>, fromMs: number, toMs: number): Promise<Spoken | null> {
  const parts: Float32Array[] = [];
  let sampleRate = 0;
  let passed = 0;
  for await (const { channels, ...block } of blocks) {
    const [channel] = channels;
    if (channel === undefined) continue;
    ({ sampleRate } = block);
    const from = Math.max(0, Math.round((fromMs * sampleRate) / 1000) - passed);
    const to = Math.round((toMs * sampleRate) / 1000) - passed;
    if (to <= 0) break;
    parts.push(channel.slice(from, to));
    passed += channel.length;
  }
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples.length === 0 ? null : { samples, sampleRate };
}
