import { z } from 'zod';
import { lazySchema } from './define.ts';

/**
 * The content of the overlay. `listening`: the microphone is on; `offline`: it is on and nothing can be sent;
 * `sending`: waiting for the text; `text`: it arrived.
 */
export interface OverlayView {
  readonly state: 'listening' | 'offline' | 'sending' | 'text';
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
  ]),
);
export type OverlayMessage = z.output<ReturnType<typeof overlayMessage>>;
