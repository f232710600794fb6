import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';

export interface KeyWindowWords {
  readonly language: string;
  readonly appearance: 'system' | 'light' | 'dark';
  readonly contrast: 'system' | 'high';
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly save: string;
  readonly cancel: string;
  readonly show: string;
  readonly hide: string;
}

export type KeySubmitAnswer = { readonly accepted: true } | { readonly accepted: false; readonly problem: string };

/** Everything that the page of the key window can reach, as `window.keyEntry`. */
export interface KeyEntryBridge {
  words(): Promise<KeyWindowWords>;
  /** The only message in the app that carries a key, and only towards main. */
  submitKey(value: string): Promise<KeySubmitAnswer>;
  cancel(): void;
}

/** The key window's only channel. Nothing else may be sent over it, and no other page may use it (S-06). */
export const keyChannel = 'studio:key';

export const keyMessage = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('words') }),
    z.strictObject({ type: z.literal('submit'), value: z.string().max(4096) }),
    z.strictObject({ type: z.literal('cancel') }),
  ]),
);
export type KeyMessage = z.output<ReturnType<typeof keyMessage>>;
