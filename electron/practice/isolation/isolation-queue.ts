import { setTimeout as wait } from 'node:timers/promises';
import type { Credits } from '../billing/credits.ts';
import type { Pace } from '../queue/work-queue.ts';
import type { Isolation, Isolations } from '../state/isolations.ts';
import { objectName, type ObjectStore } from '../storage/object-store.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { isolationWorkerRole, type IsolationOutcome, type IsolationRequest } from './isolation-worker.ts';

/** The formats a result can be converted to on request. */
export type ConvertedFormat = 'flac' | 'mp3' | 'ogg';

export interface IsolationQueueParts {
  readonly isolations: Isolations;
  readonly credits: Credits;
  readonly objects: ObjectStore;
  readonly pace: Pace;
  readonly workerUrl: URL;
  readonly now: () => number;
  /** The code with which a test wants the work to fail. */
  readonly failureOf: (id: string) => string | null;
}

/** Isolates one recording after another, and converts results. Resumes after a restart. */
export class IsolationQueue {
  readonly #parts: IsolationQueueParts;
  readonly #thread: WorkThread<IsolationRequest, IsolationOutcome>;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(parts: IsolationQueueParts) {
    this.#parts = parts;
    this.#thread = new WorkThread<IsolationRequest, IsolationOutcome>({
      workerUrl: parts.workerUrl,
      workerData: isolationWorkerRole,
      silenceLimitMs: 60_000,
      lost: () => ({ kind: 'failed', code: 'internal_error' }),
    });
  }

  resume(): void {
    this.#parts.isolations.forgetUnfinishedExports();
    for (const { id } of this.#parts.isolations.unfinished()) this.add(id);
  }

  get isAtWork(): boolean {
    return this.#waiting > 0;
  }

  add(id: string): void {
    this.#queue(() => this.#work(id));
  }

  #queue(work: () => Promise<void>): void {
    this.#waiting += 1;
    this.#running = this.#running.then(work).finally(() => (this.#waiting -= 1));
  }

  /** Starts a conversion of a completed result; its state is in the store. */
  convert(id: string, format: ConvertedFormat): void {
    this.#parts.isolations.setExport(id, format, 'processing');
    this.#queue(async () => {
      if (this.#stop.signal.aborted) return;
      const outcome = await this.#run(format, id, 'wav', format);
      if (this.#stop.signal.aborted) return;
      this.#parts.isolations.setExport(id, format, outcome.kind === 'done' ? 'completed' : 'failed');
    });
  }

  #run(
    kind: IsolationRequest['kind'],
    id: string,
    from: 'bin' | 'wav',
    to: 'wav' | ConvertedFormat,
  ): Promise<IsolationOutcome> {
    const { objects } = this.#parts;
    const inputPath = objects.pathOf(objectName(id, from)) ?? '';
    const outputPath = objects.pathOf(objectName(id, to)) ?? '';
    return this.#thread.run({ kind, inputPath, outputPath });
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #work(id: string): Promise<void> {
    const { isolations, pace, failureOf, now } = this.#parts;
    const waiting = isolations.readAny(id);
    if (waiting === null) return;
    await this.#pause(Math.max(0, waiting.createdAtMs + pace.queuedMs - now()));
    if (this.#stop.signal.aborted) return;
    isolations.markProcessing(id, now());
    const kind = waiting.speechRestoration ? 'suppress-and-restore' : 'suppress';
    const [outcome] = await Promise.all([this.#run(kind, id, 'bin', 'wav'), this.#pause(pace.processingMs)]);
    // A shutdown ends the thread, which looks like a failure: the next start repeats this work.
    if (this.#stop.signal.aborted) return;
    const planned = failureOf(id);
    this.#finish(waiting, planned === null ? outcome : { kind: 'failed', code: planned });
  }

  #finish({ id, units }: Isolation, outcome: IsolationOutcome): void {
    const { isolations, credits, now } = this.#parts;
    if (outcome.kind === 'done') {
      isolations.complete(id, now());
      credits.settle(id, { units });
    } else {
      isolations.fail(id, outcome.code, now());
      credits.release(id);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#thread.close();
    await this.#running;
  }
}
