import { z } from 'zod';

/** The key window's only channel. Nothing else may be sent on it, and no other page may use it (S-06). */
export const keyChannel = 'studio:key';

export const keyMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('words') }),
  z.strictObject({ type: z.literal('submit'), value: z.string().max(4096) }),
  z.strictObject({ type: z.literal('cancel') }),
]);
export type KeyMessage = z.output<typeof keyMessage>;

/** Everything the key window shows, already in the person's language. */
export interface KeyWindowWords {
  readonly language: string;
  readonly appearance: 'system' | 'light' | 'dark';
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly save: string;
  readonly cancel: string;
  readonly show: string;
  readonly hide: string;
}

/** `problem` is a sentence in the person's language; the window stays open with it. */
export type KeySubmitAnswer = { readonly accepted: true } | { readonly accepted: false; readonly problem: string };
