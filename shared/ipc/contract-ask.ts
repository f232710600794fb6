import { z } from 'zod';
import type { Citation, SpokenLine } from '../domain/assistant/ask-messages.ts';
import {
  askTasks,
  attachedAtMost,
  longestQuestion,
  mostAskedAbout,
  type AskTask,
} from '../domain/assistant/ask-tasks.ts';
import { lazySchema } from '../domain/lazy-schema.ts';
import type { Failure } from '../result/failure.ts';
import { id, refusedFile } from './schemas.ts';

const done = lazySchema(() => z.object({}));

/** A picture or PDF of a question. */
export interface AttachedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly purpose: 'vision' | 'document';
}

/** A question and its answer in the form pages get; same shape as main's `Exchange`. */
export interface ExchangeView {
  readonly id: string;
  readonly conversationId: string;
  readonly askedAtMs: number;
  readonly task: AskTask;
  readonly question: string;
  readonly files: readonly AttachedFile[];
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
const exchange = lazySchema(() =>
  z.custom<ExchangeView>((value) => typeof value === 'object' && value !== null && 'citations' in value),
);
const citation = lazySchema(() =>
  z.object({ mark: z.string(), transcriptId: z.string(), segmentId: z.string(), startMs: z.number() }).readonly(),
);
const cited = lazySchema(() =>
  z.custom<Citation & { readonly line: SpokenLine | null }>(
    (value) => typeof value === 'object' && value !== null && 'segmentId' in value,
  ),
);
const conversation = lazySchema(() =>
  z.object({
    id: id(),
    title: z.string(),
    createdAtMs: z.number(),
    changedAtMs: z.number(),
    transcriptIds: z.array(id()),
  }),
);
const asked = lazySchema(() =>
  z.strictObject({
    conversationId: id().nullable(),
    transcriptIds: z.array(id()).max(mostAskedAbout),
    task: z.enum(askTasks),
    question: z.string().max(longestQuestion),
    /** Tokens of `ask.attach`. */
    files: z.array(z.string().max(100)).max(attachedAtMost.question),
    model: z.string().max(200),
  }),
);

/** Requests about questions to a model and stored conversations. */
export const askRequests = {
  /** Prices in US cents per million tokens, as decimal text. */
  'ask.models': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({
        models: z.array(
          z.object({
            id: z.string(),
            name: z.string().nullable(),
            inputPrice: z.string().nullable(),
            outputPrice: z.string().nullable(),
            seesImages: z.boolean(),
            readsDocuments: z.boolean(),
          }),
        ),
      }),
    ),
  },
  /** The maximum cost, in credits as decimal text; null: the prices are not known. */
  'ask.estimate': {
    input: asked,
    output: lazySchema(() =>
      z.object({
        tokens: z.number(),
        credits: z.string().nullable(),
        usual: z.string().nullable(),
        lines: z.number(),
        requests: z.number(),
      }),
    ),
  },
  /**
   * Pictures and PDFs for a question: the dropped ones, or, for null, those chosen in the system's dialog. Their limits
   * are checked, and nothing is sent before the question is asked.
   */
  'ask.attach': {
    input: lazySchema(() => z.strictObject({ tokens: z.array(z.string().max(100)).max(100).nullable() })),
    output: lazySchema(() =>
      z.object({
        files: z.array(
          z.object({
            token: z.string(),
            name: z.string(),
            sizeBytes: z.number(),
            purpose: z.enum(['vision', 'document']),
          }),
        ),
        refused: z.array(refusedFile()),
      }),
    ),
  },
  /** Adds the lines of a whole translation or clean-up to the library as a transcript of the same recording. */
  'ask.saveLines': {
    input: lazySchema(() => z.strictObject({ exchangeId: id(), title: z.string().min(1).max(300) })),
    output: lazySchema(() => z.object({ transcriptId: z.string() })),
  },
  /** Most recently changed first, without those in the trash of the library. */
  'ask.conversations': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() => z.object({ conversations: z.array(conversation()) })),
  },
  'ask.open': {
    input: lazySchema(() => z.strictObject({ conversationId: id() })),
    output: lazySchema(() =>
      conversation().extend({ exchanges: z.array(exchange()), cited: z.array(cited()), credits: z.string() }),
    ),
  },
  'ask.rename': {
    input: lazySchema(() => z.strictObject({ conversationId: id(), title: z.string().min(1).max(300) })),
    output: done,
  },
  'ask.stop': { input: lazySchema(() => z.strictObject({ exchangeId: id() })), output: done },
  /** What the service recorded about an incomplete answer; free. */
  'ask.settle': { input: lazySchema(() => z.strictObject({ exchangeId: id() })), output: exchange },
};

export const askStreams = {
  /**
   * One question. Closing the page does not stop the answer, which is paid for: it is still saved, and `ask.stop` stops
   * it.
   */
  'ask.answer': {
    open: lazySchema(() =>
      asked().extend({
        title: z.string().max(300),
        /** The exchange that is asked once more. */
        again: id().nullable(),
      }),
    ),
    up: lazySchema(() => z.never()),
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('began'), exchange: exchange() }),
        z.object({ kind: z.literal('text'), piece: z.string(), citations: z.array(citation()).readonly().optional() }),
        z.object({ kind: z.literal('ended'), exchange: exchange() }),
      ]),
    ),
  },
};
