import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';

/** A refusal on its way through TanStack Query, which distinguishes success from failure by throwing. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.row);
    this.failure = failure;
  }
}

/** For query and mutation functions: the value, or a throw of `RequestRefused` that `failureOf` reads back. */
export async function valueOrThrow<T>(answer: Promise<Result<T>>): Promise<T> {
  const result = await answer;
  if (!result.ok) throw new RequestRefused(result.error);
  return result.value;
}

/** The failure inside a query's error; null when there is none or it was a bug of ours. */
export const failureOf = (error: unknown): Failure | null => (error instanceof RequestRefused ? error.failure : null);
