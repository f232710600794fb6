import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resample } from '../../shared/domain/media/resample.ts';
import { openAudio } from '../audio/decode/open-audio.ts';
import { samples as recordings } from './samples.ts';

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
  const name = process.platform === 'win32' ? 'espeak-ng.exe' : 'espeak-ng';
  for (const folder of searchPath.split(delimiter).filter((part) => part !== '')) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
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

/** Speaks a text, which goes in through the pipe so that no process list shows it; null: the program failed. */
function speak(program: string, { text, voice, speed, pitch = 50 }: Utterance): Promise<Spoken | null> {
  return new Promise((resolve) => {
    const pace = String(Math.round(usualWordsPerMinute * speed));
    const args = ['-v', voice, '-s', pace, '-p', String(pitch), '-b', '1', '--stdin', '--stdout'];
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env: neededEnv, timeout: longestMs });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => undefined);
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === 0 ? readStreamedWav(Buffer.concat(chunks)) : null));
    child.stdin.end(text);
  });
}

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
  for (const { file, segments } of recordings) {
    const said = segments.flatMap(({ words }) => words);
    const keys = said.map((word) => wordsOf(word.text).join(''));
    const at = keys.findIndex((_, from) => wanted.every((word, next) => keys[from + next] === word));
    const [first, last] = [said[at], said[at + wanted.length - 1]];
    if (first !== undefined && last !== undefined)
      return { file, fromMs: Math.max(0, first.startMs - edgeMs), toMs: last.endMs + edgeMs };
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
  const parts: Float32Array[] = [];
  let sampleRate = 0;
  let passed = 0;
  try {
    for await (const block of (await openAudio(file, path)).blocks) {
      ({ sampleRate } = block);
      const channel = block.channels[0] ?? new Float32Array();
      const [from, to] = [found.fromMs, found.toMs].map((ms) => Math.round((ms * sampleRate) / 1000) - passed);
      if (to === undefined || to <= 0) break;
      parts.push(channel.slice(Math.max(0, from ?? 0), to));
      passed += channel.length;
    }
  } finally {
    await file.close();
  }
  const samples = Float32Array.from(parts.flatMap((part) => [...part]));
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

  /** The samples of a text at this rate; null: it can't be said. */
  async say(utterance: Utterance, sampleRate: number): Promise<Float32Array | null> {
    const program = this.#program;
    const turn = this.#last.then(() =>
      program === null ? sayFromSample(this.#samplesFolder, utterance.text) : speak(program, utterance),
    );
    this.#last = turn.catch(() => null);
    const spoken = await turn;
    return spoken === null ? null : resample(spoken.samples, spoken.sampleRate, sampleRate);
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
