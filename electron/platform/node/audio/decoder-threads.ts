import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  bucketsPerSecond,
  joinPeaks,
  splitPeaks,
  type PeakChunk,
} from '../../../../shared/domain/audio/peak-builder.ts';
import type { DecoderPart, DecoderTask, PeaksPart, SampleFacts } from './decoder-tasks.ts';

/** Each order is answered by one report with its number. */
export type DecoderOrder = { readonly number: number } & DecoderVerb;
type DecoderVerb =
  | { readonly kind: 'begin'; readonly task: DecoderTask }
  | { readonly kind: 'next' }
  | { readonly kind: 'leave' };

/** A part is null at the end. */
export type DecoderReport = { readonly number: number } & (
  | { readonly kind: 'part'; readonly part: DecoderPart | null }
  | { readonly kind: 'failed'; readonly reason: string }
);

/** Shorter recordings are read by one thread. */
const splitFromSeconds = 600;
const mostSpare = 2;
const youngGenerationMb = 8;
/** A decoder that is silent for this long is stuck (some loop for ever on damaged files). */
const silentForMs = 30_000;
/** A thread notices within a fraction of a second that it was left; one that takes this long is stuck. */
const leavingMs = 2000;

export interface OpenedSamples {
  readonly facts: SampleFacts;
  /** Samples of all channels by turns, values -1..1. */
  readonly pieces: AsyncGenerator<Float32Array<ArrayBuffer>, void, undefined>;
}

export type Decoder = ReturnType<typeof createDecoder>;

/** Decodes in threads of its own. Everything throws when there is no decoder for a file, and when it is stopped. */
export function createDecoder(worker: URL, { splitFrom = splitFromSeconds } = {}) {
  const spare = new Set<Worker>();

  const start = (): Worker => {
    const thread = new Worker(worker, {
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // With the default of 32, buffers that are no longer used are collected late.
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    thread.unref();
    // Nobody may be listening to it.
    thread.on('error', () => spare.delete(thread));
    return thread;
  };

  async function* run(task: DecoderTask, signal: AbortSignal): AsyncGenerator<DecoderPart, void, undefined> {
    signal.throwIfAborted();
    if (!(await stat(task.path)).isFile()) throw new Error('The recording is no file');
    const [thread = start()] = spare;
    spare.delete(thread);
    let isOver = false;
    try {
      for (let order: DecoderVerb = { kind: 'begin', task }; ; order = { kind: 'next' }) {
        // oxlint-disable-next-line no-await-in-loop -- one part after the other
        const report = await ask(thread, order, silentForMs, signal);
        isOver = report.kind === 'failed' || report.part === null;
        if (report.kind === 'failed') throw new Error(report.reason);
        if (report.part === null) return;
        yield report.part;
      }
    } finally {
      const left = isOver ? Promise.resolve() : ask(thread, { kind: 'leave' }, leavingMs, null);
      const isUsable = left.then(
        () => spare.size < mostSpare,
        () => false,
      );
      void isUsable.then((isKept) => void (isKept ? spare.add(thread) : thread.terminate()));
    }
  }

  const runPeaks = (path: string, fromSecond: number, signal: AbortSignal) =>
    run({ kind: 'peaks', path, fromSecond }, signal) as AsyncGenerator<PeaksPart, void, undefined>;

  /** The second half of a long one is read by another thread meanwhile. */
  async function* readPeaks(path: string, signal: AbortSignal): AsyncGenerator<PeakChunk, void, undefined> {
    const left = new AbortController();
    let half: { readonly from: number; readonly peaks: Promise<PeakChunk | null> } | null = null;
    let buckets = 0;
    try {
      for await (const { chunk, seconds } of runPeaks(path, 0, signal)) {
        if (half === null && seconds !== null && seconds >= splitFrom && availableParallelism() > 1) {
          const fromSecond = Math.floor(seconds / 2);
          const peaks = allPeaks(runPeaks(path, fromSecond, AbortSignal.any([signal, left.signal])));
          half = { from: fromSecond * bucketsPerSecond, peaks };
        }
        buckets += chunk.min.length;
        const rest = half === null || buckets < half.from ? null : await half.peaks;
        if (half === null || rest === null || rest.min.length === 0) {
          yield chunk;
          continue;
        }
        yield splitPeaks(chunk, chunk.min.length - (buckets - half.from))[0];
        yield rest;
        return;
      }
      if (buckets === 0) throw new Error('The decoder gave no sound');
    } finally {
      left.abort();
    }
  }

  /** Null after the end of the recording. */
  async function openSamples(
    path: string,
    from: { readonly fromSecond: number; readonly rate: number | null },
    signal: AbortSignal,
  ): Promise<OpenedSamples | null> {
    const parts = run({ kind: 'samples', path, ...from }, signal);
    const { value: facts } = await parts.next();
    return facts === undefined ? null : { facts: facts as SampleFacts, pieces: parts as OpenedSamples['pieces'] };
  }

  return { readPeaks, openSamples };
}

/** Null when it fails. */
async function allPeaks(parts: AsyncIterable<PeaksPart>): Promise<PeakChunk | null> {
  const chunks: PeakChunk[] = [];
  try {
    for await (const { chunk } of parts) chunks.push(chunk);
    return joinPeaks(chunks);
  } catch {
    return null;
  }
}

let orders = 0;

/** The report on one order. Throws when the thread fails, and when it is silent or no longer wanted. */
function ask(thread: Worker, verb: DecoderVerb, silentMs: number, signal: AbortSignal | null): Promise<DecoderReport> {
  orders += 1;
  const order: DecoderOrder = { ...verb, number: orders };
  const { promise, resolve, reject } = Promise.withResolvers<DecoderReport>();
  const watchdog = setTimeout(() => reject(new Error('The decoder stopped answering')), silentMs);
  watchdog.unref();
  const stop = () => reject(signal?.reason instanceof Error ? signal.reason : new Error('Nobody reads it any more'));
  const onReport = (report: DecoderReport) => {
    if (report.number === order.number) resolve(report);
  };
  thread.on('message', onReport).on('error', reject);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  thread.postMessage(order);
  return promise.finally(() => {
    clearTimeout(watchdog);
    thread.off('message', onReport).off('error', reject);
    signal?.removeEventListener('abort', stop);
  });
}
