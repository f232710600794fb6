import { stat } from 'node:fs/promises';
import { freemem } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { memoryOfSize, type LocalModel } from '../../shared/domain/local-models.ts';
import type { HeardWord } from './greedy-words.ts';
import type { ModelFiles } from './network.ts';
import type { Span } from './find-speech.ts';
import {
  recogniserRole,
  type RecogniserReply,
  type RecogniserRequest,
  type RecogniserThreadData,
} from './recogniser-worker.ts';

export type Recognition =
  | { readonly kind: 'done' }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: string };

export interface RecogniserOptions {
  readonly workerUrl: URL;
  readonly modelFor: (language: SpeechLanguage) => Promise<ModelFiles | null>;
  readonly threads: number;
  readonly idleMs?: number;
  readonly freeMemory?: () => number;
  /** Seconds of work for a second of audio, after every minute of audio. */
  readonly onFactor?: (model: LocalModel, factor: number) => void;
  /** Nothing is worked on, and networks that were ended may have left memory behind that only a new process gives back. */
  readonly onWorn?: () => void;
}

/** Free memory as the system counts it; macOS counts what it would give away at once as taken, so it is not asked. */
const systemMemory = (): number => (process.platform === 'darwin' ? Infinity : freemem());
/** Each network that was started and ended leaves up to 170 MB behind. */
const mostStarts = 10;
const leastMeasuredMs = 60_000;

/** How a recording is worked on. Both calls return when what they got is on disk. */
export interface FileListener {
  onPlan(plan: { readonly durationMs: number; readonly pieces: readonly Span[]; readonly shapes: string }): void;
  onPiece(words: readonly HeardWord[]): void;
}

type Order =
  | { readonly kind: 'file'; readonly path: string; readonly language: SpeechLanguage; readonly done: number }
  | { readonly kind: 'audio'; readonly samples: Float32Array; readonly language: SpeechLanguage };

interface Task {
  readonly order: Order;
  readonly listener: FileListener;
  readonly resolve: (outcome: Recognition) => void;
  heardPieces: number;
}

/** One network in a thread of its own, started when there is something to hear, and ended when idle. */
class NetworkThread {
  readonly #options: RecogniserOptions;
  readonly #model: ModelFiles;
  readonly #tasks = new Map<number, Task>();
  readonly #mayGoOn: () => Promise<void>;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #starts = 0;
  #measured = { audioMs: 0, tookMs: 0, reportedMs: 0 };

  constructor(options: RecogniserOptions, model: ModelFiles, mayGoOn: () => Promise<void>) {
    this.#options = options;
    this.#model = model;
    this.#mayGoOn = mayGoOn;
  }

  get isLoaded(): boolean {
    return this.#worker !== null;
  }

  get isIdle(): boolean {
    return this.#tasks.size === 0;
  }

