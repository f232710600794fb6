import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Recogniser, type RecogniserOptions } from '../recogniser/recogniser.ts';
import { openCloneRates } from './cloning.ts';
import { fillCredits } from './credits.ts';
import { openTickets } from './dictation.ts';
import { noFaults, type FaultPlan } from './faults.ts';
import { IsolationQueue } from './isolation.ts';
import { mintSecret, openSession, renewOwnKey } from './keys.ts';
import { failUnfinishedLegacy, finishLegacy } from './legacy.ts';
import { openSoundThread, type SoundThread } from './sound-worker.ts';
import { findSpeechProgram, Speaker } from './speaker.ts';
import { dropUnfinishedSpeech } from './speech.ts';
import { get, readState, writeState, type State } from './state.ts';
import { openLinks } from './storage.ts';
import { TranscriptionQueue } from './transcriptions.ts';
import { Deliverer, type DeliveryOptions } from './webhooks.ts';

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
  cloneDeadlineMs: 180_000,
  attachmentUploadMs: 120_000,
};

/** The least time that work stays queued and in processing, so that people see what a real service does. */
const defaultPace = { queuedMs: 400, processingMs: 500 };

export interface ServiceOptions extends DeliveryOptions {
  /** Folder of the persistent state; without it, a temporary folder that is removed at the end. */
  readonly stateDir?: string;
  readonly faultPlan?: FaultPlan;
  /** For tests that restart a server; otherwise created at each start. */
  readonly token?: string;
  readonly legacyToken?: string;
  readonly limits?: Partial<typeof defaultLimits>;
  readonly pace?: typeof defaultPace;
  readonly credits?: number;
  /** The speech program; null: none. Absent: searched for on this computer. */
  readonly speechProgram?: string | null;
  /** Folder of the bundled recordings, with a trailing slash. */
  readonly samplesFolder?: URL;
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
  readonly uploadsDir: string;
  readonly limits: typeof defaultLimits;
  readonly pace: typeof defaultPace;
  readonly faultPlan: FaultPlan;
  readonly now: () => number;
  /** The developer key of this start, for the product routes. */
  readonly token: string;
  readonly legacyToken: string;
  readonly session: ReturnType<typeof openSession>;
  readonly links: ReturnType<typeof openLinks>;
  readonly tickets: ReturnType<typeof openTickets>;
  /** Scheme and host of live connections. */
  readonly socketUrl: () => string;
  /** Reading texts and saved voices require a paid plan. */
  readonly hasPaidPlan: boolean;
  readonly cloneRates = openCloneRates();
  /** Requests whose file for questions is coming in. */
  readonly uploading = new Set<string>();
  /** Hears words; null: only samples are known. */
  readonly recogniser: Recogniser | null;
  /** Measures uploads. It has its own thread, so that a long recording in the queue delays no short one. */
  readonly admission: SoundThread;
  /** Measures whole recordings, which may take long. */
  readonly measuring: SoundThread;
  readonly voices: SoundThread;
  readonly queue: TranscriptionQueue;
  readonly speaker: Speaker;
  readonly isolationQueue: IsolationQueue;
  readonly deliverer: Deliverer;
  readonly #threads: SoundThread[] = [];
  readonly #isTemporary: boolean;

  constructor(options: ServiceOptions, folder: string, speechProgram: string | null, baseUrl: () => string) {
    const workerUrl = (path: string): URL => options.workerUrl ?? new URL(path, import.meta.url);
    const openThread = (silenceLimitMs: number): SoundThread => {
      const thread = openSoundThread(workerUrl('./sound-worker.ts'), silenceLimitMs);
      this.#threads.push(thread);
      return thread;
    };
    this.folder = folder;
    this.uploadsDir = join(folder, 'uploads');
    this.#isTemporary = options.stateDir === undefined;
    this.limits = { ...defaultLimits, ...options.limits };
    this.pace = options.pace ?? defaultPace;
    this.faultPlan = options.faultPlan ?? noFaults;
    this.now = options.now ?? Date.now;
    this.state = readState(folder);
    this.token = options.token ?? mintSecret();
    this.legacyToken = options.legacyToken ?? mintSecret('practice_old_');
    renewOwnKey(this.state, this.token, this.now());
    fillCredits(this.state, options.credits ?? 1_000_000);
    this.session = openSession(30 * 24 * 3_600_000, this.now);
    this.links = openLinks(this.limits.signedLinkMs, baseUrl, this.now);
    this.tickets = openTickets(this.limits.ticketLifeMs, this.now);
    this.socketUrl = () => baseUrl().replace('http://', 'ws://');
    this.hasPaidPlan = options.plan !== 'free';
    this.recogniser =
      options.recognition === undefined
        ? null
        : new Recogniser({
            ...options.recognition,
            workerUrl: workerUrl('../recogniser/recogniser-worker.ts'),
            // One processor stays free for the window and for typing.
            threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
          });
    this.admission = openThread(20_000);
    this.measuring = openThread(20_000);
    this.voices = openThread(30_000);
    this.queue = new TranscriptionQueue(openThread(20_000), this);
    this.speaker = new Speaker(
      speechProgram,
      options.samplesFolder ?? new URL('../../assets/samples/', import.meta.url),
    );
    this.isolationQueue = new IsolationQueue(openThread(60_000), this);
    this.deliverer = new Deliverer(this, options);
  }

  /** Returns when the state is on disk; called before an answer promises anything. */
  readonly save = (): void => writeState(this.folder, this.state);

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
    const stopped = Promise.all([this.queue.stop(), this.speaker.stop(), this.isolationQueue.stop(), finishLegacy()]);
    for (const thread of [this.recogniser, ...this.#threads]) await thread?.close();
    await stopped;
    this.save();
    if (this.#isTemporary) await rm(this.folder, { recursive: true, force: true });
  }
}

/** Opens the state folder. Rejects when it can't be used. */
export async function openServices(options: ServiceOptions, baseUrl: () => string): Promise<Services> {
  const { webhookReceiver } = options;
  if (webhookReceiver !== undefined && !/^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(webhookReceiver))
    throw new TypeError('a receiver of events is an address like http://127.0.0.1:8080');
  const folder = options.stateDir ?? (await mkdtemp(join(tmpdir(), 'ovoz-practice-')));
  for (const inner of ['', 'uploads', 'objects', 'transcripts'])
    await mkdir(join(folder, inner), { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const { speechProgram = await findSpeechProgram(process.env['PATH'] ?? '') } = options;
  const services = new Services(options, folder, speechProgram, baseUrl);
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
