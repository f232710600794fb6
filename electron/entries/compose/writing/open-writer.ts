import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import type { LongWriter, WritingRequest } from '../../../services/exports/long-writer.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { writingRole, type WritingOutcome, type WritingTask } from './writing-work.ts';

/** A thread says nothing while it writes. The longest text that can be stored is written in a tenth of that. */
const silenceLimitMs = 120_000;

/**
 * Writes long exports in a thread, one after another, each in a new one so that its memory is given back at once.
 * `workerUrl`: a module that serves `writingRole`; `library`: the file of the library.
 */
export function openWriter(workerUrl: URL, library: string): LongWriter {
  const threads = new Set<WorkThread<WritingTask, WritingOutcome>>();
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const failed = (): WritingOutcome => ({ kind: 'failed', failure: localFailure('E-214') });

  async function inThread(request: WritingRequest): Promise<WritingOutcome> {
    if (isClosed) return failed();
    const thread = new WorkThread<WritingTask, WritingOutcome>({
      workerUrl,
      workerData: writingRole,
      silenceLimitMs,
      lost: failed,
    });
    threads.add(thread);
    try {
      return await thread.run({ ...request, library });
    } finally {
      threads.delete(thread);
      await thread.close();
    }
  }

  return {
    async write(request) {
      const mine = turn.then(() => inThread(request));
      turn = mine;
      const outcome = await mine;
      return outcome.kind === 'written' ? ok(outcome.written) : err(outcome.failure);
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.close()));
    },
  };
}
