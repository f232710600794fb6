import { WorkThread } from '../../threads/work-thread.ts';
import type { LongReader } from '../../services/jobs/ports.ts';
import { readingRole, readRequest, type ReadingOutcome, type ReadingRequest } from './reading-work.ts';

/**
 * Characters of an answer that are parsed in this thread: about fifty milliseconds of work. An hour of speech is
 * shorter than that unless every word has its time.
 */
export const longestReadHere = 256 * 1024;

/** A thread is silent while it reads. The longest answer that is accepted is read in a fifth of this. */
const silenceLimitMs = 120_000;

/**
 * Reads long answers in a thread, one after another, each in a new thread so that its memory is released at once.
 * `workerUrl`: a module that serves `readingRole`.
 */
export function openReader(
  workerUrl: URL,
  aliases: Readonly<Record<string, string>>,
  limits: { readonly silenceLimitMs: number } = { silenceLimitMs },
): LongReader {
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(request: ReadingRequest, signal: AbortSignal): Promise<ReadingOutcome> {
    const mine = turn.then(() => inThread(request, signal));
    turn = mine;
    return mine;
  }

  async function inThread(request: ReadingRequest, signal: AbortSignal): Promise<ReadingOutcome> {
    if (signal.aborted) return { kind: 'failed' };
    const thread = new WorkThread<ReadingRequest, ReadingOutcome>({
      workerUrl,
      workerData: readingRole,
      silenceLimitMs: limits.silenceLimitMs,
      lost: () => ({ kind: 'failed' }),
    });
    const stop = (): void => void thread.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await thread.run(request);
    } finally {
      signal.removeEventListener('abort', stop);
      await thread.close();
    }
  }

  return {
    async answer(answer, known, signal) {
      const outcome = await inTurn({ kind: 'answer', answer, known, aliases }, signal);
      return outcome.kind === 'answer' ? outcome.reading : null;
    },
    async exported(format, body, known, signal) {
      const request = { kind: 'exported', format, body, known, aliases } as const;
      const outcome = body.length <= longestReadHere ? readRequest(request) : await inTurn(request, signal);
      return outcome.kind === 'exported' ? outcome : null;
    },
  };
}
