import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';

/** What became of the row with the same content: it is under way, it is done, or it ended without a result. */
type RepeatCode = 'same_in_queue' | 'duplicate' | 'same_stopped';

/** For a row that was not sent because another one has the same content and options; null for any other. */
export const repeatOf = ({ state }: JobView): RepeatCode | null =>
  state.tag === 'needs-user' && state.failure.kind === 'already-in-queue' ? (state.failure.code as RepeatCode) : null;

/** Keeps the identity of an unchanged row, so that it is not redrawn. */
const currentRepeats = new WeakMap<JobView, JobView>();

/** Brings such rows up to date: the other row may have ended since. */
export function withRepeats(jobs: readonly JobView[]): readonly JobView[] {
  if (jobs.every((job) => repeatOf(job) === null)) return jobs;
  const byId = new Map(jobs.map((job) => [job.id, job.state.tag]));
  return jobs.map((job) => {
    const { state } = job;
    if (state.tag !== 'needs-user' || repeatOf(job) === null) return job;
    const code = codeOf(byId.get(String(state.failure.params?.['jobId'])));
    if (code === state.failure.code) return job;
    const known = currentRepeats.get(job);
    if (known !== undefined && repeatOf(known) === code) return known;
    const next: JobView = { ...job, state: { ...state, failure: { ...state.failure, code } } };
    currentRepeats.set(job, next);
    return next;
  });
}

function codeOf(other: JobView['state']['tag'] | undefined): RepeatCode {
  // Only an ended row leaves the list; if it had a result, that can still be used.
  if (other === undefined || other === 'done') return 'duplicate';
  return other === 'cancelled' || other === 'failed' ? 'same_stopped' : 'same_in_queue';
}
