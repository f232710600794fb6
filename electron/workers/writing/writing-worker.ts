import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { exportFormats } from '../../../shared/domain/exports/formats.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { writeTask, writingRole, type WritingOutcome } from './writing-work.ts';

const about = { library: z.string(), transcriptId: z.string() };
const task = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('export'),
      ...about,
      format: z.enum(exportFormats),
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      characters: z.number().nullable(),
      isCheck: z.boolean().optional(),
    }),
    z.object({ kind: z.literal('parts'), ...about }),
    z.object({ kind: z.literal('versions'), ...about }),
    z.object({ kind: z.literal('version'), ...about, revision: z.number().int().nonnegative() }),
  ]),
);

if (!isMainThread && isInRole(writingRole.role)) {
  serveThread(
    (message) =>
      Promise.try(() => writeTask(task().parse(message))).catch((): WritingOutcome => ({
        kind: 'failed',
        failure: localFailure('E-214'),
      })),
    (outcome) => {
      const made =
        outcome.kind === 'written' && 'bytes' in outcome.written.document
          ? [outcome.written.document.bytes]
          : outcome.kind === 'parts'
            ? outcome.text.parts
            : [];
      return made.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
    },
  );
}
