import type { Page } from '@playwright/test';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue, type QueueView } from '../../shared/domain/jobs/queue-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventPayload, RequestInput, RequestOutput } from '../../shared/ipc/derive.ts';
import type { ConnectionState, RecoveryState, Settings } from '../../shared/ipc/schemas.ts';
import type { Failure } from '../../shared/result/failure.ts';

type Method = keyof Contract['requests'];
type EventName = keyof Contract['events'];

/** What the page finds instead of main: first answers, fixed answers, refusals. Plain data, because it is sent to the page. */
export interface StudioPlan {
  readonly app: RequestOutput<Contract, 'app.describe'>;
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
  readonly recovery: RecoveryState;
  readonly answers: { readonly [M in Method]?: RequestOutput<Contract, M> };
  readonly failures: { readonly [M in Method]?: Failure };
}

/** One call the page made. */
export interface StudioCall {
  readonly method: string;
  readonly input: unknown;
}

interface FakeStudio {
  readonly calls: StudioCall[];
  emit(event: string, payload: unknown): void;
  setConnection(change: Partial<ConnectionState>): void;
  setAnswer(method: string, answer: unknown): void;
  setFailure(method: string, failure: Failure | null): void;
  /** What it answers at this moment, without counting as a call of the page. */
  ask(method: string): unknown;
}

declare global {
  interface Window {
    readonly fakeStudio: FakeStudio;
  }
}

export const someSettings: Settings = {
  interfaceLanguage: 'en',
  appearance: 'light',
  serviceAddress: 'https://api.example.test',
  mode: 'service',
  speechLanguage: 'uz',
  includeSpeakers: true,
  uploadsAtOnce: 2,
  notifiesWhenDone: true,
  keepsAwake: true,
  savesCopies: false,
  copyFormats: ['txt'],
  copyTemplate: '{name}',
  copyCollision: 'number',
  copyFolderName: null,
  watchFolderName: null,
  reducesMotion: false,
  contrast: 'system',
  playsSounds: false,
  usesLetterKeys: true,
  transcriptSize: 17,
  transcriptTypeface: 'serif',
  transcriptScript: 'as-written',
  keepsLog: true,
  proxy: { mode: 'system', server: '', port: 8080 },
  spendLimitMinutes: 600,
  shortcuts: {},
  interfaceZoom: 100,
  isRailOpen: true,
  isInspectorOpen: true,
  inspectorWidth: null,
  recentActions: [],
};

export const someConnection: ConnectionState = {
  mode: 'service',
  serviceAddress: someSettings.serviceAddress,
  key: { present: true, maskedSuffix: '3kQ9', store: 'keychain', keychain: 'present' },
  access: { products: [], checkedAtMs: null },
  olderKey: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' },
  practice: 'off',
  isOnline: true,
};

interface PlanChanges extends Partial<Omit<StudioPlan, 'app'>> {
  readonly settings?: Partial<Settings>;
  readonly connection?: Partial<ConnectionState>;
  readonly capabilities?: Partial<StudioPlan['app']['capabilities']>;
}

/** A studio that is connected and idle, changed as the test says. */
export function planStudio({ settings, connection, capabilities, ...rest }: PlanChanges = {}): StudioPlan {
  const mode = settings?.mode ?? someSettings.mode;
  return {
    app: {
      version: '0.1.0',
      capabilities: {
        shell: 'host',
        platform: 'linux',
        windowControls: true,
        tray: false,
        globalKeys: false,
        menuBar: false,
        ...capabilities,
      },
      settings: { ...someSettings, ...settings },
      connection: { ...someConnection, mode, practice: mode === 'practice' ? 'running' : 'off', ...connection },
      corrections: { places: [], complaints: [] },
      isMaximized: false,
    },
    jobs: [],
    queue: noQueue,
    recovery: { areSettingsReset: false, library: null, failure: null },
    answers: {},
    failures: {},
    ...rest,
  };
}

