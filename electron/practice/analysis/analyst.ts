import { Worker } from 'node:worker_threads';
import { analysisWorkerRole, type AnalysisReply, type AnalysisRequest } from './analysis-worker.ts';
import type { AnalysisOutcome } from './sound.ts';

/**
 * One thread that measures files, started when first needed. A decoder that brings its thread down costs the files
 * that were in it, and the next file gets a new thread.
 */
export class Analyst {
  readonly #workerUrl: URL;
  #worker: Worker | null = null;
  #nextId = 1;
  readonly #waiting = new Map<number, (outcome: AnalysisOutcome) => void>();

  /** `workerUrl`: a module that calls `runAnalysisWorker` when it finds itself in such a worker. */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  analyse(path: string, stopAfterMs: number | null = null): Promise<AnalysisOutcome> {
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      worker.postMessage({ id, path, stopAfterMs } satisfies AnalysisRequest);
    });
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
    this.#worker = worker;
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ id, outcome }: AnalysisReply) => {
      this.#waiting.get(id)?.(outcome);
      this.#waiting.delete(id);
    });
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of lost)
      resolve({ kind: 'undecodable', code: 'invalid_audio', detail: 'the decoder stopped working' });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker !== null) await worker.terminate();
  }
}
