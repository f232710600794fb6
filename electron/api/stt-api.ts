import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';

/** The file to send, as it was when it was hashed: the client refuses to send anything else under the same key. */
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
  /** Of the content, by which the ledger knows it again. */
  readonly sha256?: string;
  /** Called with bytes handed to the socket and the total of the file, at most ten times a second. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** `rawStatus` keeps a word we do not know; an unknown word is treated as not finished. */
export type RemoteStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'unknown';

/** A whole 2xx answer that nobody has read. */
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
  /** Set when the answer was too long to be read by the client: the rest says no more than the headers did. */
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
  /** It shows the segments that an edit replaces. */
  readonly isEditable: boolean;
}

/** `stale`: the text there is another one by now, and nothing was changed. */
type SavedText = { readonly kind: 'saved'; readonly revision: number | null } | { readonly kind: 'stale' };

export const serviceExportFormats = ['txt', 'json', 'srt', 'vtt'] as const;
export type ServiceExportFormat = (typeof serviceExportFormats)[number];

/** What the queue asks and tells of the way to the service; nothing of it costs anything. */
export interface ServiceWay {
  /** The computer slept: what runs ends as unknown at once (E-019) and what follows goes over new connections. */
  dropConnections(): void;
  /** Connections that left from none of these addresses are dead, and what runs over them ends as unknown at once. */
  dropStaleConnections(addresses: ReadonlySet<string>): void;
  /** Something changed that may bring the service back: it is asked before its time (E-018). */
  allowProbe(): void;
  /** Whether the name of the service leads to an address; asks no one but the resolver. */
  isNamed(): Promise<boolean>;
  /** One free read. A failure tells what is in the way, or what the service itself says. */
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
  /** The text as it is there, and whether an edit of it can be sent. */
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
