/** An object created by the model of the service. */
export interface Made {
  readonly id: string;
  readonly key: string;
  readonly content: string;
  readonly item: number;
  readonly atMs: number;
  /** How often it must be polled until it is finished. */
  readsLeft: number;
}

/** The service forgets a key after a day, as such services do; the app must assume less. */
const forgetsAfterMs = 24 * 3_600_000;

/** An account of the service as far as uploads go: what it accepted, and under which key it remembers it. */
export class ModelService {
  readonly made: Made[] = [];
  readonly #byKey = new Map<string, Made>();

  /** The same object for the same key while it is remembered. Null: the key stands for other content (409). */
  accept(key: string, content: string, item: number, atMs: number, readsLeft: number): Made | null {
    const known = this.#byKey.get(key);
    if (known !== undefined && atMs - known.atMs < forgetsAfterMs) return known.content === content ? known : null;
    const made = { id: `tr_${this.made.length + 1}`, key, content, item, atMs, readsLeft };
    this.made.push(made);
    this.#byKey.set(key, made);
    return made;
  }

  find(id: string | null): Made | undefined {
    return this.made.find((one) => one.id === id);
  }

  /** What a search of the list finds for an item. */
  newestOf(item: number): Made | undefined {
    return this.made.findLast((one) => one.item === item);
  }
}
