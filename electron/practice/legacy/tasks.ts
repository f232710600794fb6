/** Work of the legacy API, one after another. It is not taken up by the next start. */
export class LegacyWork {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async stop(): Promise<void> {
    await this.#last;
  }
}
