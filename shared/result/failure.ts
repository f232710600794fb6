/** Was the work done? Most lost work comes from treating `unknown` as "failed". */
export type FailureOutcome = 'not_sent' | 'refused' | 'unknown' | 'accepted';

/** Where the failure was seen. */
export type FailureLayer = 'local' | 'dns' | 'tcp' | 'tls' | 'proxy' | 'http' | 'stream' | 'ws' | 'storage';

/** The shape of the body that reported the failure. */
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

/** The row of the error table; the strings in every language have it as their key. */
export type FailureRow = `E-${string}`;

/** Values in the texts of a row: file names, sizes in bytes, waits in ms, permission names. */
export type FailureParams = Readonly<Record<string, string | number>>;

/**
 * Every failed or odd outcome, created in one place and handled everywhere else. Plain data: it may be stored and may
 * cross IPC, so it never contains a key, a URL, a path, a stack or an unclean text of the server.
 */
export interface Failure {
  readonly row: FailureRow;
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
