import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';

/** The user's file of corrections: what it changes, or why it was rejected. */
export const corrections = lazySchema(() =>
  z.object({
    /** For example `paths.webhooks.list`. */
    places: z.array(z.string()),
    complaints: z.array(
      z.object({
        /** From 1. */
        line: z.number(),
        at: z.string(),
        problem: z.enum([
          'not-json',
          'repeated-name',
          'too-deep',
          'too-large',
          'unreadable',
          'not-an-object',
          'no-format',
          'newer-format',
          'unknown-name',
          'is-documented',
          'not-a-path',
          'other-places',
          'not-a-name',
        ]),
      }),
    ),
  }),
);
export type CorrectionsState = z.output<ReturnType<typeof corrections>>;
