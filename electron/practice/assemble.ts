import { availableParallelism } from 'node:os';
import { Recogniser, type RecogniserOptions } from '../recogniser/recogniser.ts';
import type { Grants } from './access/permissions.ts';
import { openSession, type Session } from './access/session-token.ts';
import { ApiKeys, mintSecret } from './account/api-keys.ts';
import { RequestLog } from './account/request-log.ts';
import { Analyst } from './analysis/analyst.ts';
import { Credits } from './billing/credits.ts';
import { toUnits } from './billing/units.ts';
import { CloneRates } from './clone/clone-rates.ts';
import { ClonedVoices } from './clone/cloned-voices.ts';
import { Enrollments } from './clone/enrollments.ts';
import { Listener } from './clone/listener.ts';
import { noFaults, plannedFailure, type FaultPlan } from './faults/fault-plan.ts';
import { IsolationQueue } from './isolation/isolation-queue.ts';
import { documentWorkerRole, type DocumentOutcome, type DocumentRequest } from './llm/document-worker.ts';
import { LlmFiles } from './llm/llm-files.ts';
import { LlmRequests } from './llm/llm-requests.ts';
import { WorkQueue, type Pace } from './queue/work-queue.ts';
import { offeredPermissions } from './routes/route-table.ts';
import type { Limits, Services } from './services.ts';
import { LegacyKey } from './legacy/key.ts';
import { LegacyRecords, LegacyWork } from './legacy/records.ts';
import { Tickets } from './realtime/tickets.ts';
import { findSpeechProgram } from './speech/speech-program.ts';
import { SampleVoice } from './speech/sample-voice.ts';
import { Speaker } from './speech/speaker.ts';
import { Attempts } from './state/attempts.ts';
import { inTransaction } from './state/in-transaction.ts';
import { openDatabase, openDatabaseForLog } from './state/database.ts';
import { Generations } from './state/generations.ts';
import { Idempotency } from './state/idempotency.ts';
import { Isolations } from './state/isolations.ts';
import { Ledger } from './state/ledger.ts';
import { prepareStateFolder } from './state/state-folder.ts';
import { Transcriptions } from './state/transcriptions.ts';
import { ObjectStore } from './storage/object-store.ts';
import { SignedLinks } from './storage/signed-links.ts';
import { WorkThread } from '../threads/work-thread.ts';
import { Deliverer } from './webhooks/deliverer.ts';
import { WebhookStore } from './webhooks/webhook-store.ts';

export interface AssemblyOptions {
  /** Folder of the persistent state; without it, a temporary folder that is removed at the end. */
  readonly stateDir?: string;
  readonly faultPlan?: FaultPlan;
  /** For tests that restart a server; otherwise created at each start. */
  readonly token?: string;
  /** The key of the legacy API, likewise. */
  readonly legacyToken?: string;
  readonly limits?: Partial<Limits>;
  readonly pace?: Pace;
  /** The credits that the account has in this run. */
  readonly credits?: number;
  /** How long the account stays signed in. */
  readonly sessionLifeMs?: number;
  /** The speech program; null: none. Absent: searched for on this computer. */
  readonly speechProgram?: string | null;
  /** Folder of the bundled recordings, with a trailing slash. */
  readonly samplesFolder?: URL;
  /** The address that receives events, for example `http://127.0.0.1:8080`: nothing ever leaves this computer. */
  readonly webhookReceiver?: string;
  /** Factor of the delays between deliveries: 0.001 makes a second a millisecond. */
  readonly webhookClockScale?: number;
  readonly webhookTimeoutMs?: number;
  /** A free account may only upload the recording of a voice and edit its metadata. */
  readonly plan?: 'free' | 'paid';
  /** The current time, in milliseconds since 1970; for tests of what takes hours. */
  readonly now?: () => number;
  /** How speech is recognised; absent: nothing is but the samples. */
  readonly recognition?: Pick<RecogniserOptions, 'modelFor' | 'onFactor' | 'onWorn'>;
  /** The module that runs in all threads; without it, each kind of thread has its own. */
  readonly workerUrl?: URL;
}

export interface Assembly {
  readonly services: Services;
  readonly session: Session;
  readonly token: string;
  readonly stateDir: string;
  readonly faultPlan: FaultPlan;
  /** Resumes what an earlier process left; called when the address is known. */
  start(): void;
  close(): Promise<void>;
}

const defaultLimits: Limits = {
  maxBodyBytes: 300 * 1024 * 1024,
  shortAudioMs: 20_000,
  requestsPerSecond: 70,
  speechPatienceMs: 10_000,
  signedLinkMs: 5 * 60_000,
  ticketLifeMs: 60_000,
  dictationIdleMs: 60_000,
  streamPieceMs: 15,
  usageReconcileMs: 60_000,
  cloneDeadlineMs: 180_000,
  attachmentUploadMs: 120_000,
};
const defaultPace: Pace = { queuedMs: 400, processingMs: 500 };
const defaultCredits = 1_000_000;
const defaultSessionMs = 30 * 24 * 3_600_000;
const ownSamples = new URL('../../assets/samples/', import.meta.url);
const ownWorker = new URL('./analysis/analysis-worker.ts', import.meta.url);
const ownRecogniserWorker = new URL('../recogniser/recogniser-worker.ts', import.meta.url);
const ownDocumentWorker = new URL('./llm/document-worker.ts', import.meta.url);
const ownVoiceWorker = new URL('./clone/voice-worker.ts', import.meta.url);
const ownIsolationWorker = new URL('./isolation/isolation-worker.ts', import.meta.url);

/** One processor stays free for the window and for typing. */
const recogniserThreads = (): number => Math.min(4, Math.max(1, availableParallelism() - 1));

