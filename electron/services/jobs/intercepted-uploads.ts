import type { BlockedBy, JobEvent, JobState } from '../../../shared/domain/jobs/job-state.ts';
import { isHtmlAnswer, pagesOfItsOwn } from '../../../shared/domain/jobs/on-html-answer.ts';
import type { LiveJobs, LiveJob } from './live-jobs.ts';

/** What had got through when a row last met an HTML answer. */
interface Seen {
  readonly uploads: number;
  readonly reads: number;
}

/**
 * Distinguishes an HTML answer that everybody gets from one that only this recording gets. It is the latter when the
 * upload of another recording was accepted since this row's last HTML answer or, when no other row is left to show it,
 * when a free read got through.
 */
export class InterceptedUploads {
  readonly #liveJobs: LiveJobs;
  #seen: Seen = { uploads: 0, reads: 0 };
  readonly #atLastPage = new WeakMap<LiveJob, Seen>();

  constructor(liveJobs: LiveJobs) {
    this.#liveJobs = liveJobs;
  }

  /** The service took an upload. */
  noteUpload(): void {
    this.#seen = { ...this.#seen, uploads: this.#seen.uploads + 1 };
  }

  /** The service answered a free read. */
  noteRead(): void {
    this.#seen = { ...this.#seen, reads: this.#seen.reads + 1 };
  }

  /** The HTML answer of this row is on disk: whatever gets through from now on counts against its next one. */
  noteInterception(live: LiveJob): void {
    this.#atLastPage.set(live, this.#seen);
  }

  /** The event, completed with what other rows met. */
  withVerdict(live: LiveJob, event: JobEvent): JobEvent {
    if (event.type !== 'send-failed' && event.type !== 'unblock') return event;
    const { state, pages } = live.job.memory;
    const isAboutPage =
      event.type === 'send-failed'
        ? isHtmlAnswer(event.failure)
        : state.tag === 'blocked' && isHtmlAnswer(state.failure);
    if (!isAboutPage || pages === 0) return event;
    // After a restart everything that gets through counts.
    const before = this.#atLastPage.get(live) ?? { uploads: 0, reads: 0 };
    const isItsOwn =
      this.#seen.uploads > before.uploads || (this.#seen.reads > before.reads && !this.#mayOthersShow(live));
    return isItsOwn ? { ...event, isItsOwn } : event;
  }

  #mayOthersShow(live: LiveJob): boolean {
    for (const other of this.#liveJobs.all()) {
      if (other !== live && other.job.memory.pages < pagesOfItsOwn && isToBeSent(other.job.memory.state)) return true;
    }
    return false;
  }
}

function isToBeSent(state: JobState): boolean {
  if (state.tag === 'queued' || state.tag === 'prepared' || state.tag === 'sending') return true;
  return (
    (state.tag === 'waiting' || state.tag === 'blocked') && (state.resume === 'prepare' || state.resume === 'send')
  );
}

/**
 * The job that tests first whether the service can be reached again: one that waits for it, preferably one that met no
 * HTML answer.
 */
export function firstToTry(liveJobs: LiveJobs, by: BlockedBy): LiveJob | undefined {
  let first: LiveJob | undefined;
  for (const live of liveJobs.all()) {
    const { state, pages } = live.job.memory;
    if (state.tag !== 'blocked' || state.by !== by) continue;
    if (first === undefined || pages < first.job.memory.pages) first = live;
  }
  if (first === undefined || first.job.memory.pages === 0) return first;
  for (const id of liveJobs.toSend.ids()) {
    const live = liveJobs.get(id);
    if (live?.job.memory.pages === 0) return live;
  }
  return first;
}
