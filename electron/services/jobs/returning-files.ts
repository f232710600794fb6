import type { Entries, Entry } from './entries.ts';
import type { NamedTimers } from './named-timers.ts';
import type { QueuePorts } from './ports.ts';

const lookEveryMs = 5_000;
/** A disk with thousands of recordings may be away: so many are looked for at once, the others the next time. */
const looksAtOnce = 200;

/**
 * Rows that ask a person because their recording is not there (E-010). When the disk it lies on is put back, they go on
 * by themselves. A recording that is there and can't be read is nothing that waiting helps.
 */
export class ReturningFiles {
  readonly #ports: Pick<QueuePorts, 'files'>;
  readonly #timers: NamedTimers;
  readonly #entries: Entries;
  readonly #goOn: (entry: Entry) => void;
  /** Whether the recording of a row was seen to be away. */
  readonly #awaited = new Map<string, boolean>();
  #isLooking = false;

  constructor(ports: Pick<QueuePorts, 'files'>, timers: NamedTimers, entries: Entries, goOn: (entry: Entry) => void) {
    this.#ports = ports;
    this.#timers = timers;
    this.#entries = entries;
    this.#goOn = goOn;
  }

  /** A row has become what it is now. */
  note({ job: { id, memory } }: Entry): void {
    const { state } = memory;
    if (state.tag !== 'needs-user' || state.failure.row !== 'E-010') {
      this.#awaited.delete(id);
      return;
    }
    this.#awaited.set(id, state.failure.code === 'file_missing');
    this.#arm();
  }

  #arm(): void {
    if (this.#awaited.size === 0 || this.#isLooking || this.#timers.has('returning')) return;
    this.#timers.set('returning', lookEveryMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    for (const id of [...this.#awaited.keys()].slice(0, looksAtOnce)) {
      const path = this.#entries.get(id)?.job.path;
      const isThere = path !== undefined && (await this.#ports.files.isThere(path));
      const wasAway = this.#awaited.get(id);
      const entry = this.#entries.get(id);
      // Whoever has looked stands behind the others.
      this.#awaited.delete(id);
      if (entry === undefined || wasAway === undefined || !this.#timers.isWanted) continue;
      if (isThere && wasAway) this.#goOn(entry);
      else this.#awaited.set(id, !isThere);
    }
    this.#isLooking = false;
    this.#arm();
  }
}
