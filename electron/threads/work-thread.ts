import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';

export interface ThreadReply<Outcome> {
  readonly outcome: Outcome | null;
  readonly share?: number;
}

export interface ThreadOptions<Outcome> {
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
  !isMainThread && z.object({ role: z.literal(role) }).safeParse(workerData).success;

/** `work` calls `sign` along the way; what is `movable` is transferred instead of copied. */
export function serveThread<Outcome>(
  work: (message: unknown, sign: (share?: number) => void) => Promise<Outcome>,
  movable: (outcome: Outcome) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new Error('a worker was started outside a worker thread');
  const answer = async (message: unknown): Promise<void> => {
    let lastSign = performance.now();
    const sign = (share?: number): void => {
      if (performance.now() - lastSign < signMs) return;
      lastSign = performance.now();
      port.postMessage({ outcome: null, ...(share === undefined ? {} : { share }) } satisfies ThreadReply<Outcome>);
    };
    const outcome = await work(message, sign);
    port.postMessage({ outcome } satisfies ThreadReply<Outcome>, movable(outcome));
  };
  port.on('message', (message: unknown) => void answer(message));
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

/** A thread that runs `T`, one task after the other; null: it failed, hung or was closed. */
export function openTasks<T extends Tasks>(workerUrl: URL, role: string, silenceLimitMs = 120_000) {
  const thread = new WorkThread<TaskCall, { readonly value: unknown } | null>({
    workerUrl,
    workerData: { role },
    silenceLimitMs,
    lost: () => null,
  });
  type Value<Name extends keyof T> = Awaited<ReturnType<T[Name]>> | null;
  const run = async <Name extends string & keyof T>(name: Name, ...given: Parameters<T[Name]>): Promise<Value<Name>> =>
    ((await thread.run({ name, given }))?.value ?? null) as Value<Name>;
  return {
    run,
    /** Closes the thread afterwards, so that its memory is released at once. */
    async runOnce<Name extends string & keyof T>(name: Name, ...given: Parameters<T[Name]>): Promise<Value<Name>> {
      try {
        return await run(name, ...given);
      } finally {
        await thread.close();
      }
    },
    close: (): Promise<void> => thread.close(),
  };
}
