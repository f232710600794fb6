import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Recogniser, type RecogniserOptions } from '../recogniser/recogniser.ts';
import { WorkThread } from '../threads/work-thread.ts';
import { Analyst } from './analyst.ts';
import { openCloneRates } from './cloning.ts';
import { fillCredits } from './credits.ts';
import { noFaults, type FaultPlan } from './faults.ts';
import { IsolationQueue } from './isolation.ts';
import { mintSecret, openSession, renewOwnKey } from './keys.ts';
import { failUnfinishedLegacy, LegacyWork } from './legacy.ts';
import type { PermissionId } from './permissions.ts';
import { dropUnfinishedSpeech } from './speech.ts';
import { findSpeechProgram, Speaker } from './speaker.ts';
import { get, readState, writeState, type State } from './state.ts';
import { SignedLinks } from './storage.ts';
import { Tickets } from './realtime.ts';
import { TranscriptionQueue } from './transcription-queue.ts';
import { voiceWorkerRole, type VoiceOutcome, type VoiceRequest } from './voice-worker.ts';
import { Deliverer } from './webhooks.ts';

const defaultLimits = {
  maxBodyBytes: 300 * 1024 * 1024,
  /** Audio up to this length is answered at once, longer audio is queued. */
  shortAudioMs: 20_000,
  /** For each key (contract 8). */
  requestsPerSecond: 70,
  /** A text that takes longer is answered as pending. */
  speechPatienceMs: 10_000,
  signedLinkMs: 5 * 60_000,
  ticketLifeMs: 60_000,
  /** A live connection is closed after this long without data. */
  dictationIdleMs: 60_000,
  /** The pause between two pieces of a streamed answer. */
  streamPieceMs: 15,
  /** The delay after which the unknown usage of a question is settled. */
  usageReconcileMs: 60_000,
  cloneDeadlineMs: 180_000,
  attachmentUploadMs: 120_000,
};

/** The least time that work stays queued and in processing, so that people see what a real service does. */
const defaultPace = { queuedMs: 400, processingMs: 500 };

export interface ServiceOptions {
  /** Folder of the persistent state; without it, a temporary folder that is removed at the end. */
  readonly stateDir?: string;
  readonly faultPlan?: FaultPlan;
  /** For tests that restart a server; otherwise created at each start. */
  readonly token?: string;
  readonly legacyToken?: string;
  readonly limits?: Partial<typeof defaultLimits>;
  readonly pace?: typeof defaultPace;
  readonly credits?: number;
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

/** The dependencies of the handlers; created once when the server starts. */
export class Services {
  readonly state: State;
  readonly folder: string;
  readonly offered: ReadonlySet<PermissionId>;
  readonly limits: typeof defaultLimits;
  readonly pace: typeof defaultPace;
  readonly faultPlan: FaultPlan;
  /** The developer key of this start, for the product routes. */
  readonly token: string;
  readonly legacyToken: string;
  readonly session: ReturnType<typeof openSession>;
  readonly links: SignedLinks;
  readonly tickets: Tickets;
  /** Reading texts and saved voices require a paid plan. */
  readonly hasPaidPlan: boolean;
  readonly cloneRates = openCloneRates();
  readonly voices: WorkThread<VoiceRequest, VoiceOutcome>;
  /** Requests whose file for questions is coming in. */
  readonly uploading = new Set<string>();
  /** Hears words; null: only samples are known. */
  readonly recogniser: Recogniser | null;
  /** Measures uploads. It has its own thread, so that a long recording in the queue delays no short one. */
  readonly admission: Analyst;
  /** Measures whole recordings, which may take long. */
  readonly measuring: Analyst;
  readonly queue: TranscriptionQueue;
  readonly speaker: Speaker;
  readonly isolationQueue: IsolationQueue;
  readonly legacyWork = new LegacyWork();
  readonly deliverer: Deliverer;
  readonly #clock: () => number;
  readonly #baseUrl: () => string;
  readonly #labour: Analyst;
  readonly #isTemporary: boolean;

