import { ok, type Result } from '../../../shared/result/result.ts';
import type { LibraryStore } from '../library/store.ts';
import { preparedNameOf } from './audio-extractor.ts';

interface Ports {
  readonly store: Pick<LibraryStore, 'loadJobs' | 'listPrepared'>;
  /** Whether a recording is where it was. */
  readonly isThere: (path: string) => Promise<boolean>;
}

/**
 * Names of the audio files in the library's folder that must stay: those of unfinished rows, and those that can't be
 * extracted again because their recording is gone. Null: all stay, because a row is being prepared right now.
 */
export async function findRetainedAudio({ store, isThere }: Ports): Promise<Result<ReadonlySet<string> | null>> {
  const jobs = store.loadJobs();
  if (!jobs.ok) return jobs;
  if (jobs.value.some(({ memory }) => memory.state.tag === 'queued')) return ok(null);
  const played = store.listPrepared();
  if (!played.ok) return played;
  const kept = new Set<string>();
  for (const { kind, memory, path } of jobs.value) {
    // The original for a comparison stays as long as its row.
    const isOver = memory.state.tag === 'cancelled' || (memory.state.tag === 'done' && kind !== 'isolate');
    if (isOver) continue;
    const name = memory.intent?.preparedName ?? preparedNameOf(path);
    if (name !== null) kept.add(name);
  }
  for (const { preparedName, recording } of played.value) if (!(await isThere(recording))) kept.add(preparedName);
  return ok(kept);
}
