import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Heard } from '../../shared/domain/jobs/heard.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';

/** The file to send, as it was when it was hashed: the client refuses to send any other content under the same key. */
export interface UploadSource {
  readonly path: string;
  /** The name the service sees; never a path. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface SubmitInput {
  readonly source: UploadSource;
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  /** A UUID that is already durable; minted by the job, never by the client. */
  readonly idempotencyKey: string;
  /** The hash of the content, by which the ledger recognizes the recording. */
  readonly sha256?: string;
  /** Called with bytes handed to the socket and the total of the file, at most ten times a second. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** `rawStatus` keeps an unknown word; an unknown word counts as not finished. */
export type RemoteStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'unknown';

/** A complete 2xx answer that has not been parsed. */
export interface UnreadAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly requestId: string | null;
}

/** One transcription of the service as far as it could be read. `raw` is the whole body, to be stored before use. */
export interface RemoteTranscription {
  readonly remoteId: string | null;
  readonly status: RemoteStatus;
  readonly rawStatus: string | null;
  readonly raw: string;
  /** Present when text or segments were found. */
  readonly transcript: ReceivedTranscript | null;
  readonly errorCode: string | null;
  readonly requestId: string | null;
  /** What recognised it, where the answer tells. */
  readonly model: string | null;
  /** How far the work is, where the answer tells. */
  readonly heard?: Heard;
  /**
   * Set when the answer was too long for the client to parse: the other fields then hold only what the headers said.
   */
  readonly unread?: UnreadAnswer;
}

export interface RemoteTranscriptionItem {
  readonly remoteId: string;
  readonly title: string | null;
  readonly status: RemoteStatus;
  readonly createdAt: string | null;
  readonly durationMs: number | null;
  readonly language: string | null;
}

interface RemoteText {
  /** Null when the service shows none. */
  readonly revision: number | null;
  readonly transcript: ReceivedTranscript | null;
  /** Whether the answer contains the segments that an edit replaces. */
  readonly isEditable: boolean;
}

/** `stale`: the text at the service has changed meanwhile, and nothing was written. */
type SavedText = { readonly kind: 'saved'; readonly revision: number | null } | { readonly kind: 'stale' };

export const serviceExportFormats = ['txt', 'json', 'srt', 'vtt'] as const;
export type ServiceExportFormat = (typeof serviceExportFormats)[number];

/**
 * What the queue needs to know about the connection to the service, and reports about it; none of it costs anything.
 */
export interface ServiceWay {
  /** The computer slept: running requests end at once as unknown (E-019), and later ones use new connections. */
  dropConnections(): void;
  /**
   * Connections that left from none of these local addresses are dead, and requests over them end at once as unknown.
   */
  dropStaleConnections(addresses: ReadonlySet<string>): void;
  /** Something changed that may bring the service back, so it may be probed early (E-018). */
  allowProbe(): void;
  /** Whether the name of the service resolves; involves only the resolver. */
  isNamed(): Promise<boolean>;
  /** One free read. A failure names the obstacle, or what the service itself reports. */
  reach(signal?: AbortSignal): Promise<Result<null, Failure>>;
}

/**
 * Saved speech-to-text (contract 4.6). Every method answers with a value; nothing throws for a reason that the
 * network, the service or the disk can give. `submit` makes one attempt: repeating is the queue's decision, because
 * only the queue knows that the key is durable. Reads retry by themselves within the interactive limits.
 */
export interface SttApi extends ServiceWay {
  /** A 2xx answer that can't be read is a success with `status: 'unknown'`, never a failure. */
  submit(input: SubmitInput): Promise<Result<RemoteTranscription, Failure>>;
  read(remoteId: string, signal?: AbortSignal): Promise<Result<RemoteTranscription, Failure>>;
  list(
    page: { readonly limit: number; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<
    Result<{ readonly items: readonly RemoteTranscriptionItem[]; readonly nextCursor: string | null }, Failure>
  >;
  /** The current text at the service, and whether it accepts edits. */
  readText(remoteId: string, signal?: AbortSignal): Promise<Result<RemoteText, Failure>>;
  /** Replaces the text of this revision. */
  saveText(
    remoteId: string,
    revision: number,
    text: Transcript,
    signal?: AbortSignal,
  ): Promise<Result<SavedText, Failure>>;
  rename(remoteId: string, title: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
  remove(remoteId: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
  export(remoteId: string, format: ServiceExportFormat, signal?: AbortSignal): Promise<Result<string, Failure>>;
}
