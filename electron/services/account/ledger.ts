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

/** One paid action as it is written down: counts, choices, numbers of the service; never what was said or sent. */
export interface PaidRecord {
  /** Our idempotency key; repeats with it are the same action. */
  readonly id: string;
  readonly route: string;
  readonly product: string;
  readonly asked: PaidAsked;
  /** Credits as decimal text; null when nothing was known to judge by. */
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

/** Which actions are wanted: those that began in `[fromMs, toMs)`. */
export interface LedgerQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly product?: string;
  /** At most so many, the newest ones; all of them when not given. */
  readonly limit?: number;
}

/**
 * Something that a person asked for from the terminal and that is not in their hands yet. `fingerprint` stands for the
 * whole request; what was asked for can't be read from it.
 */
export interface OpenPaidRequest {
  readonly fingerprint: string;
  /** The idempotency key of every attempt at it. */
  readonly actionId: string;
  readonly createdAtMs: number;
  /** What the service calls the work; null: it has not told. */
  readonly remoteId: string | null;
}

/**
 * Everything that costs, on disk. Several processes may have it open: the window and a terminal beside it. Nothing
 * throws for a reason that the disk can give; the rows of failures are those of a library (E-180 to E-185).
 */
export interface Ledger extends PaidLedger {
  /** Newest first. */
  list(query: LedgerQuery): Result<readonly PaidRecord[]>;
  /** What a request will probably cost in credits, by what the last ones of its route did; null: nothing is known. */
  expectedCredits(route: string, asked: PaidAsked): string | null;
  /** The newest work of this kind on this content with these fields that was taken, or may have been. */
  findPaid(content: SameContent): EarlierPayment | null;
  /** What work cost by the id that the service has for it, as far as the service told; decimal text. */
  creditsByRemoteId(): ReadonlyMap<string, string>;
  /** Recordings whose texts were deleted on purpose are known no more. */
  forgetContents(sha256s: readonly string[]): void;
  /** A short stand-in for what a request consists of, made with a secret of this ledger. */
  fingerprint(parts: readonly string[]): string;
  /** The request that is open under this fingerprint, or a new one with `newId`; durable when it returns. */
  openRequest(fingerprint: string, newId: string): Result<OpenPaidRequest>;
  /** Remembers by which id the service knows an open request. */
  noteRemoteId(fingerprint: string, remoteId: string): void;
  /** It is in the person's hands, or was refused: the same command is a new request from now on. */
  closeRequest(fingerprint: string): void;
  close(): void;
}

/**
 * Stands in for a ledger that can't be opened: everything that is free goes on, and what costs is refused with the
 * reason before anything is sent.
 */
export const unusableLedger = (failure: Failure): Ledger => ({
  begin: () => err(failure),
  end: () => undefined,
  report: () => undefined,
  list: () => err(failure),
  expectedCredits: () => null,
  findPaid: () => null,
  creditsByRemoteId: () => new Map(),
  forgetContents: () => undefined,
  fingerprint: () => '',
  openRequest: () => err(failure),
  noteRemoteId: () => undefined,
  closeRequest: () => undefined,
  close: () => undefined,
});
