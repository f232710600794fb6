import { inspectFile, type InspectedFile, type RefusedFile } from '../library/file-inspector.ts';
import { optionsOf, type JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import { restingJobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { lengthToSend } from '../../../shared/domain/jobs/recording-parts.ts';
import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';
import type { JobService, NewJob, RepeatedFile } from './job-service.ts';
import type { LiveJob, LiveJobs } from './live-jobs.ts';
import type { StoredJob } from '../library/store.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { QueuePorts } from './ports.ts';
import type { QueueRunner } from './queue-runner.ts';

const inspectedAtOnce = 8;
/** How many rows are written in one transaction; then they are published, and other work has its turn. */
const storedAtOnce = 48;

type InspectedNewJob = { readonly file: InspectedFile; readonly request: NewJob };

/**
 * Adds files in batches of 48: each batch is on disk before it is shown, and shown before the next one is inspected.
 * From the first batch on that needs the user's consent, everything is inspected before it is added.
 */
export const jobAdder =
  ({ ports, runner, feed, newJob }: QueueContext): JobService['add'] =>
  (requests, watch, { skipsRepeats, restsAboveMs = Infinity } = { skipsRepeats: false }) =>
    runner.whileAdding(async () => {
      const refused: RefusedFile[] = [];
      const repeated: RepeatedFile[] = [];
      const known = skipsRepeats ? knownFiles(runner.liveJobs) : new Map<string, string>();
      const jobIds: string[] = [];
      const admit = watch !== undefined && 'admit' in watch ? watch.admit : async () => true;
      let looked: InspectedNewJob[] = [];
      let needsPerson = false;
      let isResting = false;

      const store = (some: readonly InspectedNewJob[]) => {
        const jobs = some.map(({ file, request }) => {
          const job = newJob(file, request);
          return isResting ? { ...job, memory: restingJobMemory } : job;
        });
        const stored = ports.store.addJobs(jobs);
        if (!stored.ok) {
          refused.push(...jobs.map(({ name }) => ({ name, failure: stored.error })));
          return;
        }
        for (const job of jobs) {
          runner.liveJobs.add(job, ports.clock.now());
          feed.changed(job.id);
          jobIds.push(job.id);
        }
        runner.schedule();
      };
      const isStopped = () => watch?.signal.aborted === true;
      /** Adds inspected files that need no consent, or have it. */
      const addLooked = async (isRest: boolean) => {
        const sizes = looked.map(sizeToSend);
        needsPerson ||= sizes.length > 0 && !(await admit(sizes, isRest && !isStopped()));
        if (needsPerson) return;
        for (let from = 0; from < looked.length; from += storedAtOnce) {
          store(looked.slice(from, from + storedAtOnce));
          // Other work has its turn between two batches.
          if (from + storedAtOnce < looked.length) await new Promise<void>((resolve) => void setImmediate(resolve));
        }
        looked = [];
      };

      for (let from = 0; from < requests.length && !isStopped(); from += inspectedAtOnce) {
        watch?.onProgress(from, requests.length);
        const some = requests.slice(from, from + inspectedAtOnce);
        const found = await Promise.all(some.map((request) => inspectFile(ports.extractor, request.path)));
        for (const [index, one] of found.entries()) {
          const request = some[index];
          if (request === undefined) continue;
          const jobId = one.ok ? known.get(fileIdentity({ ...request, sizeBytes: one.value.sizeBytes })) : undefined;
          if (one.ok && jobId !== undefined) repeated.push({ path: one.value.path, name: one.value.name, jobId });
          else if (one.ok) looked.push({ file: one.value, request });
          else refused.push({ name: String(one.error.params?.['name'] ?? ''), failure: one.error });
        }
        if (looked.length >= storedAtOnce && !needsPerson && restsAboveMs === Infinity) await addLooked(false);
      }
      needsPerson = false;
      isResting =
        looked
          .map(sizeToSend)
          .reduce((sum, { sizeBytes, durationMs }) => sum + (durationMs ?? lengthBySize(sizeBytes)), 0) > restsAboveMs;
      await addLooked(true);
      return { jobIds, refused, repeated };
    });

/** How much of a new file is sent. */
const sizeToSend = ({ file: { durationMs, sizeBytes }, request }: InspectedNewJob) => ({
  sizeBytes,
  durationMs: lengthToSend({ ...request, durationMs }),
});

/** The jobs that a file may repeat, by path, size and options. Failed jobs may be tried again. */
function knownFiles(jobs: LiveJobs): ReadonlyMap<string, string> {
  const isLost = ({ job }: LiveJob) => ['failed', 'cancelled'].includes(job.memory.state.tag);
  return new Map([...jobs.all()].filter((live) => !isLost(live)).map(({ job }) => [fileIdentity(job), job.id]));
}

const fileIdentity = (file: JobOptions & { readonly path: string; readonly sizeBytes: number }): string =>
  JSON.stringify([file.path, file.sizeBytes, optionsOf(file)]);

/** What the use cases of the queue share: its ports, the runner and the feed of changed rows. */
export interface QueueContext {
  readonly ports: QueuePorts;
  readonly runner: QueueRunner;
  readonly feed: ChangeFeed;
  /** A row at the end of the list, not stored yet. */
  readonly newJob: (file: InspectedFile, request: NewJob) => StoredJob;
}
