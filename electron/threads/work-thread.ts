import { Worker } from 'node:worker_threads';

/** A message of a thread: without an outcome the work continues, and `share`, 0 to 1, is done. */
export interface ThreadReply<Outcome> {
  readonly outcome: Outcome | null;
  readonly share?: number;
}

export interface ThreadOptions<Outcome> {
  /** A module that does the work of the role when it is loaded in such a worker. */
  readonly workerUrl: URL;
  readonly workerData: { readonly role: string };
  /**
   * Work that is silent for this long is given to a new thread, once; after the same silence again it is lost. Only
   * time in which this program was awake counts: a computer that slept or was overloaded must not make a file look
   * broken.
   */
  readonly silenceLimitMs: number;
  /** Work that is silent for this long is lost at once, because it would be silent a second time too. */
  readonly triesOnce?: boolean;
  /**
   * The size of the young generation in MB. With the default of 32, buffers that are no longer used are collected late.
   */
  readonly youngGenerationMb?: number;
  /** The outcome of work that crashed its thread, or was not started before the end. */
  readonly lost: (reason: 'stopped working' | 'closed') => Outcome;
}

interface Task<Request, Outcome> {
  readonly request: Request;
  readonly resolve: (outcome: Outcome) => void;
  readonly onShare: ((share: number) => void) | null;
  readonly isSecondTry: boolean;
}

/** The silence is counted in this many steps; a step that comes late, because nothing ran, counts as one. */
const silenceSteps = 10;

/** One thread for one piece of work after another, started when first needed, and again after a crash. */
export class WorkThread<Request, Outcome> {
  readonly #options: ThreadOptions<Outcome>;
  #worker: Worker | null = null;
  #watchdog: NodeJS.Timeout | null = null;
  #current: Task<Request, Outcome> | null = null;
  /** The thread that was terminated because of its silence. */
  #silent: Worker | null = null;
  #isClosed = false;
  readonly #waiting: Task<Request, Outcome>[] = [];

  constructor(options: ThreadOptions<Outcome>) {
    this.#options = options;
  }

  /** Work is done in order. `onShare` is called now and then with the share that is done. */
  run(request: Request, onShare: ((share: number) => void) | null = null): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#waiting.push({ request, resolve, onShare, isSecondTry: false });
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
    worker.postMessage(task.request);
  }

  #watch(worker: Worker): void {
    this.#unwatch();
    let steps = 0;
    this.#watchdog = setInterval(() => {
      steps += 1;
      if (steps < silenceSteps) return;
      this.#unwatch();
      this.#silent = worker;
      void worker.terminate();
    }, this.#options.silenceLimitMs / silenceSteps);
    this.#watchdog.unref();
  }

  #unwatch(): void {
    if (this.#watchdog !== null) clearInterval(this.#watchdog);
    this.#watchdog = null;
  }

  #start(): Worker {
    const { workerUrl, workerData, youngGenerationMb } = this.#options;
    const worker = new Worker(workerUrl, {
      // The decoders print complaints about damaged audio; the outcome contains them already.
      stdout: true,
      stderr: true,
      workerData,
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      ...(youngGenerationMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } }),
    });
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', ({ outcome, share }: ThreadReply<Outcome>) => {
      if (outcome !== null) return this.#finish(outcome);
      this.#watch(worker);
      if (share !== undefined) this.#current?.onShare?.(share);
    });
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #finish(outcome: Outcome): void {
    const task = this.#current;
    this.#current = null;
    this.#unwatch();
    task?.resolve(outcome);
    this.#next();
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const task = this.#current;
    if (task === null) return;
    if (this.#silent === worker && !task.isSecondTry && this.#options.triesOnce !== true && !this.#isClosed) {
      this.#current = null;
      this.#waiting.unshift({ ...task, isSecondTry: true });
      this.#next();
    } else this.#finish(this.#options.lost('stopped working'));
  }

  /** Ends the thread. Its current work ends as lost; the caller of this knows why. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const dropped = this.#waiting.splice(0);
    for (const { resolve } of dropped) resolve(this.#options.lost('closed'));
    await this.#worker?.terminate();
  }
}
