import type { AddingWatch, NewJob, RefusedFile } from '../library/library.ts';
import type { StoredJob } from '../library/store.ts';
import type { ChangeFeed } from './change-feed.ts';
import { inspectFile, type InspectedFile } from './inspect-file.ts';
import type { QueuePorts } from './ports.ts';
import type { QueueRunner } from './queue-runner.ts';

const inspectedAtOnce = 8;
/** Rows that are written in one transaction; then they are seen, and others have their turn. */
const storedAtOnce = 48;

interface Around {
  readonly ports: QueuePorts;
  readonly runner: QueueRunner;
  readonly feed: ChangeFeed;
  readonly newJob: (file: InspectedFile, wish: NewJob) => StoredJob;
}

/** Adds files in parts of 48: each part is on disk before it is seen, and seen before the next one is looked into. */
export async function addJobs(
  { ports, runner, feed, newJob }: Around,
  wishes: readonly NewJob[],
  watch?: AddingWatch,
): Promise<{ readonly jobIds: readonly string[]; readonly refused: readonly RefusedFile[] }> {
  const refused: RefusedFile[] = [];
  const jobIds: string[] = [];
  let looked: StoredJob[] = [];

  const store = () => {
    const jobs = looked;
    looked = [];
    if (jobs.length === 0) return;
    const stored = ports.store.addJobs(jobs);
    if (!stored.ok) {
      refused.push(...jobs.map(({ name }) => ({ name, failure: stored.error })));
      return;
    }
    for (const job of jobs) {
      // A new row has nothing to store again: this only begins its work.
      runner.takeUp(runner.entries.add(job, ports.clock.now()));
      feed.changed(job.id);
      jobIds.push(job.id);
    }
    runner.schedule();
  };

  for (let from = 0; from < wishes.length && watch?.signal.aborted !== true; from += inspectedAtOnce) {
    watch?.onProgress(from, wishes.length);
    const some = wishes.slice(from, from + inspectedAtOnce);
    const found = await Promise.all(some.map((wish) => inspectFile(ports.sounds, wish.path)));
    for (const [index, one] of found.entries()) {
      const wish = some[index];
      if (wish === undefined) continue;
      if (one.ok) looked.push(newJob(one.value, wish));
      else refused.push({ name: String(one.error.params?.['name'] ?? ''), failure: one.error });
    }
    if (looked.length >= storedAtOnce) store();
  }
  store();
  return { jobIds, refused };
}
