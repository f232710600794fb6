import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { readingRole, readRequest, writtenIn, type ReadingOutcome } from './reading-work.ts';

const about = {
  known: z.object({ language: z.enum(speechLanguages), durationMs: z.number().nullable() }),
  aliases: z.record(z.string(), z.string()),
};
const request = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    answer: z.object({
      status: z.number(),
      text: z.string(),
      location: z.string().nullable(),
      requestId: z.string().nullable(),
    }),
    ...about,
  }),
  z.object({ kind: z.literal('exported'), format: z.enum(['json', 'txt']), body: z.string(), ...about }),
]);

/** The words are bytes, which are transferred without being copied. */
function work(message: unknown): ReadingOutcome {
  const outcome = readRequest(request.parse(message));
  const written = writtenIn(outcome);
  if (written === null) return outcome;
  const packed = { ...written, body: new TextEncoder().encode(String(written.body)) };
  return outcome.kind === 'answer'
    ? { ...outcome, reading: { ...outcome.reading, written: packed } }
    : { ...outcome, written: packed };
}

if (!isMainThread && isInRole(readingRole.role)) {
  serveThread(
    (message) => Promise.try(() => work(message)).catch((): ReadingOutcome => ({ kind: 'failed' })),
    (outcome) => {
      const body = writtenIn(outcome)?.body;
      return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
    },
  );
}
