import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeIds } from '../../../shared/domain/modes.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

const count = lazySchema(() => z.number().finite().nonnegative());
const shortText = lazySchema(() => z.string().max(4096));
const credits = lazySchema(() => z.string().max(40).nullable());
const client = lazySchema(() => z.string().max(80).nullable());

const consentRequest = lazySchema(() =>
  z.object({
    kind: z.literal('consent'),
    request: z.object({
      client: client(),
      tool: z.string().max(80),
      action: z.enum(['spend', 'delete']),
      estimate: z.object({
        requests: count(),
        audioMs: count(),
        recordings: z
          .array(z.object({ work: z.enum(['transcribe', 'speakers', 'isolate', 'listen']), durationMs: count() }))
          .max(100)
          .optional(),
        characters: count(),
        price: z.object({ usual: credits(), most: credits() }).optional(),
        isRough: z.boolean(),
      }),
      items: z.array(shortText()).max(100),
      mode: z.enum(modeIds),
    }),
  }),
);
const queueRequest = lazySchema(() =>
  z.object({
    kind: z.literal('queue'),
    client: client(),
    mode: z.enum(modeIds),
    paths: z.array(shortText()).min(1).max(100),
    language: z.enum(speechLanguages),
    includeSpeakers: z.boolean(),
  }),
);
export const studioRequest = lazySchema(() => z.discriminatedUnion('kind', [consentRequest(), queueRequest()]));

export type QueueRequest = Pick<z.output<ReturnType<typeof queueRequest>>, 'language' | 'includeSpeakers'> & {
  readonly paths: readonly string[];
};

const queuedFiles = lazySchema(() =>
  z.object({
    added: count(),
    repeated: count(),
    left: count(),
    refused: z.array(z.object({ name: shortText(), code: z.string().max(80) })).max(500),
  }),
);
export type QueuedFiles = z.output<ReturnType<typeof queuedFiles>>;

export type StudioAnswer<T> = { readonly value: T } | { readonly failure: Failure };

export const answerOf = <T>(result: Result<T>): StudioAnswer<T> =>
  result.ok ? { value: result.value } : { failure: result.error };

const failure = lazySchema(() =>
  z.object({ failure: z.custom<Failure>((value) => typeof value === 'object' && value !== null && 'row' in value) }),
);

/** Parses an answer of the app; consent-unavailable for one that can't be parsed, because then nobody has consented. */
export function readAnswer<T>(answer: unknown, shape: z.ZodType<T>): Result<T> {
  const failed = failure().safeParse(answer);
  if (failed.success) return err(failed.data.failure);
  const read = z.object({ value: shape }).safeParse(answer);
  if (read.success) return ok(read.data.value as T);
  return err(makeFailure('consent-unavailable', { code: 'nobody_to_ask', outcome: 'not_sent', layer: 'local' }));
}

export const readAllowed = (answer: unknown): Result<null> => readAnswer(answer, z.null());
export const readQueued = (answer: unknown): Result<QueuedFiles> => readAnswer(answer, queuedFiles());
