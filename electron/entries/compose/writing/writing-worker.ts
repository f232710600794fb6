import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { transcriptScripts } from '../../../../shared/domain/transcript/in-script.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { isInRole, serveThread } from '../../../threads/serve-thread.ts';
import { writeTask, writingRole, type WritingOutcome } from './writing-work.ts';

const task = z.object({
  library: z.string(),
  transcriptId: z.string(),
  format: z.enum(['txt', 'srt', 'vtt', 'json']),
  script: z.enum(transcriptScripts),
  characters: z.number().nullable(),
});

if (!isMainThread && isInRole(writingRole.role)) {
  serveThread(
    (message) =>
      Promise.try(() => writeTask(task.parse(message))).catch((): WritingOutcome => ({
        kind: 'failed',
        failure: localFailure('E-214'),
      })),
    (outcome) => {
      const bytes = outcome.kind === 'written' ? outcome.written.bytes : null;
      return bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
    },
  );
}
