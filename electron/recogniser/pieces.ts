import type { PcmBlock } from '../../shared/domain/audio/pcm-block.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import type { Span } from './find-speech.ts';
import { rate } from './log-mel.ts';

/** A stretch that is recognised at once, with the speech in it. */
export interface Piece extends Span {
  readonly speech: readonly Span[];
}

const mostMs = 25_000;
/** Silence that is heard with a piece on both sides, where nobody speaks. */
const marginMs = 240;

/**
 * What is recognised at once: neighbouring stretches of speech, together at most 25 s, with a little silence around
 * them. They are ordered and disjoint.
 */
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

const mono = ({ channels }: PcmBlock): Float32Array => {
  const [first = new Float32Array(), ...others] = channels;
  return others.length === 0
    ? first
    : first.map((sample, at) => others.reduce((sum, one) => sum + (one[at] ?? 0), sample) / channels.length);
};

/** The audio of each piece, mono at 16 kHz, while a file is decoded; no more than one piece is held in memory. */
export async function* audioOfPieces(
  blocks: AsyncIterable<PcmBlock>,
  pieces: readonly Span[],
): AsyncGenerator<Float32Array> {
  let resampler: Resampler | null = null;
  let pending: Float32Array[] = [];
  /** The place of the first pending sample. */
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
