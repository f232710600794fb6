import type { Result } from '../../../shared/result/result.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { planFor } from '../../../shared/domain/jobs/decide-failure.ts';
import {
  close,
  isBelieved,
  openGate,
  passed,
  pause,
  pauseEndsAtMs,
  pauseUnreached,
  trialEnded,
  troubled,
  type Gate,
} from '../../../shared/domain/jobs/gate.ts';
import { isPage } from '../../../shared/domain/jobs/on-page.ts';
import { isFinal, type BlockedBy, type JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { DiskBacklog } from './disk-backlog.ts';
import type { Entries, Entry } from './entries.ts';
import { PageEvidence } from './page-evidence.ts';
import type { NamedTimers } from './named-timers.ts';
import type { QueuePorts } from './ports.ts';
import { wasNotReached, WayWatch } from './way-watch.ts';

const offlineCheckMs = 30_000;
/** Of two reasons to stop the heavier is shown and has to be lifted first. */
const weight: readonly BlockedBy[] = ['credits', 'permission', 'service', 'key', 'offline', 'disk'];

/** What the stops ask of the queue they belong to. */
export interface StopsHost {
  changed(jobId: string): void;
  /** A pause begins: whoever would go now does not. */
  changedFront(): void;
  schedule(): void;
  unblock(entry: Entry): void;
  /** A read that waited for the gate goes on. */
  unpark(entry: Entry): void;
  /** The way to the service seems to be mended: whoever waits for it looks again. */
  reached(): void;
}

/** What stops the whole queue and what lifts it again: the gate, the network, a full disk. */
export class QueueStops {
  gate: Gate = openGate;
  readonly backlog = new DiskBacklog();
  readonly #pages: PageEvidence;
  readonly #ports: QueuePorts;
  readonly #timers: NamedTimers;
  readonly #entries: Entries;
  readonly #host: StopsHost;
  readonly #wayWatch: WayWatch;

  constructor(ports: QueuePorts, timers: NamedTimers, entries: Entries, host: StopsHost) {
    this.#ports = ports;
    this.#timers = timers;
    this.#entries = entries;
    this.#host = host;
    this.#pages = new PageEvidence(entries);
    this.#wayWatch = new WayWatch(ports, timers, (isAnswered) => {
      if (isAnswered) this.#pages.noteRead();
      host.reached();
    });
  }

  /** The disk takes nothing: no new work, and what is known is kept in memory until it does. */
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
    if (this.gate.block?.by === 'disk') this.open({ ...this.gate, block: null, trial: 'none' });
    this.#host.schedule();
  }

  /** What one item met, with what others met meanwhile. */
  judged(entry: Entry, event: JobEvent): JobEvent {
    return this.#pages.judged(entry, event);
  }

  /** What one item met tells about the others. */
  learn(entry: Entry, event: JobEvent, wasIgnored: boolean): void {
    const { state } = entry.job.memory;
    const wasUnreached = this.gate.unreachedUntilMs > 0;
    if (event.type === 'answered' && !wasIgnored) {
      this.#pages.noteUpload();
      this.open(passed(this.gate, 'send'));
    } else if (event.type === 'polled' || event.type === 'looked') {
      this.#pages.noteRead();
      this.open(passed(this.gate, 'read'));
    } else if ('failure' in event && !wasIgnored) {
      if (event.type === 'send-failed' && isPage(event.failure)) this.#pages.notePage(entry);
      if (state.tag === 'blocked') this.block(state.by, state.failure);
      else if (state.tag === 'waiting' && event.type !== 'prepare-failed') {
        const plan = planFor(event.failure, entry.job.memory.tries - 1);
        if (plan.plan === 'wait' && plan.holds !== 'item') {
          this.#holdOthers(event.failure, state.untilMs, plan.holds === 'all-if-repeated');
          this.#wayWatch.follow(event.failure);
        }
      }
    }
    // Whoever waits for the way need not wait out its time.
    if (wasUnreached && this.gate.unreachedUntilMs === 0) this.#timers.set('reached', 0, () => this.#host.reached());
    if (state.tag !== 'sending' && state.tag !== 'prepared' && state.tag !== 'polling')
      this.gate = trialEnded(this.gate, entry.job.id);
  }

  /** What one met makes others wait as well; a service in trouble has to say so twice. */
  #holdOthers(failure: Failure, untilMs: number, needsProof: boolean): void {
    const { clock } = this.#ports;
    const ends = clock.monotonic() + Math.max(0, untilMs - clock.now());
    const before = pauseEndsAtMs(this.gate);
    // What was asked for is kept to the end; a way that is broken may be mended any moment.
    if (wasNotReached(failure)) this.gate = pauseUnreached(this.gate, ends);
    else this.gate = needsProof ? troubled(this.gate, ends) : pause(this.gate, ends);
    const after = pauseEndsAtMs(this.gate);
    if (after <= before) return;
    const shownUntilMs = clock.now() + (after - clock.monotonic());
    this.gate = { ...this.gate, pausedBy: { failure, untilMs: shownUntilMs } };
    this.#host.changedFront();
  }

  block(by: BlockedBy, failure: Failure): void {
    const current = this.gate.block?.by;
    if (current !== undefined && this.gate.trial === 'none' && weight.indexOf(by) < weight.indexOf(current)) return;
    const isNews = this.gate.block?.by !== by || this.gate.trial !== 'none';
    this.gate = close(by === 'service' ? troubled(this.gate, 0) : this.gate, by, failure);
    if (by === 'offline' && !this.#timers.has('online'))
      this.#timers.set('online', offlineCheckMs, () => this.openIfOnline());
    if (by === 'service') this.#wayWatch.follow(failure);
    if (isNews) this.#changedRows(by === 'disk');
  }

  /** A free read got through. One strange answer stops nobody any longer; after more of them one upload goes first. */
  openIfOnce(): void {
    if (this.gate.block?.by !== 'service' || isBelieved(this.gate.troubles)) return;
    this.open({ ...this.gate, block: null, trial: 'none' });
  }

  openIfOnline(): void {
    if (this.gate.block?.by !== 'offline') return;
    if (this.#ports.isOnline()) this.open({ ...this.gate, block: null, trial: 'none' });
    else this.#timers.set('online', offlineCheckMs, () => this.openIfOnline());
  }

  /** Takes over a gate; when it stands open again everybody who waited for it goes on. */
  open(gate: Gate): void {
    const wasClosed = this.gate.block !== null;
    const wasDisk = this.gate.block?.by === 'disk';
    this.gate = gate;
    if (gate.block === null) this.#wayWatch.rest();
    if (gate.block !== null || !wasClosed) return;
    for (const entry of this.#entries.all()) {
      if (entry.job.memory.state.tag === 'blocked') this.#host.unblock(entry);
      else this.#host.unpark(entry);
    }
    this.#changedRows(wasDisk);
    this.#host.schedule();
  }

  /** A gate that moved shows on the rows in line; that of a full disk on everything that is under way. */
  #changedRows(isOfDisk: boolean): void {
    for (const id of this.#entries.line.ids()) this.#host.changed(id);
    if (!isOfDisk) return;
    for (const { job } of this.#entries.all()) if (!isFinal(job.memory.state)) this.#host.changed(job.id);
  }
}
