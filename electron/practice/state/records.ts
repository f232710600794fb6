import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ReceivedSegment } from '../../../shared/domain/transcript/received.ts';

export type TranscriptionStatus = 'queued' | 'processing' | 'completed' | 'failed';

/** Segments as stored and served; a stored segment always has its times. */
export interface StoredSegment extends ReceivedSegment {
  readonly startMs: number;
  readonly endMs: number;
}

export interface TranscriptionRecord {
  /** Order of acceptance; newer is larger. Used only for cursors. */
  readonly seq: number;
  readonly id: string;
  readonly title: string;
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  readonly status: TranscriptionStatus;
  readonly errorCode: string | null;
  readonly durationMs: number | null;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly audioSha256: string;
  readonly segments: readonly StoredSegment[];
}

export interface NewTranscription {
  readonly id: string;
  readonly title: string;
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  readonly audioSha256: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly atMs: number;
  readonly outcome:
    | { readonly kind: 'queued' }
    | {
        readonly kind: 'completed';
        readonly language: SpeechLanguage;
        readonly durationMs: number;
        readonly segments: readonly StoredSegment[];
      };
}

/**
 * One accepted thing that would have cost credits. The ledger only grows; a checker compares it with what the app
 * reports.
 */
export interface LedgerEntry {
  readonly n: number;
  readonly atMs: number;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly audioSha256: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly transcriptionId: string;
}

/** The use of an idempotency key. `transcriptionId` is null once the transcription was deleted. */
export interface UsedKey {
  readonly fingerprint: string;
  readonly statusCode: 200 | 202;
  readonly transcriptionId: string | null;
}
