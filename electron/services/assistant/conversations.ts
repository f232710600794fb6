import type { Citation, SpokenLine } from '../../../shared/domain/assistant/ask-messages.ts';
import type { AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { ModelCatalog } from './assistant-service.ts';
import type { ConversationLine, Exchange } from './conversation-store.ts';

export interface AskWanted {
  /** Null begins a conversation. */
  readonly conversationId: string | null;
  readonly transcriptIds: readonly string[];
  readonly task: AskTask;
  readonly question: string;
  readonly model: string;
  /** What a new conversation is called. */
  readonly title: string;
  /** Ready-made tasks answer in it. */
  readonly language: InterfaceLanguage;
  /** The exchange that is asked once more, in its place; null adds one. */
  readonly again: string | null;
}

/** What a question would send and cost at most. */
export interface AskEstimate {
  readonly tokens: number;
  /** Credits as decimal text; null: the prices are not known. */
  readonly credits: string | null;
}

/** A place that an answer names, with what is said there now; without words when it is gone. */
export interface CitedLine extends Citation {
  readonly line: SpokenLine | null;
}

export interface OpenedConversation extends ConversationLine {
  readonly exchanges: readonly Exchange[];
  /** In the order of the recordings. */
  readonly cited: readonly CitedLine[];
  /** What all of it cost, as far as the service told. */
  readonly credits: string;
}

export type AskProgress =
  | { readonly kind: 'began'; readonly exchange: Exchange }
  /** `citations`: all places named so far, when there is one more. */
  | { readonly kind: 'text'; readonly piece: string; readonly citations?: readonly Citation[] };

/** Questions about transcripts that are kept with their answers. */
export interface ConversationService {
  models(signal?: AbortSignal): Promise<Result<ModelCatalog, Failure>>;
  estimate(wanted: Omit<AskWanted, 'title' | 'again'>): Promise<Result<AskEstimate, Failure>>;
  /**
   * Asks and saves the answer while it arrives; the exchange as it ended, whatever it ended with. Fails only when
   * nothing was sent: E-040 for a transcript that is gone, E-074 while an earlier answer is not settled, a full disk.
   */
  ask(wanted: AskWanted, onProgress: (progress: AskProgress) => void): Promise<Result<Exchange, Failure>>;
  /** Stops an answer that is arriving; what came is kept. */
  stop(exchangeId: string): void;
  /** The last changed first, without those in the trash. */
  list(): Result<readonly ConversationLine[]>;
  open(id: string): Result<OpenedConversation>;
  rename(id: string, title: string): Result<null>;
  /** Stops the answer that is arriving in it, and waits until what came is saved. */
  end(id: string): Promise<Result<null>>;
  /** Asks the service what it recorded of an answer that did not come whole; free. */
  settle(exchangeId: string): Promise<Result<Exchange>>;
  close(): Promise<void>;
}
