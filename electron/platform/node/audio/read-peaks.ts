import { EventEmitter, on } from 'node:events';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Part } from '../../../../shared/decoding/decoded-audio.ts';
import type { PeakChunk } from '../../../../shared/domain/audio/peak-builder.ts';

/** What a thread is asked to read next. */
export interface PeaksTask {
  readonly path: string;
  readonly part: Part;
  /** Shared memory: 1 as soon as nobody wants the rest. */
  readonly isLeft: Int32Array<SharedArrayBuffer>;
}

/** What a thread says of its part of a recording: any number of `peaks`, then `done` or `failed`. */
export type PeaksReport =
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Ten minutes of speech in a compressed format: from this size on two threads read a half each. */
const longBytes = 4 * 1024 * 1024;
/** A decoder that is silent for this long is stuck (some loop for ever on damaged files). */
const silentForMs = 30_000;
/** A thread notices within a fraction of a second that it was left; one that takes this long is stuck. */
const leavingMs = 2000;

/**
 * Reads the peaks of a recording from its beginning to its end, as far as they are known, while threads decode it. Throws
 * when there is no decoder for it, and when it is stopped.
 */
export type ReadPeaks = (path: string, signal: AbortSignal) => AsyncGenerator<PeakChunk, void, undefined>;

/** `worker` is the module of the threads. */
export function createPeaksReader(worker: URL, { longFrom = longBytes } = {}): ReadPeaks {
  /** Threads that have nothing to do are kept for the next recording, whose first picture waits for them. */
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

  /** Has a thread read a part of a recording; returns a function that leaves the rest of it. */
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
      if (isUsable && spare.size < 2) spare.add(thread);
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
    const isSplit = file.size >= longFrom && availableParallelism() > 1;
    const reports = new EventEmitter<{ report: [part: Part, report: PeaksReport] }>();
    /** What leaves each part that is being read. */
    const running = new Map<Part, () => void>();
    const begin = (part: Part) => {
      running.set(
        part,
        read(path, part, (report) => reports.emit('report', part, report)),
      );
    };
    try {
      const said = on(reports, 'report', { signal });
      /** Of the second half, which follows the first one, whose length is unknown until it is done. */
      const later: PeakChunk[] = [];
      let isSecondBegun = !isSplit;
      const beginSecond = () => {
        if (!isSecondBegun) begin('second');
        isSecondBegun = true;
      };
      let isFirstDone = false;
      begin(isSplit ? 'first' : 'all');
      while (running.size > 0) {
        // oxlint-disable-next-line no-await-in-loop -- reports come one after the other
        const [part, report] = (await said.next()).value as [Part, PeaksReport];
        if (report.kind === 'failed') throw new Error(report.reason);
        if (report.kind === 'done') {
          running.delete(part);
          isFirstDone ||= part !== 'second';
          // A short recording may have nothing before the second at which it is split.
          beginSecond();
          if (isFirstDone) yield* later.splice(0);
        } else if (part === 'second' && !isFirstDone) later.push(report.chunk);
        else {
          yield report.chunk;
          // Not before the first picture, which it would delay.
          beginSecond();
        }
      }
    } finally {
      for (const leave of running.values()) leave();
    }
  };
}
