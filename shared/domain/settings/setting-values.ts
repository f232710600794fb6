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

/** The last place in a transcript: position, zoom of the waveform, speed, and scroll position. */
export const editorPlace = lazySchema(() =>
  z.object({
    id: z.string().max(64),
    timeMs: z.number().finite().nonnegative(),
    visibleMs: z.number().finite().positive(),
    rate: z.number().min(0.25).max(3),
    /** The first visible segment; null when the text followed the playback. */
    topSegment: z.string().max(64).nullable().default(null),
  }),
);
