import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { StudioClient } from './client.ts';
import { applyJobsChanges, type JobsChange, type JobsSnapshot } from './jobs-snapshot.ts';

/** A window that is hidden draws no frames; what it holds stays true all the same. */
const hiddenPauseMs = 200;
/** A list that changes from part to part is begun again so often before it is taken for a fault. */
const mostBeginnings = 5;

/** Reads the whole list, part by part, all of one moment. */
export async function readJobs(studio: StudioClient): Promise<Result<JobsSnapshot, Failure>> {
  let answer = await studio.request('jobs.list', {});
  for (let beginning = 0; answer.ok && beginning < mostBeginnings; beginning += 1) {
    const first = answer.value;
    const rows = [...first.jobs];
    let index = 1;
    for (; index < first.partCount; index += 1) {
      answer = await studio.request('jobs.list', { part: { number: first.number, index } });
      if (!answer.ok || answer.value.number !== first.number) break;
      rows.push(...answer.value.jobs);
    }
    if (!answer.ok) return answer;
    if (index >= first.partCount) return ok({ number: first.number, jobs: rows, queue: first.queue });
  }
  return answer.ok ? ok(answer.value) : answer;
}

/** Where the list that is shown is kept, and how it is read anew. */
export interface ShownJobs {
  readonly get: () => JobsSnapshot | undefined;
  readonly set: (snapshot: JobsSnapshot) => void;
  /** Reads the list and keeps it; whatever comes of it, `get` tells. */
  readonly read: () => Promise<unknown>;
}

/**
 * Keeps the shown list true to what main tells: changes wait for the next frame and are applied together, so a storm
 * of them is drawn once for each frame; a missed one leads to a fresh list.
 */
export function createJobsFeed(shown: ShownJobs, nextFrame: (run: () => void) => () => void) {
  let waiting: JobsChange[] = [];
  let isReading = false;
  let stopWaiting: (() => void) | null = null;

  const apply = () => {
    stopWaiting = null;
    const before = shown.get();
    // Without a list there is nothing to change: what comes waits for the one that is being read.
    if (isReading || before === undefined) return;
    const changes = waiting;
    waiting = [];
    const after = applyJobsChanges(before, changes);
    if (after === null) {
      waiting = changes;
      void readAnew();
    } else if (after !== before) shown.set(after);
  };
  const arm = () => {
    if (waiting.length > 0 && !isReading) stopWaiting ??= nextFrame(apply);
  };
  const readAnew = async () => {
    if (isReading) return;
    isReading = true;
    const last = waiting.at(-1)?.number ?? 0;
    const before = shown.get();
    await shown.read();
    isReading = false;
    const after = shown.get();
    // A list holds what was told up to its number. One that could not be read leaves the older one shown, for which
    // what was missed is lost all the same.
    const known = after === before ? last : 0;
    waiting = waiting.filter(({ number }) => number > Math.max(known, after?.number ?? 0));
    arm();
  };

  return {
    /** A change that main told. */
    take(this: void, change: JobsChange): void {
      waiting.push(change);
      if (shown.get() === undefined && !isReading) void readAnew();
      else arm();
    },
    /** Reads the list for the first time, or once more because a person asked for it. */
    readAnew,
    stop(): void {
      stopWaiting?.();
    },
  };
}

export type JobsFeed = ReturnType<typeof createJobsFeed>;

/** The next frame, or a moment later where none is drawn. */
export function onNextFrame(run: () => void): () => void {
  let timer = 0;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    window.clearTimeout(timer);
  };
  const once = () => {
    stop();
    run();
  };
  frame = requestAnimationFrame(once);
  timer = window.setTimeout(once, hiddenPauseMs);
  return stop;
}
