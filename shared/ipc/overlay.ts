import { z } from 'zod';
import { lazySchema } from './define.ts';

/**
 * What the overlay shows. `listening`: the microphone is on; `offline`: it is on and nothing can be sent; `sending`: the
 * text is awaited; `text`: it came.
 */
export interface OverlayView {
  readonly state: 'listening' | 'offline' | 'sending' | 'text';
  /** The language of the interface, and of what is said. */
  readonly language: string;
  readonly spoken: 'uz' | 'ru' | 'en';
  readonly appearance: 'system' | 'light' | 'dark';
  readonly contrast: 'system' | 'high';
  /** How long the microphone has been on, milliseconds. */
  readonly onForMs: number;
  /** How loud the last moments were, from 0 to 1, the newest last. */
  readonly levels: readonly number[];
  /** A sentence on what goes on, in the language of the interface. */
  readonly notice: string;
  /** The last phrase that was written, as it was written. */
  readonly text: string;
  readonly words: { readonly title: string; readonly stop: string; readonly hide: string };
}

/** All that the page of the overlay can reach, as `window.overlay`. */
export interface OverlayBridge {
  onView(show: (view: OverlayView) => void): void;
  send(message: OverlayMessage): void;
}

/** The overlay's only channel: views come down it, these messages go up. */
export const overlayChannel = 'studio:overlay';

export const overlayMessage = lazySchema(() =>
  z.discriminatedUnion('type', [
    /** The page is there and wants its first view. */
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({ type: z.literal('stop') }),
    z.strictObject({ type: z.literal('hide') }),
  ]),
);
export type OverlayMessage = z.output<ReturnType<typeof overlayMessage>>;
