import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';

/** TanStack Query tells success from failure by throwing. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

export async function valueOrThrow<T>(answer: Promise<Result<T>>): Promise<T> {
  const result = await answer;
  if (!result.ok) throw new RequestRefused(result.error);
  return result.value;
}

export const failureOf = (error: unknown): Failure | null => (error instanceof RequestRefused ? error.failure : null);
