import type { OverlayStateName } from '../domain/dictation/take-view.ts';
import { z } from 'zod';
import { lazySchema } from './define.ts';

/** What can be done from the overlay: paste the last text here, or switch the microphone on again. */
const overlayActions = ['paste', 'start'] as const;
export type OverlayAction = (typeof overlayActions)[number];

/** The content of the overlay. */
export interface OverlayView {
  readonly state: OverlayStateName;
  /** The language of the interface, and of dictation. */
  readonly language: string;
  readonly spoken: 'uz' | 'ru' | 'en';
  readonly appearance: 'system' | 'light' | 'dark';
  readonly contrast: 'system' | 'high';
  /** How long the microphone has been on, milliseconds. */
  readonly onForMs: number;
  /** The recent volume, from 0 to 1, newest last. */
  readonly levels: readonly number[];
  /** A sentence about the current state, in the language of the interface. */
  readonly notice: string;
  /** What else there is to know, in a second line. */
  readonly note: string;
  /** The caps of the key to press. */
  readonly keys: readonly string[];
  readonly action: { readonly does: OverlayAction; readonly text: string } | null;
  /** The last phrase in its written form. */
  readonly text: string;
  readonly words: { readonly title: string; readonly stop: string; readonly hide: string };
}

/** Everything that the page of the overlay can reach, as `window.overlay`. */
export interface OverlayBridge {
  onView(show: (view: OverlayView) => void): void;
  send(message: OverlayMessage): void;
}

/** The overlay's only channel: views come down, these messages go up. */
export const overlayChannel = 'studio:overlay';

export const overlayMessage = lazySchema(() =>
  z.discriminatedUnion('type', [
    /** The page has loaded and needs its first view. */
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({ type: z.literal('stop') }),
    z.strictObject({ type: z.literal('hide') }),
    z.strictObject({ type: z.literal('act'), does: z.enum(overlayActions) }),
  ]),
);
export type OverlayMessage = z.output<ReturnType<typeof overlayMessage>>;
