import type { Citation, SpokenLine } from '../../../shared/domain/assistant/ask-messages.ts';
import type { AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { ModelCatalog } from './assistant-service.ts';
import type { ConversationLine, Exchange, ExchangeFile } from './conversation-store.ts';

export interface AskWanted {
  /** Null begins a conversation. */
  readonly conversationId: string | null;
  readonly transcriptIds: readonly string[];
  readonly task: AskTask;
  readonly question: string;
  /** Paths of pictures and PDFs; ignored where a question is asked again, which has its own. */
  readonly files: readonly string[];
  readonly model: string;
  /** What a new conversation is called. */
  readonly title: string;
  /** Ready-made tasks answer in it. */
  readonly language: InterfaceLanguage;
  /** The exchange to ask again in place; null adds one. */
  readonly again: string | null;
}

/** What a question would send and cost at most. */
export interface AskEstimate {
  readonly tokens: number;
  /** Credits as decimal text; null: the prices are not known. */
  readonly credits: string | null;
  /** What it will probably cost; null where that is not known, as for questions with files. */
  readonly usual: string | null;
  /** The number of lines that a task over lines returns; 0 for other tasks. */
  readonly lines: number;
  /** The number of requests; a task over lines sends several. */
  readonly requests: number;
}

/** A place cited by an answer, with its current text; without text when the place no longer exists. */
export interface CitedLine extends Citation {
  readonly line: SpokenLine | null;
}

export interface OpenedConversation extends ConversationLine {
  readonly exchanges: readonly Exchange[];
  /** In the order of the recordings. */
  readonly cited: readonly CitedLine[];
  /** The cost of the whole conversation, as far as the service reported it. */
  readonly credits: string;
}

export type AskProgress =
  | { readonly kind: 'began'; readonly exchange: Exchange }
  /** `citations`: all places cited so far, sent when there is one more. */
  | { readonly kind: 'text'; readonly piece: string; readonly citations?: readonly Citation[] };

/** Questions about transcripts, stored with their answers. */
export interface ConversationService {
  models(signal?: AbortSignal): Promise<Result<ModelCatalog, Failure>>;
  estimate(wanted: Omit<AskWanted, 'title' | 'again'>): Promise<Result<AskEstimate, Failure>>;
  /**
   * Asks and saves the answer while it arrives; resolves with the exchange however it ended. Fails only when nothing
   * was sent: E-040 for a missing transcript, E-074 while an earlier answer is not settled, a full disk.
   */
  ask(wanted: AskWanted, onProgress: (progress: AskProgress) => void): Promise<Result<Exchange, Failure>>;
  /** Checks the limits of a file that a question would have; nothing is sent. */
  inspectFile(path: string): Promise<Result<Pick<ExchangeFile, 'name' | 'sizeBytes' | 'purpose'>, Failure>>;
  /** Adds a transcript with the lines of a whole answer to the library, beside the one it was made of. */
  saveLines(exchangeId: string, title: string): Result<{ readonly transcriptId: string }>;
  /** Stops an answer that is arriving; the received part is kept. */
  stop(exchangeId: string): void;
  /** Most recently changed first, without those in the trash. */
  list(): Result<readonly ConversationLine[]>;
  open(id: string): Result<OpenedConversation>;
  rename(id: string, title: string): Result<null>;
  /** Stops the answer that is arriving in it, and waits until the received part is saved. */
  end(id: string): Promise<Result<null>>;
  /** Asks the service what it recorded about an incomplete answer; free. */
  settle(exchangeId: string): Promise<Result<Exchange>>;
  /**
   * Deletes at the service the files that no kept question has any more. What fails is tried again when the library is
   * opened or something is erased the next time.
   */
  sweepFiles(): Promise<void>;
  close(): Promise<void>;
}
