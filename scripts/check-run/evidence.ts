/** A job as the app stored it. */
export interface JobEvidence {
  readonly id: string;
  readonly tag: string;
  readonly addedAtMs: number;
  readonly sha256: string | null;
  readonly key: string | null;
  readonly remoteId: string | null;
  /** The hash of the audio that was extracted and sent, not of the file itself. */
  readonly isPrepared: boolean;
}

/** An entry of the app's event log, in the order in which the entries became durable. */
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

/** An accepted, billable request in the ledger of the service. */
export interface AcceptanceEvidence {
  readonly atMs: number;
  readonly key: string;
  readonly sha256: string;
  readonly subject: string;
}

/** A request with a key as the service saw it; `status` is null if its answer was cut off. */
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
  /** The jobs of the service by id. */
  readonly serviceTexts: ReadonlyMap<string, string>;
}
