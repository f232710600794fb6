import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import interviewUz from '../../assets/samples/interview-uz.json' with { type: 'json' };
import lectureRu from '../../assets/samples/lecture-ru.json' with { type: 'json' };
import podcastEn from '../../assets/samples/podcast-en.json' with { type: 'json' };
import type { PcmBlock } from '../../shared/domain/audio/pcm-block.ts';
import { resample } from '../../shared/domain/media/resample.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { openAudio } from '../audio/decode/open-audio.ts';

/** Sound of one channel, samples in -1..1. */
interface Spoken {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

export interface Utterance {
  readonly text: string;
  /** As the program calls it. */
  readonly voice: string;
  /** 1 is how people usually speak. */
  readonly speed: number;
  /** 0 to 99; 50 is the voice's own. */
  readonly pitch?: number;
}

const usualWordsPerMinute = 165;
const longestMs = 120_000;
/** Windows can't start a program without it; nothing else of our environment is passed. */
const systemRoot = process.env['SystemRoot'];
const neededEnv = systemRoot === undefined ? {} : { SystemRoot: systemRoot };

/**
 * An installed espeak-ng. It is under the GPL, so it is never part of this program: it is a separate program, started
 * for each text. Null: it is not installed.
 */
export async function findSpeechProgram(searchPath: string): Promise<string | null> {
  const names = process.platform === 'win32' ? ['espeak-ng.exe'] : ['espeak-ng'];
  for (const folder of searchPath.split(delimiter).filter((part) => part !== '')) {
    for (const name of names) {
      const path = join(folder, name);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  return null;
}

/** The program writes while it speaks, so its header can't contain the length. */
function readStreamedWav(wav: Buffer): Spoken | null {
  if (wav.length < 44 || wav.toString('latin1', 0, 4) !== 'RIFF' || wav.readUInt16LE(34) !== 16) return null;
  const samples = new Float32Array(Math.floor((wav.length - 44) / 2));
  for (let at = 0; at < samples.length; at += 1) samples[at] = wav.readInt16LE(44 + at * 2) / 32_768;
  return { samples, sampleRate: wav.readUInt32LE(24) };
}

/** Speaks a text, which goes in through the pipe so that no process list shows it. The failure gives the reason. */
function speak(program: string, { text, voice, speed, pitch = 50 }: Utterance): Promise<Result<Spoken, string>> {
  return new Promise((resolve) => {
    const pace = String(Math.round(usualWordsPerMinute * speed));
    const args = ['-v', voice, '-s', pace, '-p', String(pitch), '-b', '1', '--stdin', '--stdout'];
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env: neededEnv, timeout: longestMs });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => resolve(err(error.message)));
    child.once('close', (code) => {
      const spoken = code === 0 ? readStreamedWav(Buffer.concat(chunks)) : null;
      resolve(spoken === null ? err(`espeak-ng ended with ${code ?? 'a signal'}`) : ok(spoken));
    });
    child.stdin.end(text);
  });
}

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

/** Says what a bundled sample contains with its own audio; null: no sample does, or its file is missing. */
async function sayFromSample(folder: URL, text: string): Promise<Spoken | null> {
  const found = findWords(text);
  if (found === null) return null;
  const path = fileURLToPath(new URL(found.file, folder));
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const from = Math.max(0, found.fromMs - edgeMs);
    return await cutSound((await openAudio(file, path)).blocks, from, found.toMs + edgeMs);
  } finally {
    await file.close();
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

/** Speaks one text after another, because each takes a fraction of a second. */
export class Speaker {
  readonly #program: string | null;
  readonly #samplesFolder: URL;
  readonly #working = new Map<string, Promise<Buffer | null>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(program: string | null, samplesFolder: URL) {
    this.#program = program;
    this.#samplesFolder = samplesFolder;
  }

  get isAtWork(): boolean {
    return this.#working.size > 0;
  }

  get isAvailable(): boolean {
    return this.#program !== null;
  }

  /** Without the speech program, only sentences of the samples, in their own audio. */
  canSay(text: string): boolean {
    return this.isAvailable || findWords(text) !== null;
  }

  async say(utterance: Utterance, sampleRate: number): Promise<Result<Spoken, string>> {
    const program = this.#program;
    const at = (spoken: Spoken): Result<Spoken, string> =>
      ok({ samples: resample(spoken.samples, spoken.sampleRate, sampleRate), sampleRate });
    if (program === null) {
      const said = await sayFromSample(this.#samplesFolder, utterance.text);
      return said === null ? err('espeak-ng is not installed') : at(said);
    }
    const turn = this.#last.then(() => speak(program, utterance));
    this.#last = turn;
    const spoken = await turn;
    return spoken.ok ? at(spoken.value) : spoken;
  }

  track(id: string, work: Promise<Buffer | null>): Promise<Buffer | null> {
    const tracked = work.finally(() => this.#working.delete(id));
    this.#working.set(id, tracked);
    return tracked;
  }

  working(id: string): Promise<Buffer | null> | null {
    return this.#working.get(id) ?? null;
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#working.values());
  }
}
