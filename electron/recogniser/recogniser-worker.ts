import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Undecodable, type PcmBlock } from '../../shared/domain/audio/pcm-block.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import { openAudio } from '../audio/decode/open-audio.ts';
import { refuseTooMuch } from '../audio/decode/opened-audio.ts';
import { hashFile } from '../platform/node/hash-file.ts';
import { isInRole } from '../threads/work-thread.ts';
import { findSpeech, type Span } from './find-speech.ts';
import type { HeardWord } from './greedy-words.ts';
import { rate } from './log-mel.ts';
import { LoudnessTrack } from './loudness-track.ts';
import { openNetwork, UnusableModel, type ModelFiles, type Network } from './network.ts';

const mostMs = 25_000;

/** Silence that is heard with a piece on both sides, where nobody speaks. */
const marginMs = 240;
const mono = ({ channels }: PcmBlock): Float32Array => {
  const [first = new Float32Array(), ...others] = channels;
  return others.length === 0
    ? first
    : first.map((sample, at) => others.reduce((sum, one) => sum + (one[at] ?? 0), sample) / channels.length);
};

export const recogniserRole = 'recogniser';

export interface RecogniserThreadData {
  readonly role: typeof recogniserRole;
  readonly model: ModelFiles;
  readonly threads: number;
}

export type RecogniserRequest =
  | {
      readonly kind: 'file';
      readonly id: number;
      readonly path: string;
      readonly language: SpeechLanguage;
      readonly done: number;
    }
  | { readonly kind: 'audio'; readonly id: number; readonly samples: Float32Array; readonly language: SpeechLanguage }
  /** The words of the last piece are on disk, so the next may begin. */
  | { readonly kind: 'next'; readonly id: number };

export type RecogniserReply =
  | {
      readonly kind: 'plan';
      readonly id: number;
      readonly durationMs: number;
      readonly pieces: readonly Piece[];
      readonly shapes: string;
    }
  | {
      readonly kind: 'words';
      readonly id: number;
      readonly words: readonly HeardWord[];
      readonly audioMs: number;
      readonly tookMs: number;
    }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly code: string; readonly detail: string };

type Heard = Pick<Extract<RecogniserReply, { readonly kind: 'words' }>, 'words' | 'audioMs' | 'tookMs'>;

async function openChecked(files: ModelFiles, threads: number): Promise<Network> {
  const { model, networkPath, vocabularyPath } = files;
  if (model !== null)
    for (const [path, { sha256 }] of [
      [networkPath, model.network],
      [vocabularyPath, model.vocabulary],
    ] as const) {
      const found = await hashFile(path, new AbortController().signal);
      if (!found.ok) throw new UnusableModel('model_missing', found.error.code ?? found.error.kind);
      if (found.value.sha256 !== sha256)
        throw new UnusableModel('model_damaged', `the checksum of ${basename(path)} is another one`);
    }
  return openNetwork(files, threads);
}

async function* blocksOf(path: string): AsyncGenerator<PcmBlock> {
  const file = await open(path, 'r');
  try {
    yield* (await openAudio(file, path)).blocks;
  } finally {
    await file.close();
  }
}

async function planOf(path: string): Promise<{ readonly durationMs: number; readonly pieces: readonly Piece[] }> {
  const track = new LoudnessTrack();
  for await (const block of blocksOf(path)) {
    track.add(block);
    refuseTooMuch(track.durationMs / 1000, block.sampleRate * block.channels.length);
  }
  const { loudnessDb, durationMs } = track.finish();
  if (durationMs === 0) throw new Undecodable('invalid_audio', 'no audio could be decoded');
  return { durationMs, pieces: piecesOf(findSpeech(loudnessDb, durationMs), durationMs) };
}

