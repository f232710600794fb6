/** A row of the list, as the app stored it. */
export interface JobEvidence {
  readonly id: string;
  readonly tag: string;
  readonly addedAtMs: number;
  readonly sha256: string | null;
  readonly key: string | null;
  readonly remoteId: string | null;
  /** What was sent is not the file itself but the sound in it. */
  readonly isPrepared: boolean;
}

/** One line of the app's own log of events, in the order in which they became durable. */
export interface EventEvidence {
  readonly jobId: string;
  readonly atMs: number;
  readonly type: string;
  readonly freshKey: string | null;
  readonly acceptsCharge: boolean;
  readonly failure: { readonly outcome: string; readonly status: number | null } | null;
}

export interface TextEvidence {
  readonly jobId: string;
  readonly remoteId: string | null;
  readonly text: string;
}

/** A billable acceptance in the ledger of the service. */
export interface AcceptanceEvidence {
  readonly atMs: number;
  readonly key: string;
  readonly sha256: string;
  readonly subject: string;
}

/** A request with a key as the service saw it; `status` null: it gave no whole answer. */
export interface AttemptEvidence {
  readonly beganAtMs: number;
  readonly endedAtMs: number | null;
  readonly key: string;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}

export interface Evidence {
  readonly jobs: readonly JobEvidence[];
  readonly events: readonly EventEvidence[];
  readonly texts: readonly TextEvidence[];
  readonly acceptances: readonly AcceptanceEvidence[];
  readonly attempts: readonly AttemptEvidence[];
  /** What the service holds, by its identifier. */
  readonly serviceTexts: ReadonlyMap<string, string>;
}
