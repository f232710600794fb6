import type { OverlayStateName } from '../../shared/domain/dictation/take-view.ts';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';

const overlayActions = ['paste', 'start'] as const;
export type OverlayAction = (typeof overlayActions)[number];

export interface OverlayView {
  readonly state: OverlayStateName;
  readonly language: string;
  readonly spoken: 'uz' | 'ru' | 'en';
  readonly appearance: 'system' | 'light' | 'dark';
  readonly contrast: 'system' | 'high';
  readonly onForMs: number;
  readonly levels: readonly number[];
  readonly notice: string;
  readonly note: string;
  readonly keys: readonly string[];
  readonly action: { readonly does: OverlayAction; readonly text: string } | null;
  readonly text: string;
  readonly words: { readonly title: string; readonly stop: string; readonly discard: string; readonly hide: string };
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
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({ type: z.literal('stop') }),
    z.strictObject({ type: z.literal('discard') }),
    z.strictObject({ type: z.literal('hide') }),
    z.strictObject({ type: z.literal('act'), does: z.enum(overlayActions) }),
  ]),
);
export type OverlayMessage = z.output<ReturnType<typeof overlayMessage>>;
