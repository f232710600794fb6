import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { problem, type Answer } from './answer.ts';
import { singleHeader } from './guard.ts';

/** The key of a creation: 8 to 128 plain characters, for example a UUID. The failure is the answer to send. */
export function readIdempotencyKey(request: IncomingMessage): Result<string, Answer> {
  const key = singleHeader(request, 'idempotency-key');
  if (key !== null && /^[\w-]{8,128}$/.test(key)) return ok(key.toLowerCase());
  return err(problem(400, 'invalid_idempotency_key', 'Send a UUID in the header Idempotency-Key.'));
}

export const keyConflict: Answer = problem(
  409,
  'idempotency_conflict',
  'This Idempotency-Key was used for another request.',
);

/** Serialises work per key: of two equal requests at once, the second gets the answer of the first. */
export async function inTurn<T>(
  admissions: Map<string, Promise<unknown>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = (admissions.get(key) ?? Promise.resolve()).then(work, work);
  admissions.set(key, turn);
  try {
    return await turn;
  } finally {
    if (admissions.get(key) === turn) admissions.delete(key);
  }
}
