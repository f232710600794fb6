import { z } from 'zod';
import { lazySchema } from '../lazy-schema.ts';

/** How a transcript was left: position, zoom of the waveform, speed, scroll position, and whether captions are checked. */
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
/** How a comparison of isolated audio with its original was left: position, zoom, blend, and what is drawn. */
export const comparedPlace = lazySchema(() =>
  z.object({
    id: z.string().max(64),
    timeMs: z.number().finite().nonnegative(),
    /** The visible stretch; null for all of it. */
    shown: z.object({ startMs: z.number().min(0), endMs: z.number().positive() }).nullable(),
    /** Of the isolated audio in the blend. */
    share: z.number().min(0).max(1),
    showsRemoved: z.boolean(),
    view: z.enum(['waveform', 'spectrogram']),
  }),
);

/** More of them are not remembered. */
export const mostOpenedTranscripts = 100;
/** When transcripts were last opened, in Unix milliseconds. */
export const openedTranscripts = lazySchema(() =>
  z.array(z.object({ id: z.string().max(64), atMs: z.number().nonnegative() })).max(mostOpenedTranscripts),
);
/** More of them are not remembered. */
export const mostLeftAsText = 100;
/** Transcripts in which the names before the words were left as text, most recent first. */
export const namesLeftAsText = lazySchema(() => z.array(z.string().max(64)).max(mostLeftAsText));
export const pixels = lazySchema(() => z.number().int().min(-100_000).max(100_000));
/** Where the window was left, and what was open in it: a section or a transcript, as a path of the page. */
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
