import { z } from 'zod';
import type { Citation, SpokenLine } from '../domain/assistant/ask-messages.ts';
import { askTasks, longestQuestion, mostAskedAbout, type AskTask } from '../domain/assistant/ask-tasks.ts';
import { described } from '../domain/described.ts';
import type { Failure } from '../result/failure.ts';
import { id } from './schemas.ts';

const done = described(() => z.object({}));

/** A question and its answer as the page has it; the same shape as main's `Exchange`. */
export interface ExchangeView {
  readonly id: string;
  readonly conversationId: string;
  readonly askedAtMs: number;
  readonly task: AskTask;
  readonly question: string;
  readonly model: string;
  readonly estimate: string | null;
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly state: 'asking' | 'done' | 'stopped' | 'broken' | 'failed' | 'interrupted';
  readonly failure: Failure | null;
  readonly llmRequestId: string | null;
  readonly credits: string | null;
}

/** Made in main only. */
const exchange = described(() =>
  z.custom<ExchangeView>((value) => typeof value === 'object' && value !== null && 'citations' in value),
);
const citation = described(() =>
  z.object({ mark: z.string(), transcriptId: z.string(), segmentId: z.string(), startMs: z.number() }).readonly(),
);
const cited = described(() =>
  z.custom<Citation & { readonly line: SpokenLine | null }>(
    (value) => typeof value === 'object' && value !== null && 'segmentId' in value,
  ),
);
const conversation = described(() =>
  z.object({
    id: id(),
    title: z.string(),
    createdAtMs: z.number(),
    changedAtMs: z.number(),
    transcriptIds: z.array(id()),
  }),
);
const asked = described(() =>
  z.strictObject({
    conversationId: id().nullable(),
    transcriptIds: z.array(id()).max(mostAskedAbout),
    task: z.enum(askTasks),
    question: z.string().max(longestQuestion),
    model: z.string().max(200),
  }),
);

/** What a page may ask of questions to a model and what is kept of them. */
export const askRequests = {
  /** Prices in US cents for a million tokens, as decimal text. */
  'ask.models': {
    input: described(() => z.strictObject({})),
    output: described(() =>
      z.object({
        models: z.array(
          z.object({
            id: z.string(),
            name: z.string().nullable(),
            inputPrice: z.string().nullable(),
            outputPrice: z.string().nullable(),
          }),
        ),
      }),
    ),
  },
  /** What it would cost at most, in credits as decimal text; null: the prices are not known. */
  'ask.estimate': {
    input: asked,
    output: described(() => z.object({ tokens: z.number(), credits: z.string().nullable() })),
  },
  /** The last changed first. */
  'ask.conversations': {
    input: described(() => z.strictObject({})),
    output: described(() => z.object({ conversations: z.array(conversation()) })),
  },
  'ask.open': {
    input: described(() => z.strictObject({ conversationId: id() })),
    output: described(() =>
      conversation().extend({ exchanges: z.array(exchange()), cited: z.array(cited()), credits: z.string() }),
    ),
  },
  'ask.rename': {
    input: described(() => z.strictObject({ conversationId: id(), title: z.string().min(1).max(300) })),
    output: done,
  },
  'ask.remove': { input: described(() => z.strictObject({ conversationId: id() })), output: done },
  'ask.stop': { input: described(() => z.strictObject({ exchangeId: id() })), output: done },
  /** What the service recorded of an answer that did not come whole; free. */
  'ask.settle': { input: described(() => z.strictObject({ exchangeId: id() })), output: exchange },
};

export const askStreams = {
  /**
   * One question. A page that goes away does not stop the answer, which is paid for: it is saved all the same, and
   * `ask.stop` stops it.
   */
  'ask.answer': {
    open: described(() =>
      asked().extend({
        title: z.string().max(300),
        /** The exchange that is asked once more. */
        again: id().nullable(),
      }),
    ),
    up: described(() => z.never()),
    down: described(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('began'), exchange: exchange() }),
        z.object({ kind: z.literal('text'), piece: z.string(), citations: z.array(citation()).readonly().optional() }),
        z.object({ kind: z.literal('ended'), exchange: exchange() }),
      ]),
    ),
  },
};
