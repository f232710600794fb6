import { json, type Answer } from '../http/answer.ts';

/** The envelope of the handlers for language models (contract 7). */
export const llmProblem = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer => json(status, { error: { message, type: 'request_error', code } }, headers);

/** An answer in the standard envelope, written as these handlers write it. */
export function asLlmProblem(
  answer: Answer,
  statusOf: (status: number, code: string) => number = (status) => status,
): Answer {
  if (answer.kind !== 'json') return answer;
  const { message, error } = answer.body as { message?: string; error?: { code?: string } };
  const code = error?.code ?? 'validation_error';
  return llmProblem(statusOf(answer.status, code), code, message ?? 'The request is not right.', answer.headers);
}
