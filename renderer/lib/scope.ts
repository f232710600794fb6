type Dispose = () => void;

/** Owns the listeners and timers of an effect. What is added after `dispose` is released at once. */
export class Scope {
  readonly #disposals = new Set<Dispose>();
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add(dispose: Dispose): void {
    if (this.#isDisposed) dispose();
    else this.#disposals.add(dispose);
  }

  listen<E extends Event>(
    target: EventTarget,
    type: string,
    listener: (event: E) => void,
    options?: AddEventListenerOptions,
  ): void {
    const handle = (event: Event) => listener(event as E);
    target.addEventListener(type, handle, options);
    this.add(() => target.removeEventListener(type, handle, options));
  }

  after(ms: number, run: () => void): Dispose {
    const stop = () => {
      clearTimeout(timer);
      // A scope may live as long as the app, and get a timer for every key.
      this.#disposals.delete(stop);
    };
    const timer = setTimeout(() => {
      stop();
      run();
    }, ms);
    this.add(stop);
    return stop;
  }

  every(ms: number, run: () => void): Dispose {
    const timer = setInterval(run, ms);
    const stop = () => clearInterval(timer);
    this.add(stop);
    return stop;
  }

  eachFrame(run: (timeMs: number) => void): Dispose {
    let frame = 0;
    let isStopped = false;
    const step = (timeMs: number) => {
      run(timeMs);
      if (!isStopped) frame = requestAnimationFrame(step);
    };
    const stop = () => {
      isStopped = true;
      cancelAnimationFrame(frame);
    };
    frame = requestAnimationFrame(step);
    this.add(stop);
    return stop;
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const dispose of [...this.#disposals].toReversed()) dispose();
    this.#disposals.clear();
  }
}
