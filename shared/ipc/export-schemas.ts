import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { exportFormat, givenOptions } from '../domain/settings/settings.ts';
import { id } from './schemas.ts';
import type { Outline } from '../domain/exports/outline.ts';

/** What to write of a transcript. `service`: as written by the service, which offers a few formats. */
export const exportRequest = lazySchema(() =>
  z.strictObject({
    transcriptId: id(),
    format: exportFormat(),
    options: givenOptions(),
    source: z.enum(['studio', 'service']),
  }),
);

/** Created only in main, like all outgoing values. */
const outline = lazySchema(() =>
  z.custom<Outline>((value) => typeof value === 'object' && value !== null && 'blocks' in value),
);

/** The preview: the text of the file, the page to be printed, or the paragraphs of a document. */
export const shownExport = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string(), isShortened: z.boolean() }),
    z.object({ kind: z.literal('page'), html: z.string(), isShortened: z.boolean() }),
    z.object({ kind: z.literal('outline'), outline: outline(), isShortened: z.boolean() }),
    /** Which parts of the recording are heard. */
    z.object({
      kind: z.literal('audio'),
      spans: z.array(z.object({ startMs: z.number(), endMs: z.number() })).readonly(),
      durationMs: z.number(),
      isShortened: z.boolean(),
    }),
  ]),
);
