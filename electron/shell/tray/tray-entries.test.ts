import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { noQueue, type JobView } from '../../../shared/domain/jobs/job-view.ts';
import { someJob } from '../../../tests/support/some-jobs.ts';
import { describeTray } from './tray-entries.ts';

it('the tray offers the step of the list in its words, and says how many need attention', () => {
  const textsOf = (jobs: readonly JobView[], isHeld = false) =>
    describeTray({
      jobs,
      queue: { ...noQueue, isHeld },
      isOpen: true,
      isLocal: false,
      language: 'en',
    }).entries.flatMap((entry) => ('text' in entry ? entry.text : []));
  const unsent = someJob('a', { tag: 'paused', sentBytes: 0, totalBytes: 1, isAwaitingAnswer: true });
  const failed = someJob('b', { tag: 'failed', failure: makeFailure('file-unreadable'), hasRawAnswer: false });
  const rest = ['Open Ovoz Studio', 'Quit Ovoz Studio'];
  expect(textsOf([unsent, failed])).toEqual(['1 job waiting, 1 needs attention', 'Send all', ...rest]);
  expect(textsOf([unsent], true)).toEqual(['Everything is paused', 'Resume all', ...rest]);
  expect(textsOf([])).toEqual(['Nothing in the queue', 'Pause all', ...rest]);
});
