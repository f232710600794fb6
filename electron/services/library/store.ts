import type { z } from 'zod';
import type { JobEvent, JobOptions } from '../../../shared/domain/jobs/job-state.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { ItemRef } from '../../../shared/domain/library/library-item.ts';
import type { JobFacts } from '../../../shared/domain/jobs/job-view.ts';
import type { MediaFormat } from '../../../shared/domain/media/sniff.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { toTranscript } from '../../../shared/domain/transcript/from-received.ts';
import { toLean } from '../../../shared/domain/transcript/lean-transcript.ts';
import type { PackedChange } from '../../../shared/domain/transcript/packed.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Speaker, Transcript } from '../../../shared/domain/transcript/transcript.ts';

export type StoredJob = JobFacts & {
  readonly path: string;
};

export interface StoredTranscript {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly mediaPath: string;
  readonly mediaSha256: string;
  readonly remoteId: string | null;
  readonly rawAnswerId: number | null;
  readonly revision: number;
  /** Who recognised it; null for one that was imported or dictated. */
  readonly origin: Origin | null;
  readonly model: string | null;
  readonly transcript: Transcript;
}

export type TranscriptFacts = Omit<StoredTranscript, 'transcript'>;

export interface SpeakerUse {
  readonly transcriptId: string;
  readonly revision: number;
  readonly speakers: readonly Speaker[];
}

export interface StoredEdit {
  readonly atMs: number;
  readonly label: string;
  readonly change: PackedChange;
}

export interface WrittenText {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly speakers: readonly Speaker[];
  readonly wordCount: number;
  /** The `LeanTranscript` as JSON: a string, or its UTF-8 as a thread passes it on. */
  readonly body: string | Uint8Array;
}

export type NewTranscript = Omit<TranscriptFacts, 'revision' | 'origin'> & { readonly written: WrittenText };

export interface StoredAudio {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly fileName: string;
  readonly format: MediaFormat;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly remoteId: string | null;
  readonly credits: string | null;
}

/** What a job made, which becomes durable with the event that reports it; `raw`: the answer as it came. */
export interface JobOutput {
  readonly transcript?: NewTranscript;
  readonly audio?: StoredAudio;
  readonly raw?: RawAnswer;
}

export interface RawAnswer {
  readonly jobId: string;
  readonly atMs: number;
  readonly source: 'submit' | 'read' | 'export' | 'listen-again';
  readonly requestId: string | null;
  readonly body: string;
}

export type SameContent = JobOptions & { readonly sha256: string };

export type JournalEvent = JobEvent | { readonly type: 'recovered' };

export interface StoredChange {
  readonly job: StoredJob;
  readonly event: JournalEvent;
  readonly atMs: number;
  readonly output: JobOutput | null;
}

export type LibraryNote =
  | 'queue'
  | 'pace'
  | 'speaker-book'
  | 'deleted-at-service'
  | 'synced'
  | 'question-files'
  | 'hiding';

export interface TranscriptLine {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly remoteId: string | null;
  readonly language: SpeechLanguage;
  readonly wordCount: number;
  readonly durationMs: number;
  readonly hasRecording: boolean;
}

export interface TranscriptMedia {
  readonly transcriptId: string;
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface MadeFrom {
  readonly transcriptId: string;
  readonly title: string;
  readonly mediaSha256: string;
}

export interface ErasedRows {
  /** The requested ones, and conversations about nothing but an erased transcript. */
  readonly items: readonly ItemRef[];
  /** Takes of erased texts to speak that no other text has. */
  readonly takeIds: readonly string[];
  readonly unusedContents: readonly string[];
}

/** Removes what is left outside the database: backups, waveforms, extracted audio. */
export type TraceSweeper = (gone: {
  readonly transcriptIds: readonly string[];
  readonly contents: readonly string[];
}) => Promise<void>;

export interface FileIdentity {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface FilePort {
  /** file-unreadable, file-changed when it changed meanwhile; `code: 'cancelled'` after an abort. */
  hash(path: string, signal: AbortSignal): Promise<Result<FileIdentity>>;
  peek(
    path: string,
  ): Promise<Result<{ readonly head: Uint8Array; readonly tail: Uint8Array; readonly sizeBytes: number }>>;
  isThere(path: string): Promise<boolean>;
  /** Regular files under the paths, including those in folders; everything else with its reason. */
  walk(paths: readonly string[]): Promise<{
    readonly files: readonly { readonly path: string; readonly wasNamed: boolean }[];
    readonly refused: readonly { readonly path: string; readonly failure: Failure }[];
  }>;
  /** The whole file or nothing: temp, fsync, rename, fsync of the folder. */
  writeWhole(path: string, text: string | Uint8Array): Promise<Result<null>>;
}

export interface LocalFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly isCutShort: boolean;
}

export interface RefusedFile {
  readonly name: string;
  readonly failure: Failure;
}

export interface ImportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (doneCount: number, totalCount: number) => void;
}

export type AutomationKind = 'copy' | 'watch';

/** `there-before`: the file was in the folder when watching began, and is left alone. */
export type AutomationOutcome = 'done' | 'skipped' | 'failed' | 'there-before';

/** One entry of the log, which also makes each thing happen only once, across restarts. */
export interface AutomationEntry {
  readonly kind: AutomationKind;
  readonly key: string;
  readonly atMs: number;
  readonly name: string;
  readonly outcome: AutomationOutcome;
  readonly row: string | null;
}

export const writeText = (transcript: Transcript): WrittenText => ({
  language: transcript.language,
  durationMs: transcript.durationMs,
  speakers: transcript.speakers,
  wordCount: transcript.segments.reduce((sum, { words }) => sum + words.length, 0),
  body: JSON.stringify(toLean(transcript)),
});

export const writeReceived = (received: ReceivedTranscript, facts: Parameters<typeof toTranscript>[1]): WrittenText =>
  writeText(toTranscript(received, facts));

/** What a note says; the fallback when there is none, or it can't be read. */
export function readNote<T>(
  store: { note(name: LibraryNote): Result<string | null> },
  name: LibraryNote,
  shape: z.ZodType<T>,
  fallback: T,
): T {
  const note = store.note(name);
  try {
    return note.ok && note.value !== null ? shape.parse(JSON.parse(note.value)) : fallback;
  } catch {
    return fallback;
  }
}
