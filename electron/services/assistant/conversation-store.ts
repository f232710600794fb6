import type { AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import type { Citation } from '../../../shared/domain/assistant/ask-messages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';

/**
 * `asking`: the answer is arriving. `stopped` by the user; `broken`: it ended early; `failed`: none came.
 * `interrupted`: the app quit while it arrived.
 */
export const exchangeStates = ['asking', 'done', 'stopped', 'broken', 'failed', 'interrupted'] as const;
export type ExchangeState = (typeof exchangeStates)[number];

/** A picture or PDF of a question. Its path stays in main, so that the question can be asked again. */
export interface ExchangeFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly purpose: 'vision' | 'document';
  /** Its id at the service, once it was uploaded. */
  readonly fileId: string | null;
}

/** A question and its answer, as far as it arrived. */
export interface Exchange {
  readonly id: string;
  readonly conversationId: string;
  /** Unix ms. */
  readonly askedAtMs: number;
  readonly task: AskTask;
  readonly question: string;
  readonly files: readonly ExchangeFile[];
  readonly model: string;
  /** The most it could cost, in credits as decimal text; null: the prices are not known. */
  readonly estimate: string | null;
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly state: ExchangeState;
  readonly failure: Failure | null;
  readonly llmRequestId: string | null;
  /** What it cost; null: not reported by the service. */
  readonly credits: string | null;
}

export interface ConversationLine {
  readonly id: string;
  readonly title: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  readonly transcriptIds: readonly string[];
}

/** Questions and answers on disk. A write is durable when it returns. */
export interface ConversationStore {
  /** The last changed first. */
  list(): Result<readonly ConversationLine[]>;
  find(id: string): Result<ConversationLine | null>;
  /** In the order they were asked. */
  exchanges(conversationId: string): Result<readonly Exchange[]>;
  exchange(id: string): Result<Exchange | null>;
  save(conversation: ConversationLine): Result<null>;
  /** Adds the exchange, or replaces the one with its id. */
  saveExchange(exchange: Exchange): Result<null>;
  /** Ids at the service of the files of all questions, each once. */
  fileIds(): Result<readonly string[]>;
  /**
   * For each conversation with questions: the known cost of its answers, and a revision that changes with its words.
   */
  facts(): Result<ReadonlyMap<string, { readonly credits: readonly string[]; readonly version: string }>>;
  /** Marks what was arriving when the app quit; called once, before anything is asked. */
  endInterrupted(): Result<null>;
  /**
   * The last exchange that the service refused because an earlier answer is not settled (E-074), unless one succeeded
   * since.
   */
  pending(): Result<Exchange | null>;
}
