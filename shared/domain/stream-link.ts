import { z } from 'zod';
import { lazySchema } from './lazy-schema.ts';

/** How many values may be under way, or not yet processed, in each direction of a stream. */
export const streamWindow = 32;

/** Both ends use these messages over the port; only main sends `end`, and only a page `cancel`. */
export const streamMessage = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('value'), value: z.unknown() }),
    z.strictObject({ kind: z.literal('took'), count: z.int().min(1).max(streamWindow) }),
    z.strictObject({ kind: z.literal('finish') }),
    /** Nothing more is wanted. It is sent, because main may learn late that a port was closed. */
    z.strictObject({ kind: z.literal('cancel') }),
    z.strictObject({ kind: z.literal('end'), result: z.unknown() }),
  ]),
);
export type StreamMessage = z.infer<ReturnType<typeof streamMessage>>;

interface Waiting<Out> {
  readonly value: Out;
  readonly settle: (isSent: boolean) => void;
}

/** One end of a stream without its port; at most `streamWindow` values are ahead of the reader. */
export function createStreamLink<In, Out>(post: (message: StreamMessage) => void) {
  const outgoing: Waiting<Out>[] = [];
  let credit = streamWindow;
  const received: In[] = [];
  let untaken = 0;
  let taken = 0;
  let isFinishedThere = false;
  let isClosed = false;
  let wake: (() => void) | null = null;

  const wakeReader = () => {
    wake?.();
    wake = null;
  };
  const flush = () => {
    while (credit > 0) {
      const next = outgoing.shift();
      if (next === undefined) return;
      credit -= 1;
      post({ kind: 'value', value: next.value });
      next.settle(true);
    }
  };
  const acknowledge = () => {
    untaken -= 1;
    taken += 1;
    // A message for every value would double the traffic.
    if (taken < streamWindow / 4 && untaken > 0) return;
    if (!isClosed) post({ kind: 'took', count: taken });
    taken = 0;
  };
  async function* read(): AsyncGenerator<In, void> {
    for (;;) {
      const value = received.shift();
      if (value !== undefined) {
        yield value;
        acknowledge();
      } else if (isClosed || isFinishedThere) return;
      // oxlint-disable-next-line no-await-in-loop -- values come one after another
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    incoming: read(),
    /** True once the value has left, which is when the reader there has room for it; false if the stream is over. */
    send: (value: Out): Promise<boolean> =>
      new Promise((settle) => {
        if (isClosed) settle(false);
        else outgoing.push({ value, settle });
        flush();
      }),
    receive(value: In): boolean {
      if (isFinishedThere || untaken + taken >= streamWindow) return false;
      untaken += 1;
      received.push(value);
      wakeReader();
      return true;
    },
    gotCredit(count: number): boolean {
      if (credit + count > streamWindow) return false;
      credit += count;
      flush();
      return true;
    },
    finishedThere(): void {
      isFinishedThere = true;
      wakeReader();
    },
    close(): void {
      isClosed = true;
      for (const { settle } of outgoing.splice(0)) settle(false);
      wakeReader();
    },
  };
}
