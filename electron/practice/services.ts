import type { PermissionId } from './access/permissions.ts';
import type { ApiKeys } from './account/api-keys.ts';
import type { RequestLog } from './account/request-log.ts';
import type { Analyst } from './analysis/analyst.ts';
import type { Recogniser } from '../recogniser/recogniser.ts';
import type { Credits } from './billing/credits.ts';
import type { CloneRates } from './clone/clone-rates.ts';
import type { ClonedVoices } from './clone/cloned-voices.ts';
import type { Enrollments } from './clone/enrollments.ts';
import type { Listener } from './clone/listener.ts';
import type { IsolationQueue } from './isolation/isolation-queue.ts';
import type { DocumentOutcome, DocumentRequest } from './llm/document-worker.ts';
import type { LlmFiles } from './llm/llm-files.ts';
import type { LlmRequests } from './llm/llm-requests.ts';
import type { WorkQueue } from './queue/work-queue.ts';
import type { WorkThread } from '../threads/work-thread.ts';
import type { LegacyKey } from './legacy/key.ts';
import type { LegacyRecords, LegacyWork } from './legacy/records.ts';
import type { Tickets } from './realtime/tickets.ts';
import type { Speaker } from './speech/speaker.ts';
import type { Attempts } from './state/attempts.ts';
import type { Generations } from './state/generations.ts';
import type { Idempotency } from './state/idempotency.ts';
import type { Isolations } from './state/isolations.ts';
import type { Ledger } from './state/ledger.ts';
import type { Transcriptions } from './state/transcriptions.ts';
import type { ObjectStore } from './storage/object-store.ts';
import type { SignedLinks } from './storage/signed-links.ts';
import type { Deliverer } from './webhooks/deliverer.ts';
import type { WebhookStore } from './webhooks/webhook-store.ts';

export interface Limits {
  readonly maxBodyBytes: number;
  /** Audio up to this length is answered at once, longer audio is queued. */
  readonly shortAudioMs: number;
  /** For each key (contract 8). */
  readonly requestsPerSecond: number;
  /** A text that takes longer is answered as pending. */
  readonly speechPatienceMs: number;
  /** How long a signed address is good. */
  readonly signedLinkMs: number;
  /** How long a ticket opens a connection. */
  readonly ticketLifeMs: number;
  /** A live connection is closed after this long without data. */
  readonly dictationIdleMs: number;
  /** The pause between two pieces of a streamed answer. */
  readonly streamPieceMs: number;
  /** The delay after which the unknown usage of a question is settled. */
  readonly usageReconcileMs: number;
  /** The longest time for analysing a recording of a voice. */
  readonly cloneDeadlineMs: number;
  /** The longest time for uploading a file for questions. */
  readonly attachmentUploadMs: number;
}

/** The dependencies of the handlers; created once when the server starts. */
export interface Services {
  readonly transcriptions: Transcriptions;
  readonly keys: ApiKeys;
  readonly credits: Credits;
  readonly log: RequestLog;
  readonly attempts: Attempts;
  readonly ledger: Ledger;
  readonly idempotency: Idempotency;
  /** Everything written inside is stored, or none of it. */
  readonly transaction: <T>(work: () => T) => T;
  readonly objects: ObjectStore;
  readonly links: SignedLinks;
  readonly generations: Generations;
  readonly speaker: Speaker;
  readonly isolations: Isolations;
  readonly isolationQueue: IsolationQueue;
  /** Measures whole recordings, which may take long. */
  readonly measuring: Analyst;
  readonly enrollments: Enrollments;
  readonly clonedVoices: ClonedVoices;
  readonly cloneRates: CloneRates;
  readonly listener: Listener;
  /** Reading texts and saved voices require one. */
  readonly hasPaidPlan: boolean;
  readonly tickets: Tickets;
  readonly legacyKey: LegacyKey;
  readonly legacyRecords: LegacyRecords;
  readonly legacyWork: LegacyWork;
  readonly webhooks: WebhookStore;
  readonly deliverer: Deliverer;
  readonly llmRequests: LlmRequests;
  readonly llmFiles: LlmFiles;
  /** Opens PDFs in a thread of its own. */
  readonly documents: WorkThread<DocumentRequest, DocumentOutcome>;
  /** Requests whose file is coming in. */
  readonly uploading: Set<string>;
  /** Scheme and host of live connections. */
  readonly socketUrl: () => string;
  /** Permissions for which at least one route works. */
  readonly offered: ReadonlySet<PermissionId>;
  /** Hears words; null: only samples are known. */
  readonly recogniser: Recogniser | null;
  /** Measures uploads. It has its own thread, so that a long recording in the queue delays no short one. */
  readonly admission: Analyst;
  readonly queue: WorkQueue;
  readonly uploadsDir: string;
  readonly limits: Limits;
  readonly now: () => number;
  /** A repeat with the same key waits here for the first request. */
  readonly admissions: Map<string, Promise<unknown>>;
}
