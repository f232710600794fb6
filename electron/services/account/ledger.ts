import type { SameContent } from '../library/store.ts';
import type {
  EarlierPayment,
  PaidAsked,
  PaidLedger,
  PaidReport,
  PaidState,
} from '../../../shared/domain/ledger/paid-action.ts';
import { type Result, err } from '../../../shared/result/result.ts';
import type { Failure } from '../../../shared/result/failure.ts';

/** One paid action as recorded: counts, choices, ids of the service; never what was said or sent. */
export interface PaidRecord {
  /** Our idempotency key; repeats with it are the same action. */
  readonly id: string;
  readonly route: string;
  readonly product: string;
  readonly asked: PaidAsked;
  /** Credits as decimal text; null when there was no basis for an estimate. */
  readonly estimate: string | null;
  /** Unix ms of the first and of the last attempt, and of the end of the last one; null: not ended. */
  readonly beganAtMs: number;
  readonly lastAtMs: number;
  readonly endedAtMs: number | null;
  readonly attempts: number;
  readonly state: PaidState;
  readonly status: number | null;
  readonly row: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly llmRequestId: string | null;
  readonly remoteId: string | null;
  readonly report: PaidReport | null;
}

/** Selects the actions that began in `[fromMs, toMs)`. */
export interface LedgerQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly product?: string;
  /** At most this many, the newest ones; absent: all. */
  readonly limit?: number;
}

/**
 * A request from the terminal whose result the user does not have yet. `fingerprint` stands for the whole request,
 * which can't be recovered from it.
 */
export interface OpenPaidRequest {
  readonly fingerprint: string;
  /** The idempotency key of all its attempts. */
  readonly actionId: string;
  readonly createdAtMs: number;
  /** The service's id of the work; null: not known yet. */
  readonly remoteId: string | null;
}

/**
 * Everything that costs, on disk. Several processes may have it open: the window and a terminal next to it. File system
 * errors become values; their rows are those of a library (E-180 to E-185).
 */
export interface Ledger extends PaidLedger {
  /** Newest first. */
  list(query: LedgerQuery): Result<readonly PaidRecord[]>;
  /** What a request will probably cost in credits, from the last ones of its route; null: unknown. */
  expectedCredits(route: string, asked: PaidAsked): string | null;
  /** The newest accepted, or possibly accepted, work of this kind on this content with these fields. */
  findPaid(content: SameContent): EarlierPayment | null;
  /** The cost of work by its id at the service, as far as the service reported it; decimal text. */
  creditsByRemoteId(): ReadonlyMap<string, string>;
  /** The cost of an action that has none yet, by the id of its request at the service. */
  reportRequest(requestId: string, report: PaidReport): void;
  /** The cost of an action that has none yet, by its id. */
  reportAction(id: string, report: PaidReport): void;
  /** Forgets recordings whose texts were deleted on purpose. */
  forgetContents(sha256s: readonly string[]): void;
  /** A short digest of the parts of a request, made with a secret of this ledger. */
  fingerprint(parts: readonly string[]): string;
  /**
   * The open request with this fingerprint, or a new one with `newId`; durable when it returns. `sendsAgain`: a new one
   * in any case. E-041 where an earlier one may have been lost with a damaged ledger, until the user has sent again.
   */
  openRequest(fingerprint: string, newId: string, sendsAgain: boolean): Result<OpenPaidRequest>;
  /** Stores the service's id of an open request. */
  noteRemoteId(fingerprint: string, remoteId: string): void;
  /** The user has the result, or the request was refused: the same command is a new request from now on. */
  closeRequest(fingerprint: string): void;
  close(): void;
}

/**
 * Replaces a ledger that can't be opened: everything free keeps working, and what costs is refused with the reason
 * before anything is sent.
 */
export const unusableLedger = (failure: Failure): Ledger => ({
  begin: () => err(failure),
  end: () => undefined,
  report: () => undefined,
  list: () => err(failure),
  expectedCredits: () => null,
  findPaid: () => null,
  creditsByRemoteId: () => new Map(),
  reportRequest: () => undefined,
  reportAction: () => undefined,
  forgetContents: () => undefined,
  fingerprint: () => '',
  openRequest: () => err(failure),
  noteRemoteId: () => undefined,
  closeRequest: () => undefined,
  close: () => undefined,
});