  /** `offered`: permissions for which at least one route works. */
  constructor(
    options: ServiceOptions,
    folder: string,
    offered: ReadonlySet<PermissionId>,
    speechProgram: string | null,
    baseUrl: () => string,
  ) {
    const workerUrl = (path: string): URL => options.workerUrl ?? new URL(path, import.meta.url);
    this.folder = folder;
    this.#isTemporary = options.stateDir === undefined;
    this.offered = offered;
    this.limits = { ...defaultLimits, ...options.limits };
    this.pace = options.pace ?? defaultPace;
    this.faultPlan = options.faultPlan ?? noFaults;
    this.#clock = options.now ?? Date.now;
    this.#baseUrl = baseUrl;
    this.state = readState(folder);
    this.token = options.token ?? mintSecret();
    this.legacyToken = options.legacyToken ?? mintSecret('practice_old_');
    renewOwnKey(this.state, this.token, Object.fromEntries([...offered].map((id) => [id, 'access'])), this.now());
    fillCredits(this.state, options.credits ?? 1_000_000);
    this.session = openSession(options.sessionLifeMs ?? 30 * 24 * 3_600_000, this.now);
    this.links = new SignedLinks(this.limits.signedLinkMs, baseUrl, this.now);
    this.tickets = new Tickets(this.limits.ticketLifeMs, this.now);
    this.hasPaidPlan = options.plan !== 'free';
    this.voices = new WorkThread<VoiceRequest, VoiceOutcome>({
      workerUrl: workerUrl('./voice-worker.ts'),
      workerData: voiceWorkerRole,
      silenceLimitMs: 30_000,
      lost: () => ({ kind: 'lost' }),
    });
    this.recogniser =
      options.recognition === undefined
        ? null
        : new Recogniser({
            ...options.recognition,
            workerUrl: workerUrl('../recogniser/recogniser-worker.ts'),
            // One processor stays free for the window and for typing.
            threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
          });
    this.admission = new Analyst(workerUrl('./analysis-worker.ts'));
    this.measuring = new Analyst(workerUrl('./analysis-worker.ts'));
    this.#labour = new Analyst(workerUrl('./analysis-worker.ts'));
    this.queue = new TranscriptionQueue(this.#labour, this);
    this.speaker = new Speaker(
      speechProgram,
      options.samplesFolder ?? new URL('../../assets/samples/', import.meta.url),
    );
    this.isolationQueue = new IsolationQueue(workerUrl('./isolation-worker.ts'), this);
    this.deliverer = new Deliverer(
      this,
      options.webhookReceiver ?? null,
      options.webhookTimeoutMs ?? 10_000,
      options.webhookClockScale ?? 1,
    );
  }

  readonly now = (): number => this.#clock() + this.faultPlan.passedMs;

  /** Returns when the state is on disk; called before an answer promises anything. */
  readonly save = (): void => writeState(this.folder, this.state);

  get uploadsDir(): string {
    return join(this.folder, 'uploads');
  }

  /** Scheme and host of live connections. */
  get socketUrl(): string {
    return this.#baseUrl().replace('http://', 'ws://');
  }

  /** The code with which a test wants the work on this thing to fail, if it does. */
  failureOf(id: string, queue: 'queue' | 'isolation-queue'): string | null {
    return this.faultPlan.meet('', queue, id).find((one) => one.fault === 'fail-processing')?.code ?? null;
  }

  /** Resumes what an earlier process left; called when the address is known. */
  start(): void {
    dropUnfinishedSpeech(this);
    failUnfinishedLegacy(this);
    this.save();
    this.queue.resume();
    this.isolationQueue.resume();
    this.deliverer.resume();
  }

  async close(): Promise<void> {
    this.deliverer.stop();
    const stopped = Promise.all([
      this.queue.stop(),
      this.speaker.stop(),
      this.isolationQueue.stop(),
      this.legacyWork.stop(),
    ]);
    const threads = [this.recogniser, this.voices, this.admission, this.measuring, this.#labour];
    for (const thread of threads) await thread?.close();
    await stopped;
    this.save();
    if (this.#isTemporary) await rm(this.folder, { recursive: true, force: true });
  }
}

/** Opens the state folder. Rejects when it can't be used. */
export async function openServices(
  options: ServiceOptions,
  offered: ReadonlySet<PermissionId>,
  baseUrl: () => string,
): Promise<Services> {
  const { webhookReceiver } = options;
  if (webhookReceiver !== undefined && !/^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(webhookReceiver))
    throw new TypeError('a receiver of events is an address like http://127.0.0.1:8080');
  const folder = options.stateDir ?? (await mkdtemp(join(tmpdir(), 'ovoz-practice-')));
  for (const inner of ['', 'uploads', 'objects', 'transcripts'])
    await mkdir(join(folder, inner), { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const { speechProgram = await findSpeechProgram(process.env['PATH'] ?? '') } = options;
  const services = new Services(options, folder, offered, speechProgram, baseUrl);
  await removeLeftovers(services);
  return services;
}

/** Removes partial uploads of an earlier process, and files that no record knows. */
async function removeLeftovers({ folder, uploadsDir, state }: Services): Promise<void> {
  const statusOf = (name: string) => get(state.transcriptions, name.split('.')[0] ?? '')?.status;
  for (const name of await readdir(uploadsDir)) {
    const status = name.endsWith('.audio') ? statusOf(name) : undefined;
    if (status !== 'queued' && status !== 'processing') await rm(join(uploadsDir, name), { force: true });
  }
  for (const name of await readdir(join(folder, 'transcripts')))
    if (statusOf(name) === undefined) await rm(join(folder, 'transcripts', name), { force: true });
}
