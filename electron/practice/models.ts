import { creditsPerUsd, toUnits } from './credits.ts';
import { codeOf, isJson, json, Refusal, type Answer } from './http.ts';

export interface Model {
  readonly id: string;
  readonly name: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** US cents for a million tokens. */
  readonly inputCents: number;
  readonly outputCents: number;
  /** Accepts images and PDFs. */
  readonly takesFiles: boolean;
}

export const priceVersion = 'practice-1';

export const models: readonly Model[] = [
  {
    id: 'practice-extract',
    name: 'Practice: quotes your text',
    contextTokens: 32_000,
    maxOutputTokens: 4096,
    inputCents: 100,
    outputCents: 400,
    takesFiles: false,
  },
  {
    id: 'practice-extract-files',
    name: 'Practice: quotes your text, takes files',
    contextTokens: 64_000,
    maxOutputTokens: 4096,
    inputCents: 200,
    outputCents: 800,
    takesFiles: true,
  },
];

export const findModel = (id: string): Model | undefined => models.find((model) => model.id === id);

/** The cost of tokens, exact to a hundred-millionth of a credit. */
export const tokenUnits = (model: Model, inputTokens: number, outputTokens: number): number =>
  toUnits(((inputTokens * model.inputCents + outputTokens * model.outputCents) / 1_000_000 / 100) * creditsPerUsd);

/** The envelope of the handlers for language models (contract 7). */
export const llmProblem = (status: number, code: string, message: string, headers = {}): Answer =>
  json(status, { error: { message, type: 'request_error', code } }, headers);

export function refuseLlm(...args: Parameters<typeof llmProblem>): never {
  throw new Refusal(llmProblem(...args));
}

/** Writes what `work` refuses in the standard envelope as these handlers write it. */
export async function inLlmEnvelope<T>(
  work: () => Promise<T>,
  statusOf: (status: number, code: string) => number = (status) => status,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.answer === null) throw error;
    const { status, headers, body } = error.answer;
    const message = isJson(body) ? body['message'] : undefined;
    if (typeof message !== 'string') throw error;
    const code = codeOf(error) ?? 'validation_error';
    return refuseLlm(statusOf(status, code), code, message, headers);
  }
}