/** All that is offered, and nothing else. */
const ownGrants: Grants = Object.fromEntries([...offeredPermissions].map((id) => [id, 'access']));

/** Assembles everything that works behind the sockets. Rejects when the state folder can't be used. */
export async function assemble(options: AssemblyOptions, baseUrl: () => string): Promise<Assembly> {
  if (options.webhookReceiver !== undefined && !/^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(options.webhookReceiver))
    throw new TypeError('a receiver of events is an address like http://127.0.0.1:8080');
  const token = options.token ?? mintSecret();
  const limits = { ...defaultLimits, ...options.limits };
  const faultPlan = options.faultPlan ?? noFaults;
  const clock = options.now ?? Date.now;
  const now = (): number => clock() + faultPlan.passedMs;
  const speechProgram =
    options.speechProgram === undefined ? await findSpeechProgram(process.env['PATH'] ?? '') : options.speechProgram;
  const folder = await prepareStateFolder(options.stateDir);
  const database = openDatabase(folder.path);
  const logDatabase = openDatabaseForLog(folder.path);

  const keys = new ApiKeys(database);
  keys.renewOwn(token, ownGrants, now());
  const credits = new Credits(database);
  credits.fill(toUnits(options.credits ?? defaultCredits));
  const log = new RequestLog(logDatabase);
  const attempts = new Attempts(logDatabase);
  const ledger = new Ledger(database);
  const idempotency = new Idempotency(database);
  const objects = new ObjectStore(folder.objectsDir);
  const links = new SignedLinks(limits.signedLinkMs, baseUrl, now);

  const transcriptions = new Transcriptions(database);
  await folder.removeLeftovers(new Set(transcriptions.unfinished().map(({ id }) => id)));
  const workerUrl = options.workerUrl ?? ownWorker;
  const admission = new Analyst(workerUrl);
  const labour = new Analyst(workerUrl);
  const pace = options.pace ?? defaultPace;
  const failureOf = (id: string): string | null => plannedFailure(faultPlan, id, 'queue');
  const recogniser =
    options.recognition === undefined
      ? null
      : new Recogniser({
          ...options.recognition,
          workerUrl: options.workerUrl ?? ownRecogniserWorker,
          threads: recogniserThreads(),
        });
  const queue = new WorkQueue(transcriptions, labour, folder.uploadsDir, pace, credits, failureOf, now, recogniser);
  const webhooks = new WebhookStore(database);
  const deliverer = new Deliverer(webhooks, {
    receiver: options.webhookReceiver ?? null,
    timeoutMs: options.webhookTimeoutMs ?? 10_000,
    clockScale: options.webhookClockScale ?? 1,
    now,
  });
  const generations = new Generations(database);
  const speaker = new Speaker(
    speechProgram,
    new SampleVoice(options.samplesFolder ?? ownSamples),
    generations,
    credits,
    idempotency,
    objects,
    (spoken) => deliverer.emit('tts.generation.completed', spoken),
  );

  const isolations = new Isolations(database);
  const isolationQueue = new IsolationQueue({
    isolations,
    credits,
    objects,
    pace,
    workerUrl: options.workerUrl ?? ownIsolationWorker,
    failureOf: (id) => plannedFailure(faultPlan, id, 'isolation-queue'),
    now,
  });
  const documents = new WorkThread<DocumentRequest, DocumentOutcome>({
    workerUrl: options.workerUrl ?? ownDocumentWorker,
    workerData: documentWorkerRole,
    silenceLimitMs: 20_000,
    lost: () => ({ kind: 'damaged' }),
  });
  const measuring = new Analyst(workerUrl);
  const listener = new Listener(options.workerUrl ?? ownVoiceWorker, limits.cloneDeadlineMs);

  const services: Services = {
    transcriptions,
    keys,
    credits,
    log,
    attempts,
    ledger,
    idempotency,
    transaction: (work) => inTransaction(database, work),
    objects,
    links,
    generations,
    speaker,
    isolations,
    isolationQueue,
    measuring,
    enrollments: new Enrollments(database),
    clonedVoices: new ClonedVoices(database),
    cloneRates: new CloneRates(now),
    listener,
    hasPaidPlan: (options.plan ?? 'paid') === 'paid',
    llmRequests: new LlmRequests(database),
    llmFiles: new LlmFiles(database),
    documents,
    uploading: new Set(),
    webhooks,
    deliverer,
    tickets: new Tickets(limits.ticketLifeMs, now),
    legacyKey: new LegacyKey(options.legacyToken),
    legacyRecords: new LegacyRecords(database),
    legacyWork: new LegacyWork(),
    socketUrl: () => baseUrl().replace('http://', 'ws://'),
    offered: offeredPermissions,
    recogniser,
    admission,
    queue,
    uploadsDir: folder.uploadsDir,
    limits,
    now,
    admissions: new Map(),
  };
  return {
    services,
    session: openSession(options.sessionLifeMs ?? defaultSessionMs, now),
    token,
    stateDir: folder.path,
    faultPlan,
    start: () => {
      speaker.dropUnfinished();
      for (const taskId of services.legacyRecords.failUnfinished()) credits.release(taskId);
      queue.resume();
      isolationQueue.resume();
      deliverer.resume();
    },
    close: async () => {
      deliverer.stop();
      const stopped = Promise.all([queue.stop(), speaker.stop(), isolationQueue.stop(), services.legacyWork.stop()]);
      await Promise.all([
        recogniser?.close(),
        admission.close(),
        labour.close(),
        measuring.close(),
        listener.close(),
        documents.close(),
      ]);
      await stopped;
      logDatabase.close();
      database.close();
      await folder.dispose();
    },
  };
}