  async run(order: Order, listener: FileListener, signal: AbortSignal | null): Promise<Recognition> {
    if (signal?.aborted === true) return { kind: 'canceled' };
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Recognition>();
    const cancel = (): void => {
      this.#finish(id, { kind: 'canceled' });
      // A network can't be interrupted, so its thread goes, and what else waits begins again in a new one.
      void this.end();
      for (const [waiting, task] of this.#tasks) this.#post(waiting, task);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    const task: Task = { order, listener, resolve, heardPieces: 0 };
    this.#tasks.set(id, task);
    this.#post(id, task);
    const outcome = await promise;
    signal?.removeEventListener('abort', cancel);
    // A model that can't be used may be replaced before the next try.
    if (outcome.kind === 'failed' && this.#tasks.size === 0) await this.end();
    this.#endWhenIdle();
    if (this.#tasks.size === 0 && this.#starts >= mostStarts) this.#options.onWorn?.();
    return outcome;
  }

  async close(): Promise<void> {
    for (const id of this.#tasks.keys()) this.#finish(id, { kind: 'canceled' });
    await this.end();
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #post(id: number, { order, heardPieces }: Task): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const request: RecogniserRequest =
      order.kind === 'file' ? { ...order, id, done: order.done + heardPieces } : { ...order, id };
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const { workerUrl, threads } = this.#options;
    this.#starts += 1;
    const worker = new Worker(workerUrl, {
      stdout: true,
      stderr: true,
      workerData: { role: recogniserRole, model: this.#model, threads } satisfies RecogniserThreadData,
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (reply: RecogniserReply) => this.#take(worker, reply));
    const lose = (detail: string): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const id of this.#tasks.keys()) this.#finish(id, { kind: 'failed', code: 'internal_error', detail });
    };
    worker.on('error', (error) => lose(error instanceof Error ? error.message : 'the thread crashed'));
    worker.on('exit', () => lose('the thread ended'));
    return worker;
  }

  #take(worker: Worker, reply: RecogniserReply): void {
    const task = this.#tasks.get(reply.id);
    if (task === undefined || worker !== this.#worker) return;
    if (reply.kind === 'plan') task.listener.onPlan(reply);
    else if (reply.kind === 'words') {
      task.listener.onPiece(reply.words);
      task.heardPieces += 1;
      this.#measure(reply);
      if (task.order.kind === 'audio') this.#finish(reply.id, { kind: 'done' });
      else
        void this.#mayGoOn().then(() => worker.postMessage({ kind: 'next', id: reply.id } satisfies RecogniserRequest));
    } else if (reply.kind === 'done') this.#finish(reply.id, { kind: 'done' });
    else this.#finish(reply.id, { kind: 'failed', code: reply.code, detail: reply.detail });
  }

  #measure({ audioMs, tookMs }: { readonly audioMs: number; readonly tookMs: number }): void {
    const sum = {
      ...this.#measured,
      audioMs: this.#measured.audioMs + audioMs,
      tookMs: this.#measured.tookMs + tookMs,
    };
    this.#measured = sum;
    if (sum.audioMs - sum.reportedMs < leastMeasuredMs || this.#model.model === null) return;
    this.#measured = { ...sum, reportedMs: sum.audioMs };
    this.#options.onFactor?.(this.#model.model, sum.tookMs / sum.audioMs);
  }

  #finish(id: number, outcome: Recognition): void {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    task?.resolve(outcome);
  }

  #endWhenIdle(): void {
    if (this.#tasks.size > 0) return;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(
      () => {
        void this.end();
        this.#options.onWorn?.();
      },
      this.#options.idleMs ?? 5 * 60_000,
    );
    this.#idle.unref();
  }
}

export class Recogniser {
  readonly #options: RecogniserOptions;
  readonly #threads = new Map<string, NetworkThread>();
  #pause: PromiseWithResolvers<void> | null = null;

  constructor(options: RecogniserOptions) {
    this.#options = options;
  }

  async hasModel(language: SpeechLanguage): Promise<boolean> {
    return (await this.#options.modelFor(language)) !== null;
  }

  async modelLabel(language: SpeechLanguage): Promise<string | null> {
    return (await this.#options.modelFor(language))?.label ?? null;
  }

  /** Recordings wait before their next piece until it is called again with false. What is dictated is heard all the same. */
  pause(isPaused: boolean): void {
    if (isPaused) this.#pause ??= Promise.withResolvers<void>();
    else {
      this.#pause?.resolve();
      this.#pause = null;
    }
  }

  async hearFile(
    order: { readonly path: string; readonly language: SpeechLanguage; readonly done: number },
    listener: FileListener,
    signal: AbortSignal,
  ): Promise<Recognition> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    if (!signal.aborted) await Promise.race([this.#mayGoOn(), aborted]);
    if (signal.aborted) return { kind: 'canceled' };
    return this.#run({ kind: 'file', ...order }, listener, signal);
  }

  async hear(samples: Float32Array, language: SpeechLanguage): Promise<readonly HeardWord[] | Recognition> {
    const heard: HeardWord[] = [];
    const listener: FileListener = { onPlan: () => undefined, onPiece: (words) => void heard.push(...words) };
    const outcome = await this.#run({ kind: 'audio', samples, language }, listener, null);
    return outcome.kind === 'done' ? heard : outcome;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }

  async #run(order: Order, listener: FileListener, signal: AbortSignal | null): Promise<Recognition> {
    const model = await this.#options.modelFor(order.language);
    if (model === null)
      return { kind: 'failed', code: 'model_missing', detail: 'no model for this language is on this computer' };
    const key = model.networkPath;
    const thread = this.#threads.get(key) ?? new NetworkThread(this.#options, model, () => this.#mayGoOn());
    this.#threads.set(key, thread);
    if (!thread.isLoaded && !(await this.#hasMemory(model)))
      return { kind: 'failed', code: 'too_little_memory', detail: 'the model takes more memory than is free' };
    return thread.run(order, listener, signal);
  }

  async #hasMemory({ model, networkPath }: ModelFiles): Promise<boolean> {
    const idle = [...this.#threads.values()].filter(({ isLoaded, isIdle }) => isLoaded && isIdle);
    await Promise.all(idle.map((thread) => thread.end()));
    const size = await stat(networkPath).then(
      (found) => found.size,
      () => 0,
    );
    return (this.#options.freeMemory ?? systemMemory)() >= (model?.memoryBytes ?? memoryOfSize(size));
  }

  async #mayGoOn(): Promise<void> {
    while (this.#pause !== null) await this.#pause.promise;
  }
}
