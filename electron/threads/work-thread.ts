import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface ThreadReply<Outcome> {
  readonly outcome: Outcome | null;
  readonly share?: number;
}

interface ThreadOptions<Outcome> {
  readonly workerUrl: URL;
  readonly workerData: { readonly role: string };
  /** Only time in which this program was awake counts; a second silence is the end of the work. */
  readonly silenceLimitMs: number;
  readonly triesOnce?: boolean;
  /** In MB. With the default of 32, buffers that are no longer used are collected late. */
  readonly youngGenerationMb?: number;
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

export class WorkThread<Request, Outcome> {
  readonly #options: ThreadOptions<Outcome>;
  #worker: Worker | null = null;
  #watchdog: NodeJS.Timeout | null = null;
  #current: Task<Request, Outcome> | null = null;
  #silent: Worker | null = null;
  #isClosed = false;
  readonly #waiting: Task<Request, Outcome>[] = [];

  constructor(options: ThreadOptions<Outcome>) {
    this.#options = options;
  }

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

  async close(): Promise<void> {
    this.#isClosed = true;
    const dropped = this.#waiting.splice(0);
    for (const { resolve } of dropped) resolve(this.#options.lost('closed'));
    await this.#worker?.terminate();
  }
}

const signMs = 250;

export const isInRole = (role: string): boolean =>
  !isMainThread && (workerData as { readonly role?: string } | null)?.role === role;

/** `work` calls `sign` along the way; what is `movable` is transferred instead of copied. */
export function serveThread<Outcome>(
  work: (message: unknown, sign: (share?: number) => void) => Promise<Outcome>,
  movable: (outcome: Outcome) => readonly ArrayBuffer[] = () => [],
): void {
  const reply = (message: ThreadReply<Outcome>, moved: readonly ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, moved);
  parentPort?.on('message', (message: unknown) => {
    let lastSign = performance.now();
    const sign = (share?: number): void => {
      if (performance.now() - lastSign < signMs) return;
      lastSign = performance.now();
      reply({ outcome: null, ...(share === undefined ? {} : { share }) });
    };
    void work(message, sign).then((outcome) => reply({ outcome }, movable(outcome)));
  });
}

/** Functions that a thread can run. What they are given and return is copied. */
type Tasks = Readonly<Record<string, (...given: never[]) => unknown>>;

interface TaskCall {
  readonly name: string;
  readonly given: readonly never[];
}

/** Runs `tasks` in a thread of this role; elsewhere this does nothing. */
export function serveTasks(role: string, tasks: Tasks, movable: (value: unknown) => readonly ArrayBuffer[] = () => []) {
  if (!isInRole(role)) return;
  serveThread(
    async (message) => {
      // Only this app sends messages here, and they are typed there.
      const { name, given } = message as TaskCall;
      return { value: await tasks[name]?.(...given) };
    },
    ({ value }) => movable(value),
  );
}

interface TaskOptions {
  readonly silenceLimitMs?: number | undefined;
  /** One thread for all tasks, one after the other; else each has a new one, whose memory is released after it. */
  readonly isKept?: boolean;
}

/** Runs tasks of `T` in threads; null: the thread failed, hung or was closed. */
export function openTasks<T extends Tasks>(
  workerUrl: URL,
  role: string,
  { silenceLimitMs = 120_000, isKept = false }: TaskOptions = {},
) {
  const open = new Set<{ close(): Promise<void> }>();
  const start = () => {
    const options = { workerUrl, workerData: { role }, silenceLimitMs, lost: () => null };
    const thread = new WorkThread<TaskCall, { readonly value: unknown } | null>(options);
    open.add(thread);
    return thread;
  };
  const kept = isKept ? start() : null;
  let isClosed = false;
  return {
    run: async <Name extends string & keyof T>(
      name: Name,
      given: Parameters<T[Name]>,
      signal?: AbortSignal,
    ): Promise<Awaited<ReturnType<T[Name]>> | null> => {
      if (isClosed || signal?.aborted === true) return null;
      const thread = kept ?? start();
      const stop = (): void => void thread.close();
      signal?.addEventListener('abort', stop, { once: true });
      try {
        return ((await thread.run({ name, given }))?.value ?? null) as Awaited<ReturnType<T[Name]>> | null;
      } finally {
        signal?.removeEventListener('abort', stop);
        if (kept === null) await thread.close();
        if (kept === null) open.delete(thread);
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([...open].map((thread) => thread.close()));
    },
  };
}

/** Each waits for the one before it, which never fails. */
export function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine;
    return mine;
  };
}
