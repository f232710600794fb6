import type { ChosenSource, Citation, SpokenLine } from '../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask, type AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';

/** `broken`: it ended early; `failed`: none came; `interrupted`: the app quit while it arrived. */
export const exchangeStates = ['asking', 'done', 'stopped', 'broken', 'failed', 'interrupted'] as const;
export type ExchangeState = (typeof exchangeStates)[number];

/** A picture or PDF of a question. Its path stays in main, so that the question can be asked again. */
export interface ExchangeFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly purpose: 'vision' | 'document';
  readonly fileId: string | null;
}

export interface Exchange {
  readonly id: string;
  readonly conversationId: string;
  readonly askedAtMs: number;
  readonly task: AskTask;
  readonly question: string;
  readonly files: readonly ExchangeFile[];
  readonly model: string;
  readonly estimate: string | null;
  readonly answer: string;
  readonly citations: readonly Citation[];
  readonly state: ExchangeState;
  readonly failure: Failure | null;
  readonly llmRequestId: string | null;
  readonly credits: string | null;
}

export type Priced = Pick<Exchange, 'task' | 'llmRequestId' | 'credits'>;

export interface ConversationLine {
  readonly id: string;
  readonly title: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  readonly transcriptIds: readonly string[];
  /** What these were chosen as; null: one by one. */
  readonly sources: readonly ChosenSource[] | null;
}

export interface AskWanted {
  /** Null begins a conversation. */
  readonly conversationId: string | null;
  readonly transcriptIds: readonly string[];
  readonly sources?: readonly ChosenSource[];
  readonly task: AskTask;
  readonly question: string;
  readonly files: readonly string[];
  readonly model: string;
  readonly title: string;
  readonly language: InterfaceLanguage;
  readonly again: string | null;
}

export interface AskEstimate {
  readonly tokens: number;
  readonly credits: string | null;
  readonly usual: string | null;
  readonly lines: number;
  readonly requests: number;
}

export interface CitedLine extends Citation {
  readonly line: SpokenLine | null;
}

/** `usual`: what an answer without a known cost probably cost, in credits as decimal text; null: nothing tells it. */
export type PricedExchange = Exchange & { readonly usual: string | null };

/** The account's log is what is charged; of the requests of a line task only one is known. */
export const chargedFor = (
  { task, llmRequestId, credits }: Priced,
  costs: ReadonlyMap<string, string>,
): string | null => (llmRequestId === null || isLineTask(task) ? null : costs.get(llmRequestId)) ?? credits;

export interface OpenedConversation extends ConversationLine {
  readonly exchanges: readonly PricedExchange[];
  readonly cited: readonly CitedLine[];
  readonly credits: string;
}

export type AskProgress =
  | { readonly kind: 'began'; readonly exchange: Exchange }
  | { readonly kind: 'text'; readonly piece: string; readonly citations?: readonly Citation[] };