/** Runs inside the page before its own scripts; knows nothing of this file but its argument. */
function install(plan: StudioPlan): void {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const calls: StudioCall[] = [];
  const answers = new Map<string, unknown>(Object.entries(plan.answers));
  const failures = new Map<string, Failure | null>(Object.entries(plan.failures));
  let { settings, connection } = plan.app;
  let recovery = plan.recovery;
  let tokens = 0;
  const someTranscripts = ['Interview, Bukhara', 'Ustaxonada suhbat', 'Разговор о глине'].map((title, index) => ({
    id: `transcript-${String(index)}`,
    title,
    sourceName: `${title}.wav`,
    createdAtMs: Date.UTC(2026, 10, 20 - index, 9),
    isAtService: true,
  }));
  let transcripts = someTranscripts;
  let storage: RequestOutput<Contract, 'storage.describe'> = {
    parts: [
      { part: 'library', bytes: 41_200_000, removableBytes: 0 },
      { part: 'prepared', bytes: 310_000_000, removableBytes: 280_000_000 },
      { part: 'backups', bytes: 96_000_000, removableBytes: 60_000_000 },
      { part: 'practice', bytes: 12_400_000, removableBytes: 12_400_000 },
      { part: 'peaks', bytes: 7_300_000, removableBytes: 7_300_000 },
      { part: 'log', bytes: 0, removableBytes: 0 },
      { part: 'app', bytes: 15_900_000, removableBytes: 0 },
    ],
    freeBytes: 212_000_000_000,
    movedTo: null,
  };

  const someOldRows: Readonly<Record<number, number>> = { 7: 1900, 30: 1234, 90: 61 };
  let oldRows = someOldRows;

  const emit = (event: string, payload: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(payload);
  };
  const setConnection = (change: Partial<ConnectionState>) => {
    connection = { ...connection, ...change };
    settings = { ...settings, mode: connection.mode, serviceAddress: connection.serviceAddress };
    emit('connection.changed', connection);
    return connection;
  };
  const own: Readonly<Record<string, (input: never) => unknown>> = {
    'app.describe': () => ({ ...plan.app, settings, connection }),
    'jobs.list': () => ({ number: 1, partCount: 1, jobs: plan.jobs, queue: plan.queue }),
    'usage.today': () => ({ credits: '184.25', actionCount: 7, untoldCount: 0 }),
    'recovery.describe': () => recovery,
    'recovery.acknowledge': () => (recovery = { areSettingsReset: false, library: null, failure: null }),
    'recovery.retry': () => (recovery = { areSettingsReset: false, library: null, failure: null }),
    'settings.update': (change: Partial<Settings>) => {
      settings = { ...settings, ...change };
      emit('settings.changed', settings);
      return settings;
    },
    'connection.setAddress': ({ serviceAddress }: { serviceAddress: string }) => setConnection({ serviceAddress }),
    'connection.choose': ({ mode }: { mode: 'service' | 'practice' }) =>
      setConnection({ mode, practice: mode === 'practice' ? 'running' : 'off' }),
    'olderKey.enter': () => ({}),
    'olderKey.paste': () =>
      setConnection({ olderKey: { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } }),
    'olderKey.forget': () =>
      setConnection({ olderKey: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' } }),
    'olderKey.adopt': () =>
      setConnection({
        olderKey: connection.key,
        key: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' },
      }),
    'connection.setProxy': (proxy: Settings['proxy']) => {
      settings = { ...settings, proxy };
      emit('settings.changed', settings);
      return settings;
    },
    'transcripts.list': () => ({ transcripts }),
    'transcripts.delete': ({ transcriptId }: { transcriptId: string }) => {
      transcripts = transcripts.filter(({ id }) => id !== transcriptId);
      return { undoMs: 20_000 };
    },
    'transcripts.restore': ({ transcriptId }: { transcriptId: string }) => {
      transcripts = [...transcripts, ...someTranscripts.filter(({ id }) => id === transcriptId)];
      return { isRestored: true };
    },
    'connection.recheckKey': () => connection,
    'connection.pasteKey': () =>
      setConnection({ key: { present: true, maskedSuffix: '7mWd', store: 'keychain', keychain: 'present' } }),
    'connection.forgetKey': () =>
      setConnection({ key: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' } }),
    'files.inspect': ({ tokens: asked }: { tokens: string[] }) => ({
      files: asked.map((token) => ({ token, name: token, sizeBytes: 1, durationMs: null, plan: 'as-is' })),
      refused: [],
    }),
    'files.pick': () => ({ files: [], refused: [] }),
    'jobs.add': ({ files }: RequestInput<Contract, 'jobs.add'>) => ({
      jobIds: files.map(({ token }) => `job-${token}`),
      refused: [],
    }),
    'storage.describe': () => storage,
    'storage.clean': ({ part }: RequestInput<Contract, 'storage.clean'>) => {
      const freedBytes = storage.parts.find((one) => one.part === part)?.removableBytes ?? 0;
      const parts = storage.parts.map((one) =>
        one.part === part ? { ...one, bytes: one.bytes - one.removableBytes, removableBytes: 0 } : one,
      );
      storage = { ...storage, parts };
      return { ...storage, freedBytes };
    },
    'storage.oldRows': ({ days }: { days: number }) => ({
      rowCount: oldRows[days] ?? 0,
      textCount: (oldRows[days] ?? 1) - 1,
    }),
    'storage.removeOldRows': ({ days, withTexts }: RequestInput<Contract, 'storage.removeOldRows'>) => {
      const rowCount = oldRows[days] ?? 0;
      oldRows = {};
      return { rowCount, textCount: withTexts ? rowCount - 1 : 0 };
    },
    'storage.restoreOldRows': () => {
      oldRows = someOldRows;
      return { restoredCount: 1234 };
    },
    'storage.eraseEverything': () => {
      settings = { ...settings, mode: 'unset' };
      setConnection({ mode: 'unset' });
      emit('settings.changed', settings);
      return {};
    },
    'jobs.act': ({ jobIds }: RequestInput<Contract, 'jobs.act'>) => ({ changedCount: jobIds.length, acceptedCount: 0 }),
    'automation.log': () => ({ entries: [] }),
    'automation.chooseFolder': () => ({ isChosen: true }),
    'jobs.locate': () => ({ isChosen: true }),
    'jobs.cancel': () => ({ isAcceptedByService: false }),
    'jobs.saveRawAnswer': () => ({ savedAs: null }),
  };

  Object.defineProperty(window, 'studio', {
    value: {
      request: async (method: string, input: unknown) => {
        calls.push({ method, input });
        const failure = failures.get(method);
        if (failure) return { ok: false, error: failure };
        if (answers.has(method)) return { ok: true, value: answers.get(method) };
        return { ok: true, value: own[method]?.(input as never) ?? {} };
      },
      on: (event: string, listener: (payload: unknown) => void) => {
        const group = listeners.get(event) ?? new Set();
        listeners.set(event, group.add(listener));
        return () => group.delete(listener);
      },
      fileTokenFor: async (file: File) => {
        tokens += 1;
        calls.push({ method: 'fileTokenFor', input: file.name });
        const failure = failures.get('fileTokenFor');
        return failure ? { ok: false, error: failure } : { ok: true, value: `token-0000-0000-${String(tokens)}` };
      },
    },
  });
  Object.defineProperty(window, 'fakeStudio', {
    value: {
      calls,
      emit,
      setConnection,
      setAnswer: (method: string, answer: unknown) => answers.set(method, answer),
      setFailure: (method: string, failure: Failure | null) => failures.set(method, failure),
      ask: (method: string) => answers.get(method) ?? own[method]?.(undefined as never),
    },
  });
}

const planKept = 'plan-of-fake-studio';

/** Puts a studio into a page that is loaded again and again: every load takes the plan that `layPlan` laid last. */
export const putStudioOfLaidPlan = (page: Page): Promise<unknown> =>
  page.addInitScript(`{
    const plan = sessionStorage.getItem(${JSON.stringify(planKept)});
    if (plan !== null) (${install.toString()})(JSON.parse(plan));
  }`);

/** For the next load of this page; what the page itself stored there is taken away. */
export const layPlan = (page: Page, plan: StudioPlan): Promise<void> =>
  page.evaluate(
    ([key, text]) => {
      localStorage.clear();
      sessionStorage.clear();
      sessionStorage.setItem(key, text);
    },
    [planKept, JSON.stringify(plan)] as const,
  );

/** Puts the studio into every page that is opened from now on. */
export const putFakeStudio = (page: Page, plan: StudioPlan): Promise<unknown> => page.addInitScript(install, plan);

/** Sends an event as main would. */
export const emitEvent = <E extends EventName>(
  page: Page,
  event: E,
  payload: EventPayload<Contract, E>,
): Promise<void> =>
  page.evaluate(({ name, data }) => window.fakeStudio.emit(name, data), {
    name: event as string,
    data: payload as unknown,
  });

/** The inputs of all calls of a method so far. */
export const callsOf = <M extends Method>(page: Page, method: M): Promise<RequestInput<Contract, M>[]> =>
  page.evaluate(
    (name) => window.fakeStudio.calls.filter((call) => call.method === name).map((call) => call.input),
    method as string,
  ) as Promise<RequestInput<Contract, M>[]>;

/** A row of the queue for tests. */
export const someJob = (id: string, state: JobView['state'], change: Partial<JobView> = {}): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 184_000_000,
  durationMs: 1_565_000,
  language: 'uz',
  includeSpeakers: true,
  addedAtMs: Date.UTC(2026, 10, 20, 9),
  rank: 1,
  state,
  ...change,
});

/** A row in every state that DESIGN 4 names, as on the mock. */
export function jobsInEveryState(nowMs: number = Date.now()): readonly JobView[] {
  return [
    someJob(
      'done',
      { tag: 'done', transcriptId: 't-1', speakerCount: 3, finishedAtMs: nowMs - 60_000 },
      { name: 'Interview with a ceramicist, Rishton.wav', language: 'en', durationMs: 2_832_000 },
    ),
    someJob('waiting', { tag: 'waiting', placeInLine: 1 }, { name: 'Yigʻilish 18-noyabr.ogg' }),
    someJob(
      'waiting-2',
      { tag: 'waiting', placeInLine: 2 },
      {
        name: '🎙️ Ovozli xabar, juda uzun nom bilan, chunki odamlar fayllarni shunday nomlaydi (oxirgi, tuzatilgan, 2).m4a',
        durationMs: null,
        sizeBytes: 900,
      },
    ),
    someJob(
      'uploading',
      { tag: 'uploading', sentBytes: 118_000_000, totalBytes: 184_000_000, sinceMs: nowMs - 56_000 },
      { name: 'Margʻilon bozori, 2-qism.wav' },
    ),
    someJob(
      'queued',
      { tag: 'queued-at-service', sinceMs: nowMs - 72_000 },
      { name: 'Совещание по делу № 214.mp3', language: 'ru' },
    ),
    someJob(
      'processing',
      { tag: 'processing', sinceMs: nowMs - 220_000, rawStatus: 'diarizing' },
      { name: 'Podcast 41: Buxoro meʼmorchiligi.flac', durationMs: 3_120_000 },
    ),
    someJob(
      'preparing',
      { tag: 'preparing' },
      { name: 'Lecture 7, phonetics of Turkic languages.mp3', language: 'en', includeSpeakers: false },
    ),
    someJob(
      'retrying',
      {
        tag: 'retrying',
        untilMs: nowMs + 14_000,
        failure: makeFailure('E-053', { status: 429, code: 'rate_limited' }),
      },
      { name: 'Radio, 1-soat.mp3' },
    ),
    someJob(
      'failed',
      {
        tag: 'failed',
        failure: makeFailure('E-048', {
          status: 413,
          requestId: 'req_81f2',
          params: { name: 'brifing', size: 2_100_000_000 },
        }),
        hasRawAnswer: false,
      },
      { name: 'Prokuratura brifingi 14-noyabr.m4a', durationMs: 5_560_000, sizeBytes: 2_100_000_000 },
    ),
    someJob(
      'unreadable',
      {
        tag: 'failed',
        failure: makeFailure('E-024', { status: 200, requestId: 'req_0a11', details: '<unexpected>' }),
        hasRawAnswer: true,
      },
      { name: 'Radio.m4a' },
    ),
    someJob(
      'changed',
      { tag: 'needs-user', failure: makeFailure('E-011', { params: { name: 'Hisobot.wav' } }) },
      { name: 'Hisobot.wav' },
    ),
    someJob('cancelled', { tag: 'cancelled', isAcceptedByService: true }, { name: 'Eski yozuv.mp3' }),
    someJob(
      'paused',
      { tag: 'paused', sentBytes: 22_000_000, totalBytes: 58_000_000 },
      { name: 'Lecture 8, vowel harmony.mp3', language: 'en', rank: 4 },
    ),
    someJob(
      'twin',
      {
        tag: 'needs-user',
        failure: makeFailure('E-212', { params: { date: nowMs - 86_400_000, transcriptId: 't-0' } }),
      },
      { name: 'Margʻilon bozori (nusxa).wav' },
    ),
    someJob('video', { tag: 'preparing', soundShare: 0.38 }, { name: 'Konferensiya.mkv', sizeBytes: 2_400_000_000 }),
  ];
}
