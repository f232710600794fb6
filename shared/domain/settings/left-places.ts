import { z } from 'zod';
import { lazySchema } from '../lazy-schema.ts';

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
export type EditorPlace = Readonly<z.output<ReturnType<typeof editorPlace>>>;
