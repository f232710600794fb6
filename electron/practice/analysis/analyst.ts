import { Worker } from 'node:worker_threads';
import { analysisWorkerRole, type AnalysisReply, type AnalysisRequest } from './analysis-worker.ts';
import type { AnalysisOutcome } from './sound.ts';

interface Task {
  readonly path: string;
  readonly stopAfterMs: number | null;
  readonly resolve: (outcome: AnalysisOutcome) => void;
}

/**
 * One thread that measures files, started when first needed. A decoder that brings its thread down costs the file
 * that was in it, and the next file gets a new thread.
 */
export class Analyst {
  readonly #workerUrl: URL;
  readonly #silenceLimitMs: number;
  #worker: Worker | null = null;
  #watchdog: NodeJS.Timeout | null = null;
  #current: Task | null = null;
  readonly #waiting: Task[] = [];

  /**
   * `workerUrl`: a module that calls `runAnalysisWorker` when it finds itself in such a worker. A decoder that says
   * nothing for `silenceLimitMs` will never say anything again, so its thread is ended.
   */
  constructor(workerUrl: URL, silenceLimitMs = 20_000) {
    this.#workerUrl = workerUrl;
    this.#silenceLimitMs = silenceLimitMs;
  }

  analyse(path: string, stopAfterMs: number | null = null): Promise<AnalysisOutcome> {
    return new Promise((resolve) => {
      this.#waiting.push({ path, stopAfterMs, resolve });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== null) return;
    const task = this.#waiting.shift();
    if (task === undefined) return;
    this.#current = task;
    const worker = (this.#worker ??= this.#start());
    this.#watch(worker);
    worker.postMessage({ path: task.path, stopAfterMs: task.stopAfterMs } satisfies AnalysisRequest);
  }

  #watch(worker: Worker): void {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => void worker.terminate(), this.#silenceLimitMs);
    this.#watchdog.unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, {
      // The decoders complain aloud about damaged sound; the outcome says it already.
      stdout: true,
      stderr: true,
      workerData: analysisWorkerRole,
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ outcome }: AnalysisReply) =>
      outcome === null ? this.#watch(worker) : this.#finish(outcome),
    );
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #finish(outcome: AnalysisOutcome): void {
    const task = this.#current;
    this.#current = null;
    if (this.#watchdog !== null) clearTimeout(this.#watchdog);
    task?.resolve(outcome);
    this.#next();
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#current !== null)
      this.#finish({ kind: 'undecodable', code: 'invalid_audio', detail: 'the decoder stopped working' });
  }

  /** Ends the thread. What it worked on ends as undecodable, which whoever closes knows better. */
  async close(): Promise<void> {
    const dropped = this.#waiting.splice(0);
    for (const { resolve } of dropped) resolve({ kind: 'undecodable', code: 'invalid_audio', detail: 'closed' });
    await this.#worker?.terminate();
  }
}
