import type { LiveJobs, LiveJob } from './live-jobs.ts';
import type { KeyedTimers } from './keyed-timers.ts';
import { placeOfAudio } from '../media/audio-extractor.ts';
import type { QueuePorts } from './ports.ts';

const lookEveryMs = 5_000;
/** A drive with thousands of recordings may be unplugged: this many are checked at a time. */
const looksAtOnce = 200;

/**
 * Watches jobs that stopped because their recording is missing (E-010) and resumes them when its drive is plugged in
 * again. A recording that is there but cannot be read is left to the user: waiting would not help.
 */
export class MissingFileWatcher {
  readonly #ports: Pick<QueuePorts, 'files' | 'extractor'>;
  readonly #timers: KeyedTimers;
  readonly #liveJobs: LiveJobs;
  readonly #goOn: (live: LiveJob) => void;
  /** Watched jobs, and whether their recording was seen to be missing. */
  readonly #awaited = new Map<string, boolean>();
  #isLooking = false;

  constructor(
    ports: Pick<QueuePorts, 'files' | 'extractor'>,
    timers: KeyedTimers,
    liveJobs: LiveJobs,
    goOn: (live: LiveJob) => void,
  ) {
    this.#ports = ports;
    this.#timers = timers;
    this.#liveJobs = liveJobs;
    this.#goOn = goOn;
  }

  /** Starts or stops watching a job whose state has changed. */
  note({ job: { id, memory } }: LiveJob): void {
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
      const path = this.#liveJobs.get(id)?.job.path;
      const isThere =
        path !== undefined && (await this.#ports.files.isThere(placeOfAudio(this.#ports.extractor, path)));
      const wasAway = this.#awaited.get(id);
      const live = this.#liveJobs.get(id);
      // Move checked jobs to the back of the queue.
      this.#awaited.delete(id);
      if (live === undefined || wasAway === undefined || !this.#timers.isWanted) continue;
      if (isThere && wasAway) this.#goOn(live);
      else this.#awaited.set(id, !isThere);
    }
    this.#isLooking = false;
    this.#arm();
  }
}