function serve({ model, threads }: RecogniserThreadData): void {
  const port = parentPort;
  if (port === null) throw new Error('a recogniser was started outside a worker thread');
  const post = (reply: RecogniserReply): void => port.postMessage(reply);
  const network = openChecked(model, threads);
  network.catch(() => undefined);
  const goesOn = new Map<number, () => void>();

  // A phrase that is dictated waits for one piece of a recording, not for all of them.
  let last: Promise<unknown> = Promise.resolve();
  const hear = (samples: Float32Array, language: SpeechLanguage, speech: readonly Span[] = []): Promise<Heard> => {
    const heard = last.then(async () => {
      const opened = await network;
      const beganMs = performance.now();
      const words = await opened.hear(samples, language, speech);
      return { words, audioMs: (samples.length * 1000) / rate, tookMs: performance.now() - beganMs };
    });
    last = heard.catch(() => undefined);
    return heard;
  };

  async function hearFile({ id, path, language, done }: RecogniserRequest & { readonly kind: 'file' }): Promise<void> {
    const { shapes } = await network;
    const plan = await planOf(path);
    post({ kind: 'plan', id, shapes, ...plan });
    const left = plan.pieces.slice(done);
    let at = 0;
    for await (const samples of audioOfPieces(blocksOf(path), left)) {
      const { startMs: fromMs, speech } = left[at] ?? { startMs: 0, speech: [] };
      const heard = await hear(
        samples,
        language,
        speech.map(({ startMs, endMs }) => ({ startMs: startMs - fromMs, endMs: endMs - fromMs })),
      );
      const isOnDisk = new Promise<void>((resolve) => goesOn.set(id, resolve));
      post({
        ...heard,
        kind: 'words',
        id,
        words: heard.words.map((word) => ({ ...word, startMs: word.startMs + fromMs, endMs: word.endMs + fromMs })),
      });
      await isOnDisk;
      at += 1;
    }
    post({ kind: 'done', id });
  }

  async function answer(request: RecogniserRequest): Promise<void> {
    if (request.kind === 'next') return goesOn.get(request.id)?.();
    try {
      if (request.kind === 'file') await hearFile(request);
      else post({ ...(await hear(request.samples, request.language)), kind: 'words', id: request.id });
    } catch (error) {
      const code = error instanceof UnusableModel || error instanceof Undecodable ? error.code : 'internal_error';
      post({ kind: 'failed', id: request.id, code, detail: error instanceof Error ? error.message : String(error) });
    }
  }
  port.on('message', (request: RecogniserRequest) => void answer(request));
}

if (isInRole(recogniserRole)) serve(workerData as RecogniserThreadData);

interface Piece extends Span {
  readonly speech: readonly Span[];
}

/** Neighbouring stretches of speech, together at most 25 s. They are ordered and disjoint. */
export function piecesOf(speech: readonly Span[], durationMs: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const span of speech) {
    const last = pieces.at(-1);
    if (last !== undefined && span.endMs - last.startMs + 2 * marginMs <= mostMs)
      pieces[pieces.length - 1] = { startMs: last.startMs, endMs: span.endMs, speech: [...last.speech, span] };
    else pieces.push({ ...span, speech: [span] });
  }
  return pieces.map(({ startMs, endMs, speech: within }, at) => {
    const before = pieces[at - 1]?.endMs ?? -2 * marginMs;
    const after = pieces[at + 1]?.startMs ?? durationMs + 2 * marginMs;
    return {
      startMs: Math.max(0, Math.ceil(Math.max(startMs - marginMs, (before + startMs) / 2))),
      endMs: Math.min(durationMs, Math.floor(Math.min(endMs + marginMs, (endMs + after) / 2))),
      speech: within,
    };
  });
}

/** No more than one piece is held in memory. */
export async function* audioOfPieces(
  blocks: AsyncIterable<PcmBlock>,
  pieces: readonly Span[],
): AsyncGenerator<Float32Array> {
  let resampler: Resampler | null = null;
  let pending: Float32Array[] = [];
  let base = 0;
  let next = 0;
  const toSample = (ms: number): number => Math.round((ms * rate) / 1000);
  const takeReady = function* (isEnd: boolean): Generator<Float32Array> {
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[next]) {
      const [from, to] = [toSample(piece.startMs), toSample(piece.endMs)];
      const held = pending.reduce((sum, part) => sum + part.length, 0);
      if (base + held < to && !isEnd) {
        // What lies before the piece is not needed any more.
        for (let [first] = pending; first !== undefined && base + first.length <= from; [first] = pending) {
          base += first.length;
          pending = pending.slice(1);
        }
        return;
      }
      const whole = new Float32Array(held);
      let at = 0;
      for (const part of pending) {
        whole.set(part, at);
        at += part.length;
      }
      yield whole.slice(Math.max(0, from - base), Math.max(0, to - base));
      pending = [whole.slice(Math.max(0, to - base))];
      base = Math.max(base, Math.min(base + held, to));
      next += 1;
    }
  };
  for await (const block of blocks) {
    resampler ??= new Resampler(block.sampleRate, rate);
    pending.push(resampler.push(mono(block)));
    yield* takeReady(false);
    if (next === pieces.length) return;
  }
  if (resampler !== null) pending.push(resampler.flush());
  yield* takeReady(true);
}
