import type { FailureKind } from './failure-kinds.ts';

/** Was the work done? Most lost work comes from treating `unknown` as "failed". */
export type FailureOutcome = 'not_sent' | 'refused' | 'unknown' | 'accepted';

export type FailureLayer = 'local' | 'dns' | 'tcp' | 'tls' | 'proxy' | 'http' | 'stream' | 'ws' | 'storage';

export type FailureEnvelope =
  | 'standard'
  | 'llm'
  | 'legacy'
  | 'storage_xml'
  | 'html'
  | 'text'
  | 'empty'
  | 'truncated'
  | 'none';

/** What may be done next without asking the user. */
export type FailureRetry = 'same_key' | 'look_first' | 'wait_user' | 'never';

/** How much has to stop: one item, the whole queue, one product of the service, or the app. */
export type FailureScope = 'item' | 'queue' | 'product' | 'app';

/** The number of a kind, as people cite it and as logs and stored rows have it. */
export type FailureNumber = `E-${string}`;

/** Values in the texts of a kind: file names, sizes in bytes, waits in ms, permission names. */
export type FailureParams = Readonly<Record<string, string | number>>;

/** May be stored and cross IPC: never contains a key, a URL, a path, a stack or unclean text of the server. */
export interface Failure {
  readonly kind: FailureKind;
  readonly row: FailureNumber;
  /** Machine code: the server's if well formed, otherwise one of ours. */
  readonly code: string;
  readonly outcome: FailureOutcome;
  readonly layer: FailureLayer;
  readonly retry: FailureRetry;
  readonly scope: FailureScope;
  readonly envelope: FailureEnvelope;
  readonly status?: number;
  /** Relative to now, in milliseconds, never negative. */
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  readonly llmRequestId?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly params?: FailureParams;
  /** The server's text: control and bidi characters removed, at most 300 characters, shown under Details only. */
  readonly details?: string;
}
