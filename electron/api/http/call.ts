import type { RequestTarget } from '../../../shared/domain/failures/code-rows.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import type { MultipartForm } from './multipart.ts';
import type { RequestUrgency } from './rate-limiter.ts';
import type { OpenBodySink } from './transport.ts';

/** One call of the service. The body is described, not opened, because each attempt opens it again. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly target: RequestTarget;
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly form?: MultipartForm;
  readonly idempotencyKey?: string;
  /** What it will cost at most, credits as decimal text, where the caller knows the prices. */
  readonly estimateCredits?: string | undefined;
  /** SHA-256 of the recording in the form, for the ledger alone. */
  readonly contentSha256?: string | undefined;
  /** The language the service may write its messages in (legacy API). */
  readonly messageLanguage?: string;
  /** Receives the body of a success as it arrives; opened again for each attempt. */
  readonly takeBody?: OpenBodySink;
  /**
   * `once`: repeating is the caller's decision. `if-refused`: repeated only where the service turned it away unseen.
   */
  readonly attempts: 'once' | 'if-refused' | 'interactive';
  /** Priority in the rate limiter; by default it follows from the endpoint. */
  readonly urgency?: RequestUrgency;
  readonly signal?: AbortSignal | undefined;
}

/** A complete 2xx; the body is text without the key, whatever the server put there. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | null;
  /** The address of what was created, as the service gives it; never followed. */
  readonly location: string | null;
  /** The id of a question to a model, from the header of its answer. */
  readonly llmRequestId: string | null;
  /** The body went to the call's sink, so `text` is empty. */
  readonly isTaken: boolean;
}
