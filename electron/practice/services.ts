import type { PermissionId } from './access/permissions.ts';
import type { ApiKeys } from './account/api-keys.ts';
import type { RequestLog } from './account/request-log.ts';
import type { Analyst } from './analysis/analyst.ts';
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
  /** Sound up to this long is answered at once, longer sound is queued. */
  readonly shortAudioMs: number;
  /** For each key (contract 8). */
  readonly requestsPerSecond: number;
  /** A text that takes longer is answered as pending. */
  readonly speechPatienceMs: number;
  /** How long a signed address is good. */
  readonly signedLinkMs: number;
  /** How long a ticket opens a connection. */
  readonly ticketLifeMs: number;
  /** A live connection on which nothing is sent for so long is ended. */
  readonly dictationIdleMs: number;
  /** Between two pieces of a streamed answer. */
  readonly streamPieceMs: number;
  /** When the use of a question that nobody knew is known at last. */
  readonly usageReconcileMs: number;
  /** How long a recording of a voice is listened to at most. */
  readonly cloneDeadlineMs: number;
  /** How long a file for questions may take to come in. */
  readonly attachmentUploadMs: number;
}

/** What the handlers work with; made once at the start of the server. */
export interface Services {
  readonly transcriptions: Transcriptions;
  readonly keys: ApiKeys;
  readonly credits: Credits;
  readonly log: RequestLog;
  readonly attempts: Attempts;
  readonly ledger: Ledger;
  readonly idempotency: Idempotency;
  /** All that is written inside is kept, or none of it. */
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
  /** Reading texts and saved voices need one. */
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
  /** Permissions for which there is at least one route that works. */
  readonly offered: ReadonlySet<PermissionId>;
  /** Looks at what comes in. Has its own thread, so that a long recording in the queue delays no short one. */
  readonly admission: Analyst;
  readonly queue: WorkQueue;
  readonly uploadsDir: string;
  readonly limits: Limits;
  readonly now: () => number;
  /** Repeats of a key wait here for the first request with it. */
  readonly admissions: Map<string, Promise<unknown>>;
}
