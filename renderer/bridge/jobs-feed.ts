import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { StudioClient } from './client.ts';
import { applyJobsChanges, type JobsChange, type JobsSnapshot } from './jobs-snapshot.ts';

/** A hidden window renders no frames, but its state must stay current. */
const hiddenPauseMs = 200;
/** How often reading is restarted when the list changes from part to part, before that counts as a fault. */
const mostBeginnings = 5;

/** Reads the whole list as one snapshot, part by part. */
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

/** The storage of the shown list, and how it is read again. */
export interface ShownJobs {
  readonly get: () => JobsSnapshot | undefined;
  readonly set: (snapshot: JobsSnapshot) => void;
  /** Reads the list and stores it; `get` returns the result, whatever it is. */
  readonly read: () => Promise<unknown>;
}

/**
 * Keeps the shown list in line with main: changes wait for the next frame and are applied together, so a burst is
 * rendered once per frame; a missed change leads to a fresh list.
 */
export function createJobsFeed(shown: ShownJobs, nextFrame: (run: () => void) => () => void) {
  let waiting: JobsChange[] = [];
  let isReading = false;
  let stopWaiting: (() => void) | null = null;

  const apply = () => {
    stopWaiting = null;
    const before = shown.get();
    // Without a list there is nothing to change: what arrives waits for the one being read.
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
    // A list contains all changes up to its number. If reading failed, the older list stays, for which the missed
    // changes are still lost.
    const known = after === before ? last : 0;
    waiting = waiting.filter(({ number }) => number > Math.max(known, after?.number ?? 0));
    arm();
  };

  return {
    /** Handles a change from main. */
    take(this: void, change: JobsChange): void {
      waiting.push(change);
      if (shown.get() === undefined && !isReading) void readAnew();
      else arm();
    },
    /** Reads the list for the first time, or again because the user asked. */
    readAnew,
    stop(): void {
      stopWaiting?.();
    },
  };
}

export type JobsFeed = ReturnType<typeof createJobsFeed>;

/** The next frame, or a moment later when none is rendered. */
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
