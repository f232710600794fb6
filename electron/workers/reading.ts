import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { speechLanguages } from '../../shared/domain/languages.ts';
import {
  readExportedTranscript,
  readPlainExport,
  readSttAnswer,
  type UnreadAnswer,
} from '../api/resources/read-stt-answer.ts';
import type { KnownRecording, LongReader, LongReading } from '../queue/kinds.ts';
import { writeReceived, type WrittenText } from '../services/library/store.ts';
import { isInRole, serveThread, WorkThread } from '../threads/work-thread.ts';

export const readingRole = { role: 'reading' } as const;

interface About {
  readonly known: KnownRecording;
}

export type ReadingRequest = About &
  (
    | { readonly kind: 'answer'; readonly answer: UnreadAnswer }
    | { readonly kind: 'exported'; readonly format: 'json' | 'txt'; readonly body: string }
  );

export type ReadingOutcome =
  | { readonly kind: 'answer'; readonly reading: LongReading }
  | { readonly kind: 'exported'; readonly written: WrittenText | null }
  | { readonly kind: 'failed' };

export function readRequest(request: ReadingRequest): Exclude<ReadingOutcome, { kind: 'failed' }> {
  const { known } = request;
  if (request.kind === 'answer') {
    const { transcript, ...answer } = readSttAnswer(request.answer);
    const written = transcript === null ? null : writeReceived(transcript, known);
    return { kind: 'answer', reading: { answer, written } };
  }
  const { format, body } = request;
  const received = readExportedTranscript(body) ?? (format === 'txt' ? readPlainExport(body) : null);
  return { kind: 'exported', written: received === null ? null : writeReceived(received, known) };
}

export const writtenIn = (outcome: ReadingOutcome): WrittenText | null =>
  outcome.kind === 'answer' ? outcome.reading.written : outcome.kind === 'exported' ? outcome.written : null;

const about = {
  known: z.object({ language: z.enum(speechLanguages), durationMs: z.number().nullable() }),
};
const request = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    answer: z.object({
      status: z.number(),
      text: z.string(),
      location: z.string().nullable(),
      requestId: z.string().nullable(),
    }),
    ...about,
  }),
  z.object({ kind: z.literal('exported'), format: z.enum(['json', 'txt']), body: z.string(), ...about }),
]);

/** The words are bytes, which are transferred without being copied. */
function work(message: unknown): ReadingOutcome {
  const outcome = readRequest(request.parse(message));
  const written = writtenIn(outcome);
  if (written === null) return outcome;
  const packed = { ...written, body: new TextEncoder().encode(String(written.body)) };
  return outcome.kind === 'answer'
    ? { ...outcome, reading: { ...outcome.reading, written: packed } }
    : { ...outcome, written: packed };
}

if (!isMainThread && isInRole(readingRole.role)) {
  serveThread(
    (message) => Promise.try(() => work(message)).catch((): ReadingOutcome => ({ kind: 'failed' })),
    (outcome) => {
      const body = writtenIn(outcome)?.body;
      return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer ? [body.buffer] : [];
    },
  );
}

/** Parsed here: about fifty milliseconds of work. */
export const longestReadHere = 256 * 1024;

const silenceLimitMs = 120_000;

/** Each answer in a new thread, so that its memory is released at once. */
export function openReader(
  workerUrl: URL,
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
      const outcome = await inTurn({ kind: 'answer', answer, known }, signal);
      return outcome.kind === 'answer' ? outcome.reading : null;
    },
    async exported(format, body, known, signal) {
      const request = { kind: 'exported', format, body, known } as const;
      const outcome = body.length <= longestReadHere ? readRequest(request) : await inTurn(request, signal);
      return outcome.kind === 'exported' ? outcome : null;
    },
  };
}
