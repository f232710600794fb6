import { creditsPerUsd, toUnits } from '../billing/units.ts';

export interface Model {
  readonly id: string;
  readonly name: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** US cents for a million tokens. */
  readonly inputCents: number;
  readonly outputCents: number;
  /** Accepts images; together with `document`, also PDFs. */
  readonly vision: boolean;
  readonly document: boolean;
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
    vision: false,
    document: false,
  },
  {
    id: 'practice-extract-files',
    name: 'Practice: quotes your text, takes files',
    contextTokens: 64_000,
    maxOutputTokens: 4096,
    inputCents: 200,
    outputCents: 800,
    vision: true,
    document: true,
  },
];

export const findModel = (id: string): Model | null => models.find((model) => model.id === id) ?? null;

/** The cost of tokens, exact to a hundred-millionth of a credit. */
export const tokenUnits = (model: Model, inputTokens: number, outputTokens: number): number =>
  toUnits(((inputTokens * model.inputCents + outputTokens * model.outputCents) / 1_000_000 / 100) * creditsPerUsd);

/** Words, numbers and signs: close enough to real tokens, and deterministic. */
const pieces = /\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu;
export const tokensOf = (text: string): number => text.match(pieces)?.length ?? 0;
