import { z } from 'zod';
import { described } from '../domain/described.ts';
import type { Outline } from '../domain/exports/outline.ts';

/** Options of a format, as its form gives them; each format reads its own and leaves out what it does not know. */
export const exportOptions = described(() =>
  z.record(z.string().max(40), z.union([z.string().max(40), z.number().finite(), z.boolean()])),
);

/** Made in main only, as what else goes out. */
const outline = described(() =>
  z.custom<Outline>((value) => typeof value === 'object' && value !== null && 'blocks' in value),
);

/** What a preview shows: the text of the file, the page that is printed, or the paragraphs of a document. */
export const shownExport = described(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string(), isCut: z.boolean() }),
    z.object({ kind: z.literal('page'), html: z.string(), isCut: z.boolean() }),
    z.object({ kind: z.literal('outline'), outline: outline(), isCut: z.boolean() }),
  ]),
);
