import { z } from 'zod';
import { lazySchema } from '../lazy-schema.ts';

export const editorPlace = lazySchema(() =>
  z.object({
    id: z.string().max(64),
    timeMs: z.number().finite().nonnegative(),
    visibleMs: z.number().finite().positive(),
    rate: z.number().min(0.25).max(3),
    /** The first visible segment; null when the text followed the playback. */
    topSegment: z.string().max(64).nullable().default(null),
    /** Absent: as the setting says. */
    checksCaptions: z.boolean().optional(),
  }),
);
export const comparedPlace = lazySchema(() =>
  z.object({
    id: z.string().max(64),
    timeMs: z.number().finite().nonnegative(),
    /** The visible stretch; null for all of it. */
    shown: z.object({ startMs: z.number().min(0), endMs: z.number().positive() }).nullable(),
    share: z.number().min(0).max(1),
    view: z.enum(['waveform', 'spectrogram']),
  }),
);

export const mostOpenedTranscripts = 100;
export const openedTranscripts = lazySchema(() =>
  z.array(z.object({ id: z.string().max(64), atMs: z.number().nonnegative() })).max(mostOpenedTranscripts),
);
export const mostLeftAsText = 100;
export const namesLeftAsText = lazySchema(() => z.array(z.string().max(64)).max(mostLeftAsText));
export const pixels = lazySchema(() => z.number().int().min(-100_000).max(100_000));
export const windowPlace = lazySchema(() =>
  z.object({
    x: pixels().optional(),
    y: pixels().optional(),
    width: pixels().min(1),
    height: pixels().min(1),
    isMaximized: z.boolean(),
    location: z.string().max(200).optional(),
  }),
);

export type EditorPlace = Readonly<z.output<ReturnType<typeof editorPlace>>>;
export type ComparedPlace = Readonly<z.output<ReturnType<typeof comparedPlace>>>;
