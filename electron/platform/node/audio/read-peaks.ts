import { EventEmitter, on } from 'node:events';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Part } from '../../../../shared/decoding/decoded-audio.ts';
import { bucketsPerSecond, type PeakChunk } from '../../../../shared/domain/audio/peak-builder.ts';
import type { PartEnd } from './decode-peaks.ts';

export interface PeaksTask {
  readonly path: string;
  readonly part: Part;
  readonly isLeft: Int32Array<SharedArrayBuffer>;
}

/** What a thread says of its part of a recording: any number of `peaks`, then `done` or `failed`. */
export type PeaksReport =
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | ({ readonly kind: 'done' } & PartEnd)
  | { readonly kind: 'failed'; readonly reason: string };

/** Five minutes of speech in a compressed format. */
const bytesPerPart = 2 * 1024 * 1024;
/** More than there are threads, so that the faster one reads more of them; each takes some milliseconds to prepare. */
const mostParts = 6;
const mostThreads = 2;
/** A decoder that is silent for this long is stuck (some loop for ever on damaged files). */
const silentForMs = 30_000;
/** A thread notices within a fraction of a second that it was left; one that takes this long is stuck. */
const leavingMs = 2000;

/** Throws when there is no decoder for it, and when it is stopped. */
export type ReadPeaks = (path: string, signal: AbortSignal) => AsyncGenerator<PeakChunk, void, undefined>;

export function createPeaksReader(worker: URL, { partBytes = bytesPerPart } = {}): ReadPeaks {
  const spare = new Set<Worker>();

  const start = (): Worker => {
    const thread = new Worker(worker, { env: {}, execArgv: ['--disable-warning=ExperimentalWarning'] });
    thread.unref();
    // Nobody may be listening to it.
    thread.on('error', () => {
      spare.delete(thread);
    });
    return thread;
  };

  const read = (path: string, part: Part, onReport: (report: PeaksReport) => void): (() => void) => {
    const [thread = start()] = spare;
    spare.delete(thread);
    const isLeft = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    let isOver = false;
    let watchdog: NodeJS.Timeout;
    const end = (isUsable: boolean) => {
      isOver = true;
      clearTimeout(watchdog);
      thread.off('message', onMessage).off('error', onError);
      if (isUsable && spare.size < mostThreads) spare.add(thread);
      else void thread.terminate();
    };
    const fail = (reason: string) => {
      end(false);
      onReport({ kind: 'failed', reason });
    };
    const watch = (ms: number) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => fail('The decoder stopped answering'), ms);
      watchdog.unref();
    };
    const onMessage = (report: PeaksReport) => {
      // Counted from when reports come: a reader may take its time.
      if (report.kind === 'peaks') watchdog.refresh();
      else end(report.kind === 'done');
      onReport(report);
    };
    const onError = (error: Error) => fail(error.message);
    thread.on('message', onMessage).on('error', onError);
    watch(silentForMs);
    thread.postMessage({ path, part, isLeft } satisfies PeaksTask);
    return () => {
      if (isOver) return;
      Atomics.store(isLeft, 0, 1);
      watch(leavingMs);
    };
  };

  return async function* readPeaks(path, signal) {
    const file = await stat(path);
    if (!file.isFile()) throw new Error('The recording is no file');
    const of = availableParallelism() > 1 ? Math.max(1, Math.min(mostParts, Math.floor(file.size / partBytes))) : 1;
    const reports = new EventEmitter<{ report: [index: number, report: PeaksReport] }>();
    const running = new Map<number, () => void>();
    let begun = 0;
    const beginNext = () => {
      if (begun === of) return;
      const index = begun;
      begun += 1;
      const onReport = (report: PeaksReport) => {
        if (report.kind === 'done') {
          running.delete(index);
          beginNext();
        }
        reports.emit('report', index, report);
      };
      running.set(index, read(path, { index, of }, onReport));
    };
    try {
      const said = on(reports, 'report', { signal });
      const waiting = Array.from({ length: of }, (): PeaksReport[] => []);
      let [buckets, endMs] = [0, 0];
      beginNext();
      for (let current = 0; current < of;) {
        // oxlint-disable-next-line no-await-in-loop -- reports come one after the other
        const [index, received] = (await said.next()).value as [number, PeaksReport];
        waiting[index]?.push(received);
        for (let report = waiting[current]?.shift(); report !== undefined; report = waiting[current]?.shift()) {
          if (report.kind === 'failed') throw new Error(report.reason);
          if (report.kind === 'peaks') {
            buckets += report.chunk.min.length;
            yield report.chunk;
          } else {
            current += 1;
            endMs += report.durationMs;
            // Half a bucket or more: the buckets of the next part are nearer to their times behind it.
            const isShown = current === of || (endMs / 1000) * bucketsPerSecond - buckets >= 0.5;
            if (isShown && report.rest.min.length > 0) {
              buckets += 1;
              yield report.rest;
            }
          }
          // Not before the first picture, which they would delay.
          while (running.size < mostThreads && begun < of) beginNext();
        }
      }
      if (endMs === 0) throw new Error('The decoder gave no sound');
    } finally {
      begun = of;
      for (const leave of running.values()) leave();
    }
  };
}
