import { z } from 'zod';
import { parseStored } from '../../result/failure-kinds.ts';
import { lazySchema } from '../lazy-schema.ts';
import { localFailure } from './job-failures.ts';
import { isFinal, type JobRecord, type JobState } from './job-state.ts';

const inState = <S extends z.ZodRawShape>(tag: JobState['tag'], shape: S) =>
  z.object({ tag: z.literal(tag), ...shape });

const schema = lazySchema(() => {
  const text = z.string();
  const failure = z.object({
    row: text.regex(/^E-\d{3}$/),
    code: text,
    scope: text,
    retry: text,
    outcome: text,
  });
  const resume = z.enum(['prepare', 'send', 'poll', 'look', 'fetch']);
  const by = z.enum(['offline', 'key', 'credits', 'permission', 'disk', 'service', 'model']);
  const done = { finishedAtMs: z.number() };
  return z.object({
    state: z.union([
      z.discriminatedUnion('tag', [
        z.object({ tag: z.enum(['queued', 'prepared', 'looking', 'fetching']) }),
        inState('sending', { wasUnsettled: z.boolean() }),
        inState('polling', { isProcessing: z.boolean(), rawStatus: text.nullable() }),
        inState('waiting', { resume, untilMs: z.number(), failure }),
        inState('blocked', { resume, by, failure }),
        inState('paused', { resume: z.enum(['prepare', 'send']), sentBytes: z.number() }),
        inState('needs-user', { failure }),
        inState('failed', { failure, hasRawAnswer: z.boolean() }),
        inState('cancelled', { isAcceptedByService: z.boolean() }),
        inState('done', { ...done, transcriptId: text, speakerCount: z.number() }),
      ]),
      inState('done', { ...done, audioId: text }),
    ]),
    intent: z
      .object({
        idempotencyKey: text.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
        sha256: text.regex(/^[0-9a-f]{64}$/),
        sizeBytes: z.number(),
        mtimeMs: z.number(),
        firstSentAtMs: z.number().nullable(),
        isUnsettled: z.boolean(),
        boundTo: text.nullable(),
        remoteId: text.min(1).nullable(),
        acceptedAtMs: z.number().nullable(),
      })
      .nullable(),
    attempt: z.number(),
    tries: z.number(),
    answersWithoutId: z.number(),
    pages: z.number(),
    emptyReads: z.number(),
    missingSinceMs: z.number().nullable(),
    fallbackFailure: failure.nullable(),
  });
});

function upgraded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { otherwise, noReceipts, ...known } = value as Readonly<Record<string, unknown>>;
  return { pages: 0, answersWithoutId: noReceipts, fallbackFailure: otherwise, ...known };
}

export function parseJobRecord(text: string): JobRecord | null {
  let value: unknown;
  try {
    value = upgraded(parseStored(text));
  } catch {
    return null;
  }
  return schema().safeParse(value).success ? (value as JobRecord) : null;
}

/** What was sent after `knownAtMs` (Unix ms) is unknown, so the service or the user is asked before sending. */
export function recoverAfterRestore(job: JobRecord, knownAtMs: number): JobRecord {
  const { intent, state } = job;
  // Work that the service has accepted needs only reads, which are free.
  if (isFinal(state) || (intent !== null && intent.remoteId !== null)) return job;
  const maybeSent = localFailure('job-not-found', { code: 'maybe_sent' });
  // Without the content's name and time there is nothing to search for.
  if (intent === null) return { ...job, state: { tag: 'needs-user', failure: maybeSent } };
  const firstSentAtMs = intent.firstSentAtMs ?? knownAtMs;
  return {
    ...job,
    state: { tag: 'looking' },
    fallbackFailure: maybeSent,
    tries: 0,
    intent: { ...intent, isUnsettled: true, firstSentAtMs },
  };
}
