import { z } from 'zod';
import type { Failure } from '../../result/failure.ts';
import type { JobMemory } from './job-state.ts';

const storedFailure = z.custom<Failure>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'row' in value &&
    typeof value.row === 'string' &&
    /^E-\d{3}$/.test(value.row) &&
    'code' in value &&
    typeof value.code === 'string' &&
    'scope' in value &&
    'retry' in value &&
    'outcome' in value,
);
const time = z.number().finite();
const resumeAt = z.enum(['prepare', 'send', 'poll', 'look', 'fetch']);

const state = z.discriminatedUnion('tag', [
  z.object({ tag: z.literal('queued') }),
  z.object({ tag: z.literal('prepared') }),
  z.object({ tag: z.literal('sending'), wasUnsettled: z.boolean() }),
  z.object({ tag: z.literal('looking') }),
  z.object({ tag: z.literal('polling'), isProcessing: z.boolean(), rawStatus: z.string().nullable() }),
  z.object({ tag: z.literal('fetching') }),
  z.object({ tag: z.literal('done'), transcriptId: z.string(), speakerCount: z.number(), finishedAtMs: time }),
  z.object({ tag: z.literal('waiting'), resume: resumeAt, untilMs: time, failure: storedFailure }),
  z.object({
    tag: z.literal('blocked'),
    resume: resumeAt,
    by: z.enum(['offline', 'key', 'credits', 'permission', 'disk', 'service']),
    failure: storedFailure,
  }),
  z.object({ tag: z.literal('paused'), resume: z.enum(['prepare', 'send']), sentBytes: z.number().nonnegative() }),
  z.object({ tag: z.literal('needs-user'), failure: storedFailure }),
  z.object({ tag: z.literal('failed'), failure: storedFailure, hasRawAnswer: z.boolean() }),
  z.object({ tag: z.literal('cancelled'), isAcceptedByService: z.boolean() }),
]);

const intent = z.object({
  idempotencyKey: z.uuid(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int().nonnegative(),
  mtimeMs: time,
  preparedName: z.string().min(1).exactOptional(),
  firstSentAtMs: time.nullable(),
  isUnsettled: z.boolean(),
  boundTo: z.string().nullable(),
  remoteId: z.string().min(1).nullable(),
  acceptedAtMs: time.nullable(),
});

const memory = z.object({
  state,
  intent: intent.nullable(),
  attempt: z.number().int(),
  tries: z.number().int(),
  noReceipts: z.number().int(),
  emptyReads: z.number().int(),
  missingSinceMs: time.nullable(),
  otherwise: storedFailure.nullable(),
});

/** Reads what an earlier run (or an older version) stored; null when it can't be understood. */
export function parseJobMemory(text: string): JobMemory | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = memory.safeParse(value);
  return parsed.success ? parsed.data : null;
}
