import { z } from 'zod';
import { templateFault } from '../exports/copy-name.ts';
import { speechLanguages } from '../languages.ts';
import { lazySchema } from '../lazy-schema.ts';

/** The names of files that are exported automatically or many at once. */
export const copyTemplate = lazySchema(() =>
  z
    .string()
    .max(200)
    .refine((template) => templateFault(template) === null),
);

/** What is written where something was dictated. */
export const replacement = lazySchema(() =>
  z.object({
    language: z.enum(speechLanguages).nullable(),
    say: z.string().min(1).max(200),
    write: z.string().max(2000),
    kind: z.enum(['word', 'part', 'pattern']),
    isCaseSensitive: z.boolean(),
  }),
);
