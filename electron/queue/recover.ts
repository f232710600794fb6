import { z } from 'zod';
import { isHtmlAnswer } from '../../shared/domain/jobs/machine.ts';
import { learnPace, rememberedSamples, type PaceSample } from '../../shared/domain/jobs/time-left.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import type { ClientClock } from '../service/transport.ts';
import { readNote } from '../services/library/store.ts';
import { placeOfAudio } from '../services/media/audio-extractor.ts';
import type { QueueDeps } from './effects.ts';
import type { Entries, QueueEntry } from './entries.ts';

/** Timers by name: setting one again cancels the earlier one. None fires once the queue has stopped. */
export function createTimers(clock: Pick<ClientClock, 'after'>, isRunning: () => boolean) {
  const cancels = new Map<string, () => void>();
  const cancel = (name: string): void => {
    cancels.get(name)?.();
    cancels.delete(name);
  };
  return {
    isRunning,
    has: (name: string) => cancels.has(name),
    cancel,
    set(name: string, ms: number, callback: () => void): void {
      cancel(name);
      if (!isRunning()) return;
      const stop = clock.after(ms, () => {
        cancels.delete(name);
        if (isRunning()) callback();
      });
      cancels.set(name, stop);
    },
    clear: (): void => [...cancels.keys()].forEach(cancel),
  };
}

type Timers = ReturnType<typeof createTimers>;

/** What a full disk refused; tried again after 1 s, 2 s, 4 s and at most every 30 s (disk-full). */
export function createBacklog() {
  const waiting: (() => Result<null>)[] = [];
  let tries = 0;
  return {
    isEmpty: () => waiting.length === 0,
    pauseMs: () => Math.min(30_000, 1_000 * 2 ** tries),
    add: (attempt: () => Result<null>) => void waiting.push(attempt),
    tryAll(): boolean {
      tries += 1;
      for (let attempt = waiting[0]; attempt !== undefined; attempt = waiting[0]) {
        if (!attempt().ok) return false;
        waiting.shift();
      }
      tries = 0;
      return true;
    },
  };
}

/** Nothing left this computer, for a reason between it and the service. */
export const wasNotReached = ({ outcome, layer }: Failure): boolean => outcome === 'not_sent' && layer !== 'local';

/** Obstacles between us and the service that may disappear without any notification. */
const obstacles = new Set(['certificate-dates', 'certificate-untrusted', 'tls-failed', 'proxy-sign-in']);
const isObstacle = (failure: Failure): boolean => obstacles.has(failure.kind) || isHtmlAnswer(failure);

/** Asks only the resolver, so it does not load the service. */
const nameEveryMs = 3_000;
/** One foreign answer may be an accident: a read checks at once, but not more than once in this time. */
const betweenTriesMs = 1_000;
const nextTryMs = 15_000;
const longestTryMs = 300_000;

/**
 * By resolving the name, and past a sign-in page or a proxy by free reads, ever less often. `isAnswered`: the service
 * itself answered, instead of just its name resolving.
 */
export function watchConnectivity(
  { api, clock }: Pick<QueueDeps, 'api' | 'clock'>,
  timers: Timers,
  reached: (isAnswered: boolean) => void,
) {
  let pauseMs = 0;
  let triedAtMs = -Infinity;
  const awaitName = (): void => {
    if (timers.has('name')) return;
    timers.set('name', nameEveryMs, () => {
      void api.isNamed().then((isNamed) => (isNamed ? reached(false) : awaitName()));
    });
  };
  const awaitAnswer = (): void => {
    timers.set('answer', Math.max(pauseMs, triedAtMs + betweenTriesMs - clock.monotonic()), () => {
      pauseMs = pauseMs === 0 ? betweenTriesMs : Math.min(longestTryMs, Math.max(nextTryMs, pauseMs * 2));
      triedAtMs = clock.monotonic();
      void api.reach().then((answer) => {
        // A refusal by the service itself shows that it was reached.
        if (answer.ok || !(isObstacle(answer.error) || wasNotReached(answer.error))) reached(true);
        else awaitAnswer();
      });
    });
  };
  return {
    watch(failure: Failure): void {
      if (failure.kind === 'address-not-found') awaitName();
      else if (isObstacle(failure) && !timers.has('answer')) awaitAnswer();
    },
    /** The service was reached: the next trouble starts with short pauses. */
    reset(): void {
      pauseMs = 0;
      timers.cancel('answer');
    },
  };
}

const lookEveryMs = 5_000;
/** A drive with thousands of recordings may be unplugged: this many are checked at a time. */
const looksAtOnce = 200;

/** file-unreadable: resumes when the drive is plugged in; one that can't be read is left to the user. */
export function watchMissingFiles(
  { files, extractor }: Pick<QueueDeps, 'files' | 'extractor'>,
  timers: Timers,
  byId: Pick<Entries['byId'], 'get'>,
  resume: (entry: QueueEntry) => void,
) {
  /** Whether the recording was seen to be missing, by job. */
  const awaited = new Map<string, boolean>();
  let isLooking = false;
  const arm = (): void => {
    if (awaited.size > 0 && !isLooking && !timers.has('missing')) timers.set('missing', lookEveryMs, () => void look());
  };
  const look = async (): Promise<void> => {
    isLooking = true;
    for (const id of [...awaited.keys()].slice(0, looksAtOnce)) {
      const path = byId.get(id)?.job.path;
      const isThere = path !== undefined && (await files.isThere(placeOfAudio(extractor, path)));
      const wasAway = awaited.get(id);
      const entry = byId.get(id);
      // Checked jobs go to the end.
      awaited.delete(id);
      if (entry === undefined || wasAway === undefined || !timers.isRunning()) continue;
      if (isThere && wasAway) resume(entry);
      else awaited.set(id, !isThere);
    }
    isLooking = false;
    arm();
  };
  /** Notes the new state of a job. */
  return ({ job: { id, memory } }: QueueEntry): void => {
    const { state } = memory;
    if (state.tag !== 'needs-user' || state.failure.kind !== 'file-unreadable') {
      awaited.delete(id);
      return;
    }
    awaited.set(id, state.failure.code === 'file_missing');
    arm();
  };
}

const measure = lazySchema(() => z.number().finite().nonnegative());
const samplesSchema = lazySchema(() =>
  z.array(z.object({ sentBytes: measure(), uploadMs: measure(), audioMs: measure(), serviceMs: measure() })),
);

/** Shorter uploads measure the first packets rather than the connection. */
const leastUploadMs = 200;

/** How long the last jobs took, across runs. */
export function createPaceHistory(store: QueueDeps['store']) {
  let samples: readonly PaceSample[] = [];
  return {
    pace: () => learnPace(samples),
    load(): void {
      samples = readNote(store, 'pace', samplesSchema(), []).slice(-rememberedSamples);
    },
    /** A job succeeded in this run; one that was continued from an earlier run shows nothing about time. */
    learn({ sentBetween, job }: QueueEntry, nowMs: number): void {
      if (sentBetween === null) return;
      const uploadMs = sentBetween.toMs - sentBetween.fromMs;
      const sample = {
        sentBytes: job.sizeBytes,
        uploadMs: uploadMs < leastUploadMs ? 0 : uploadMs,
        audioMs: job.durationMs ?? 0,
        serviceMs: Math.max(0, nowMs - sentBetween.toMs),
      };
      samples = [...samples, sample].slice(-rememberedSamples);
      store.saveNote('pace', JSON.stringify(samples));
    },
  };
}
