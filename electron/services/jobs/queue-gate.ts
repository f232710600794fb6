import { pagesOfItsOwn, isHtmlAnswer } from '../../../shared/domain/jobs/steps.ts';
import { z } from 'zod';
import { planFor, stopsOthers } from '../../../shared/domain/jobs/decide-failure.ts';
import * as rules from '../../../shared/domain/jobs/gate.ts';
import { isFinal, type BlockedBy, type JobEvent, type JobState } from '../../../shared/domain/jobs/job-state.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { LiveJobs, QueueEntry } from './live-jobs.ts';
import type { KeyedTimers, QueueDeps } from './ports.ts';
import { readNote } from '../library/store.ts';

/** What had got through when a row last met an HTML answer. */
interface Seen {
  readonly uploads: number;
  readonly reads: number;
}

/** A row's own: another upload got through since its last page or, with no other row left, a read. */
export class InterceptedUploads {
  readonly #liveJobs: LiveJobs;
  #seen: Seen = { uploads: 0, reads: 0 };
  readonly #atLastPage = new WeakMap<QueueEntry, Seen>();

  constructor(liveJobs: LiveJobs) {
    this.#liveJobs = liveJobs;
  }

  noteUpload(): void {
    this.#seen = { ...this.#seen, uploads: this.#seen.uploads + 1 };
  }

  noteRead(): void {
    this.#seen = { ...this.#seen, reads: this.#seen.reads + 1 };
  }

  noteInterception(live: QueueEntry): void {
    this.#atLastPage.set(live, this.#seen);
  }

