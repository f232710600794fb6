import { z } from 'zod';
import { lazySchema } from '../../shared/ipc/define.ts';

/** The key window's only channel. Nothing else may be sent on it, and no other page may use it (S-06). */
export const keyChannel = 'studio:key';

export const keyMessage = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('words') }),
    z.strictObject({ type: z.literal('submit'), value: z.string().max(4096) }),
    z.strictObject({ type: z.literal('cancel') }),
  ]),
);
export type KeyMessage = z.output<ReturnType<typeof keyMessage>>;
