import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { LongWriter } from '../../services/exports/long-writer.ts';
import type { TextsInParts } from '../../services/transcripts/text-in-parts.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { writingRole, type WritingOutcome, type WritingTask } from './writing-work.ts';

/** A thread is silent while it writes. The longest text that can be stored is written in a tenth of this. */
const silenceLimitMs = 120_000;

/**
 * Writes long exports in a thread, one after another, each in a new thread so that its memory is released at once.
 * Opening a text waits for none of them. `workerUrl`: a module that serves `writingRole`; `library`: the file of the
 * library.
 */
export function openWriter(workerUrl: URL, library: string): LongWriter & TextsInParts {
  const threads = new Set<WorkThread<WritingTask, WritingOutcome>>();
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const stopped = localFailure('E-214');
  const failed = (): WritingOutcome => ({ kind: 'failed', failure: stopped });
  const failureOf = (outcome: WritingOutcome) => (outcome.kind === 'failed' ? outcome.failure : stopped);
  const notRead = (outcome: WritingOutcome) => {
    const failure = failureOf(outcome);
    return failure === stopped ? makeFailure('E-230', { code: 'text_not_read' }) : failure;
  };

  async function inThread(task: WritingTask): Promise<WritingOutcome> {
    if (isClosed) return failed();
    const thread = new WorkThread<WritingTask, WritingOutcome>({
      workerUrl,
      workerData: writingRole,
      silenceLimitMs,
      lost: failed,
    });
    threads.add(thread);
    try {
      return await thread.run(task);
    } finally {
      threads.delete(thread);
      await thread.close();
    }
  }

  return {
    async write(request) {
      const mine = turn.then(() => inThread({ ...request, kind: 'export', library }));
      turn = mine;
      const outcome = await mine;
      return outcome.kind === 'written' ? ok(outcome.written) : err(failureOf(outcome));
    },
    async inParts(transcriptId) {
      const outcome = await inThread({ kind: 'parts', transcriptId, library });
      return outcome.kind === 'parts' ? ok(outcome.text) : err(notRead(outcome));
    },
    async versions(transcriptId) {
      const outcome = await inThread({ kind: 'versions', transcriptId, library });
      return outcome.kind === 'versions' ? ok(outcome.versions) : err(notRead(outcome));
    },
    async version(transcriptId, revision) {
      const outcome = await inThread({ kind: 'version', transcriptId, revision, library });
      return outcome.kind === 'version' ? ok(outcome) : err(notRead(outcome));
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.close()));
    },
  };
}