  withVerdict(live: QueueEntry, event: JobEvent): JobEvent {
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

  #mayOthersShow(live: QueueEntry): boolean {
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

/** One that waits for the service, preferably one that met no HTML answer. */
export function firstToTry(liveJobs: LiveJobs, by: BlockedBy): QueueEntry | undefined {
  let first: QueueEntry | undefined;
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

/** Asks only the resolver, so it does not load the service. */
const nameEveryMs = 3_000;
/** One foreign answer may be an accident: a read checks at once, but not more than once in this time. */
const betweenTriesMs = 1_000;
const nextTryMs = 15_000;
const longestTryMs = 300_000;

/** Obstacles between us and the service that may disappear without any notification. */
const inTheWay = new Set(['certificate-dates', 'certificate-untrusted', 'tls-failed', 'proxy-sign-in']);
const isInTheWay = (failure: Failure): boolean => inTheWay.has(failure.kind) || isHtmlAnswer(failure);

/** Nothing left this computer, for a reason between it and the service. */
export const wasNotReached = ({ outcome, layer }: Failure): boolean => outcome === 'not_sent' && layer !== 'local';

/** By resolving the name, and past a sign-in page or a proxy by free reads, ever less often. */
function watchConnectivity(
  { api, clock }: Pick<QueueDeps, 'api' | 'clock'>,
  timers: KeyedTimers,
  /** `isAnswered`: the service itself answered, instead of just its name resolving. */
  reached: (isAnswered: boolean) => void,
) {
  let tryMs = 0;
  let triedAtMs = -Infinity;
  const awaitName = (): void => {
    if (timers.has('name')) return;
    timers.set('name', nameEveryMs, () => {
      void api.isNamed().then((isNamed) => (isNamed ? reached(false) : awaitName()));
    });
  };
  const awaitWay = (): void => {
    timers.set('way', Math.max(tryMs, triedAtMs + betweenTriesMs - clock.monotonic()), () => {
      tryMs = nextPause(tryMs);
      triedAtMs = clock.monotonic();
      void api.reach().then((answer) => {
        if (answer.ok || !isStillInTheWay(answer.error)) reached(true);
        else awaitWay();
      });
    });
  };
  return {
    watch(failure: Failure): void {
      if (failure.kind === 'address-not-found') awaitName();
      else if (isInTheWay(failure) && !timers.has('way')) awaitWay();
    },
    /** The service was reached: the next trouble starts with short pauses. */
    reset(): void {
      tryMs = 0;
      timers.cancel('way');
    },
  };
}

const nextPause = (ms: number): number =>
  ms === 0 ? betweenTriesMs : Math.min(longestTryMs, Math.max(nextTryMs, ms * 2));

/** A refusal by the service itself shows that it was reached. */
const isStillInTheWay = (failure: Failure): boolean => isInTheWay(failure) || wasNotReached(failure);

/** Tried again after 1 s, 2 s, 4 s and at most every 30 s (disk-full). */
export class DiskBacklog {
  readonly #waiting: (() => Result<null>)[] = [];
  #tries = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get pauseMs(): number {
    return Math.min(30_000, 1_000 * 2 ** this.#tries);
  }

  add(attempt: () => Result<null>): void {
    this.#waiting.push(attempt);
  }

  tryAll(): boolean {
    this.#tries += 1;
    for (let attempt = this.#waiting[0]; attempt !== undefined; attempt = this.#waiting[0]) {
      if (!attempt().ok) return false;
      this.#waiting.shift();
    }
    this.#tries = 0;
    return true;
  }
}

const offlineCheckMs = 30_000;
/** When two reasons block the queue, the one further to the right is shown and has to be cleared first. */
const weight: readonly BlockedBy[] = ['model', 'credits', 'permission', 'service', 'key', 'offline', 'disk'];
const pausedNote = lazySchema(() => z.object({ isHeld: z.boolean() }));

interface GateHost {
  changed(jobId: string): void;
  /** A pause begins: the jobs at the front, which would have been sent now, are not. */
  changedFront(): void;
  schedule(): void;
  unblock(live: QueueEntry): void;
  runDeferredRead(live: QueueEntry): void;
  reached(): void;
}

/** The only owner of what stops the whole queue: pauses, blocks, the network, a full disk. */
export class QueueGate {
  #state: rules.Gate = rules.openGate;
  readonly backlog = new DiskBacklog();
  readonly #uploads: InterceptedUploads;
  readonly #ports: QueueDeps;
  readonly #timers: KeyedTimers;
  readonly #liveJobs: LiveJobs;
  readonly #host: GateHost;
  readonly #connectivity: ReturnType<typeof watchConnectivity>;

  constructor(ports: QueueDeps, timers: KeyedTimers, liveJobs: LiveJobs, host: GateHost) {
    this.#ports = ports;
    this.#timers = timers;
    this.#liveJobs = liveJobs;
    this.#host = host;
    this.#uploads = new InterceptedUploads(liveJobs);
    this.#connectivity = watchConnectivity(ports, timers, (isAnswered) => {
      if (isAnswered) this.#uploads.noteRead();
      host.reached();
    });
  }

  get state(): rules.Gate {
    return this.#state;
  }

  get blockedBy(): BlockedBy | null {
    return this.#state.block?.by ?? null;
  }

  /** Whether this job may be sent now. A queue that was blocked sends one job on trial. */
  admit(jobId: string): boolean {
    const { isAdmitted, gate } = rules.admit(this.#state, jobId, this.#ports.clock.monotonic());
    this.#state = gate;
    return isAdmitted;
  }

  allowsReads(jobId: string): boolean {
    return rules.allowsReads(this.#state, jobId);
  }

  get pauseLeftMs(): number {
    return Math.max(0, rules.pauseEndsAtMs(this.#state) - this.#ports.clock.monotonic());
  }

  /** What an earlier run left: a paused queue stays paused. A note that cannot be read pauses nothing. */
  restorePaused(): void {
    this.#state = { ...this.#state, ...readNote(this.#ports.store, 'queue', pausedNote(), { isHeld: false }) };
  }

  setPaused(isHeld: boolean): Result<null> {
    const saved = this.#ports.store.saveNote('queue', JSON.stringify({ isHeld }));
    if (saved.ok) this.#state = { ...this.#state, isHeld };
    return saved;
  }

  /** A blocked job of an earlier run blocks the queue until somebody clears it. */
  restoreBlock(by: BlockedBy, failure: Failure): void {
    if (this.#state.block === null) this.#state = rules.close(this.#state, by, failure);
  }

  /** One job is tried first, or the next that comes; the others follow when it gets through. */
  tryOne(jobId: string | null): void {
    this.#state = rules.tryOne(this.#state, jobId);
  }

  /** The network may work again: nobody waits for it any longer. A pause that the service asked for stays. */
  clearNetworkPause(): void {
    this.#state = rules.clearNetworkPause(this.#state);
  }

  /** The disk refuses writes: nothing new begins, and finished work is kept in memory until it takes them. */
  waitForDisk(failure: Failure, attempt: () => Result<null>): void {
    this.backlog.add(attempt);
    this.block('disk', failure);
    this.#timers.set('disk', this.backlog.pauseMs, () => this.#tryDisk());
  }

  #tryDisk(): void {
    if (!this.backlog.tryAll()) {
      this.#timers.set('disk', this.backlog.pauseMs, () => this.#tryDisk());
      return;
    }
    if (this.blockedBy === 'disk') this.#unblock();
    this.#host.schedule();
  }

  classify(live: QueueEntry, event: JobEvent): JobEvent {
    return this.#uploads.withVerdict(live, event);
  }

  recordOutcome(live: QueueEntry, event: JobEvent, wasIgnored: boolean): void {
    const { state } = live.job.memory;
    const wasUnreached = this.#state.unreachedUntilMs > 0;
    if (event.type === 'answered' && !wasIgnored) {
      this.#uploads.noteUpload();
      this.#replace(rules.recordSuccess(this.#state, 'send'));
    } else if (event.type === 'polled' || event.type === 'looked') {
      this.#uploads.noteRead();
      this.#replace(rules.recordSuccess(this.#state, 'read'));
    } else if ('failure' in event && !wasIgnored) {
      if (event.type === 'send-failed' && isHtmlAnswer(event.failure)) this.#uploads.noteInterception(live);
      if (state.tag === 'blocked') {
        if (stopsOthers(state.by)) this.block(state.by, state.failure);
      } else if (state.tag === 'waiting' && event.type !== 'prepare-failed') {
        const plan = planFor(event.failure, live.job.memory.tries - 1);
        if (plan.plan === 'wait' && plan.holds !== 'item') {
          this.#pauseOthers(event.failure, state.untilMs, plan.holds === 'all-if-repeated');
          this.#connectivity.watch(event.failure);
        }
      }
    }
    if (wasUnreached && this.#state.unreachedUntilMs === 0) this.#timers.set('reached', 0, () => this.#host.reached());
    if (state.tag !== 'sending' && state.tag !== 'prepared' && state.tag !== 'polling')
      this.#state = rules.trialEnded(this.#state, live.job.id);
  }

  /** One job's trouble makes the others wait too; a service in trouble has to say so twice. */
  #pauseOthers(failure: Failure, untilMs: number, needsProof: boolean): void {
    const { clock } = this.#ports;
    const ends = clock.monotonic() + Math.max(0, untilMs - clock.now());
    const before = rules.pauseEndsAtMs(this.#state);
    // A pause that the service asked for is kept to its end; a broken network may work again any moment.
    if (wasNotReached(failure)) this.#state = rules.pauseUnreached(this.#state, ends);
    else this.#state = needsProof ? rules.recordTrouble(this.#state, ends) : rules.pause(this.#state, ends);
    const after = rules.pauseEndsAtMs(this.#state);
    if (after <= before) return;
    const shownUntilMs = clock.now() + (after - clock.monotonic());
    this.#state = { ...this.#state, pausedBy: { failure, untilMs: shownUntilMs } };
    this.#host.changedFront();
  }

  block(by: BlockedBy, failure: Failure): void {
    const current = this.blockedBy;
    const { trial } = this.#state;
    if (current !== null && trial === 'none' && weight.indexOf(by) < weight.indexOf(current)) return;
    const isNew = current !== by || trial !== 'none';
    this.#state = rules.close(by === 'service' ? rules.recordTrouble(this.#state, 0) : this.#state, by, failure);
    if (by === 'offline' && !this.#timers.has('online'))
      this.#timers.set('online', offlineCheckMs, () => this.openIfOnline());
    if (by === 'service') this.#connectivity.watch(failure);
    if (isNew) this.#changedRows(by === 'disk');
  }

  /** A free read got through. A single strange answer no longer blocks; after several, one upload goes first. */
  openIfOnce(): void {
    if (this.blockedBy === 'service' && !rules.isBelieved(this.#state.troubles)) this.#unblock();
  }

  openIfOnline(): void {
    if (this.blockedBy !== 'offline') return;
    if (this.#ports.isOnline()) this.#unblock();
    else this.#timers.set('online', offlineCheckMs, () => this.openIfOnline());
  }

  #unblock(): void {
    this.#replace({ ...this.#state, block: null, trial: 'none' });
  }

  /** Takes over a state; when nothing blocks any longer, every job that waited for it goes on. */
  #replace(state: rules.Gate): void {
    const before = this.blockedBy;
    this.#state = state;
    if (state.block !== null) return;
    this.#connectivity.reset();
    if (before === null) return;
    for (const live of this.#liveJobs.all()) {
      if (live.job.memory.state.tag === 'blocked') this.#host.unblock(live);
      else this.#host.runDeferredRead(live);
    }
    this.#changedRows(before === 'disk');
    this.#host.schedule();
  }

  /** A change of the gate shows on the waiting rows; a full disk shows on all that is under way. */
  #changedRows(isDisk: boolean): void {
    for (const id of this.#liveJobs.toSend.ids()) this.#host.changed(id);
    if (!isDisk) return;
    for (const { job } of this.#liveJobs.all()) if (!isFinal(job.memory.state)) this.#host.changed(job.id);
  }
}
