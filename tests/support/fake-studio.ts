import type { ConnectionState, RequestInput, RequestOutput, Settings } from '../../renderer/bridge/types.ts';
import type { Page } from '@playwright/test';
import type { Events, Procedures } from '../../electron/sections/procedures.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { StudioPlan } from './studio-plan.ts';

type Method = keyof Procedures;
type EventName = keyof Events;

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
  /** Leaves what is asked from now on unanswered, until `letGo`. */
  hold(method: string): void;
  letGo(method: string): void;
  /**
   * Sends over the last port of a stream, in the format of `shared/domain/stream-link.ts`. What the page sends there is a
   * call of `stream <name>`.
   */
  sayInStream(name: string, message: unknown): void;
  /** Its present answer, without counting as a call of the page. */
  ask(method: string): unknown;
}

declare global {
  interface Window {
    readonly fakeStudio: FakeStudio;
  }
}

/** Runs inside the page before its own scripts; uses nothing of this file except its argument. */
function install(plan: StudioPlan): void {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const calls: StudioCall[] = [];
  const waits = new Set<string>(plan.waits);
  const letGos = new Map<string, () => void>();
  const answers = new Map<string, unknown>(Object.entries(plan.answers));
  const failures = new Map<string, Failure | null>(Object.entries(plan.failures));
  let { settings, connection } = plan.app;
  let recovery = plan.recovery;
  let tokens = 0;
  const streamPorts = new Map<string, MessagePort>();
  const made = { openedAtMs: null, isAtService: true, durationMs: 40_000, hasRecording: true };
  const someTranscripts = ['Interview, Bukhara', 'Ustaxonada suhbat', 'Разговор о глине'].map((title, index) => ({
    id: `transcript-${String(index)}`,
    title,
    sourceName: `${title}.wav`,
    createdAtMs: Date.UTC(2026, 10, 20 - index, 9),
    ...made,
    language: (['uz', 'uz', 'ru'] as const)[index] ?? 'uz',
    wordCount: 4812 + index,
    credits: index === 1 ? null : '47',
  }));
  let transcripts = someTranscripts;
  let storage: RequestOutput<'storage.describe'> = {
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
    // What the page stores later is added to it.
    if (event === 'settings.changed') settings = payload as Settings;
    for (const listener of listeners.get(event) ?? []) listener(payload);
  };
  const setConnection = (change: Partial<ConnectionState>) => {
    connection = { ...connection, ...change };
    settings = { ...settings, mode: connection.mode, serviceAddress: connection.serviceAddress };
    emit('connection.changed', connection);
    return connection;
  };
  const nothingAdded = {
    jobIds: [],
    addedCount: 0,
    leftCount: 0,
    refused: [],
    refusedCount: 0,
    repeated: [],
    repeatedCount: 0,
    cutShort: [],
  };
  const own: Readonly<Record<string, (input: never) => unknown>> = {
    'transcripts.measureRecording': ({ heardMs }: { readonly heardMs: number | null }) => ({ recordingMs: heardMs }),
    'app.describe': () => ({ ...plan.app, settings, connection }),
    'jobs.list': () => ({ jobs: plan.jobs, queue: plan.queue }),
    'usage.today': () => ({ credits: '184.25', actionCount: 7, unreportedCount: 0 }),
    'usage.rate': () => ({ sampleCount: 20, creditsPerHour: '48.3', creditsPerGigabyte: '900' }),
    'usage.speakersRate': () => ({ sampleCount: 20, creditsPerHour: '48.3', creditsPerGigabyte: '900' }),
    'exports.saveText': () => ({ savedAs: null, revealToken: null }),
    'usage.dictationRate': () => ({ sampleCount: 20, creditsPerHour: '48.3', creditsPerGigabyte: '900' }),
    'usage.isolationRate': () => ({ sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null }),
    'usage.speechRate': () => ({ credits: null }),
    'usage.listenRate': () => ({ sampleCount: 20, creditsPerHour: '48.3', creditsPerGigabyte: null, stepMs: 60_000 }),
    'recovery.describe': () => recovery,
    'recovery.acknowledge': () => (recovery = { areSettingsReset: false, library: null, failure: null }),
    'recovery.retry': () => (recovery = { areSettingsReset: false, library: null, failure: null }),
    'settings.update': (change: Partial<Settings>) => {
      emit('settings.changed', { ...settings, ...change });
      return settings;
    },
    'connection.setAddress': ({ serviceAddress }: { serviceAddress: string }) => setConnection({ serviceAddress }),
    'connection.choose': ({ mode }: { mode: 'service' | 'practice' }) =>
      setConnection({ mode, practice: mode === 'practice' ? 'running' : 'off' }),
    'legacyKey.paste': () =>
      setConnection({ legacyKey: { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } }),
    'legacyKey.forget': () =>
      setConnection({ legacyKey: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' } }),
    'accountToken.paste': () =>
      setConnection({ accountToken: { present: true, maskedSuffix: 'qV2w', store: 'keychain', keychain: 'present' } }),
    'accountToken.forget': () =>
      setConnection({ accountToken: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' } }),
    'legacyKey.adopt': () =>
      setConnection({
        legacyKey: connection.key,
        key: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' },
      }),
    // Like main, which takes a port out of the address.
    'connection.setPlaces': (places: Pick<Settings, 'streamAddress' | 'callHost'>) => {
      settings = { ...settings, ...places };
      return settings;
    },
    'connection.setProxy': (proxy: Settings['proxy']) => {
      const [server = '', port = ''] = proxy.server.split(':');
      settings = { ...settings, proxy: { ...proxy, server, port: Number(port) || proxy.port } };
      emit('settings.changed', settings);
      return settings;
    },
    'transcripts.sync': () => ({ state: settings.syncsEdits ? 'same' : 'off', sentAtMs: null, failure: null }),
    'transcripts.readOn': ({ part }: { part: number }) => ({ segments: plan.textParts?.[part] }),
    'voices.removing': () => ({ voiceIds: [] }),
    'clone.read': () => ({ draft: null, capabilities: null }),
    'transcripts.list': () => ({ transcripts }),
    'library.list': () => ({ items: [], folders: [], tags: [] }),
    'library.search': () => ({ items: [], momentCount: 0, itemCount: 0, keys: [], isPartial: false, nearest: null }),
    'library.read': () => ({ moments: [] }),
    'library.missing': () => ({ missing: [] }),
    'library.remote': () => ({ items: [], deletedCount: 0, isWhole: true }),
    'library.bringIn': () => ({ transcriptId: 'transcript' }),
    'library.findRecordings': () => ({ isBegun: true }),
    'library.speakers': () => ({ speakers: [] }),
    'library.saveFolder': () => ({ id: 'folder' }),
    'library.saveTag': () => ({ id: 'tag' }),
    'library.saveSpeaker': () => ({ changedCount: 1 }),
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
    'jobs.addDropped': ({ tokens: given }: RequestInput<'jobs.addDropped'>) => ({
      ...nothingAdded,
      jobIds: given.map((token) => `job-${token}`),
      addedCount: given.length,
    }),
    'jobs.addPicked': () => nothingAdded,
    'jobs.addSamples': () => nothingAdded,
    'storage.describe': () => storage,
    'storage.clean': ({ part }: RequestInput<'storage.clean'>) => {
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
    'storage.removeOldRows': ({ days, withTexts }: RequestInput<'storage.removeOldRows'>) => {
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
    'jobs.bringBack': ({ jobIds }: RequestInput<'jobs.bringBack'>) => ({ restoredCount: jobIds.length }),
    'jobs.act': ({ jobIds }: RequestInput<'jobs.act'>) => ({
      changedCount: jobIds.length,
      acceptedCount: 0,
      cancelledIds: [],
    }),
    'automation.log': () => ({ entries: [] }),
    'automation.chooseFolder': () => ({ isChosen: true }),
    'jobs.locate': () => ({ isChosen: true }),
    'jobs.saveRawAnswer': () => ({ savedAs: null }),
  };

  /** Requests whose answer is empty; others that the plan does not answer fail. */
  const silent: ReadonlySet<string> = new Set<Method>([
    'window.control',
    'window.paste',
    'window.saved',
    'commands.report',
    'recovery.reveal',
    'connection.enterKey',
    'legacyKey.enter',
    'accountToken.enter',
    'storage.openFolder',
    'storage.cancelMove',
    'storage.eraseEverything',
    'models.get',
    'models.pause',
    'models.remove',
    'models.dismissRefused',
    'files.stopAdding',
    'jobs.retry',
    'jobs.remove',
    'jobs.move',
    'jobs.changeLanguage',
    'jobs.runNext',
    'jobs.copyResult',
    'jobs.showRecording',
    'jobs.hold',
    'automation.stopWatching',
    'automation.retryCopies',
    'jobs.resumeQueue',
    'dictation.tryPaste',
    'dictation.sendAgain',
    'dictation.discard',
    'dictation.restore',
    'dictation.edit',
    'dictation.editRewriting',
    'dictation.showRaw',
    'dictation.cleanUp',
    'dictation.rewrite',
    'dictation.showRewriting',
    'dictation.keep',
    'dictation.pin',
    'dictation.delete',
    'exports.reveal',
    'exports.saveProfile',
    'exports.removeProfile',
    'transcripts.nameVersion',
    'transcripts.setLanguage',
    'transcripts.showRecording',
    'library.rename',
    'library.trash',
    'library.restore',
    'library.erase',
    'library.move',
    'library.moveFolder',
    'library.removeFolder',
    'library.tag',
    'library.removeTag',
    'library.stopFinding',
    'library.forgetSpeaker',
    'speak.save',
    'speak.remove',
    'speak.saveVoiceMarks',
    'speak.savePronunciations',
    'speak.hide',
    'speak.hideRemote',
    'voices.saveDetails',
    'clone.cancel',
    'clone.discard',
    'isolation.useOriginal',
    'ask.rename',
    'ask.stop',
    'account.copyKey',
    'account.useKey',
    'account.dropKey',
    'account.revokeKey',
    'account.removeKey',
    'webhooks.remove',
    'webhooks.copySecret',
    'webhooks.dropSecret',
    'webhooks.enterSecret',
  ]);
  const unanswered: Failure = {
    kind: 'internal-error',
    row: 'E-230',
    code: 'not_planned',
    outcome: 'unknown',
    layer: 'local',
    retry: 'wait_user',
    scope: 'item',
    envelope: 'none',
  };

  Object.defineProperty(window, 'studio', {
    value: {
      request: async (method: string, input: unknown) => {
        calls.push({ method, input });
        if (waits.has(method))
          await new Promise<void>((resolve) => {
            const earlier = letGos.get(method);
            letGos.set(method, () => {
              earlier?.();
              resolve();
            });
          });
        const failure = failures.get(method);
        if (failure) return { ok: false, error: failure };
        if (answers.has(method)) return { ok: true, value: answers.get(method) };
        const value = own[method]?.(input as never) ?? (silent.has(method) ? {} : undefined);
        return value === undefined ? { ok: false, error: unanswered } : { ok: true, value };
      },
      on: (event: string, listener: (payload: unknown) => void) => {
        const group = listeners.get(event) ?? new Set();
        listeners.set(event, group.add(listener));
        return () => group.delete(listener);
      },
      openStream: async (name: string, options: unknown, nonce: string) => {
        calls.push({ method: name, input: options });
        const failure = failures.get(name);
        if (failure) return { ok: false, error: failure };
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          calls.push({ method: `stream ${name}`, input: data });
        });
        port1.start();
        streamPorts.set(name, port1);
        window.postMessage({ streamPort: nonce }, window.location.origin, [port2]);
        return { ok: true, value: null };
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
      hold: (method: string) => waits.add(method),
      letGo: (method: string) => {
        waits.delete(method);
        letGos.get(method)?.();
      },
      sayInStream: (name: string, message: unknown) => streamPorts.get(name)?.postMessage(message),
      ask: (method: string) => answers.get(method) ?? own[method]?.(undefined as never),
    },
  });
}

const planKept = 'plan-of-fake-studio';

/** Installs a studio in a page that is loaded again and again: every load uses the plan of the last `layPlan`. */
export const putStudioOfLaidPlan = (page: Page): Promise<unknown> =>
  page.addInitScript(`{
    const plan = sessionStorage.getItem(${JSON.stringify(planKept)});
    if (plan !== null) (${install.toString()})(JSON.parse(plan));
  }`);

/** For the next load of this page; deletes what the page itself stored there. */
export const layPlan = (page: Page, plan: StudioPlan): Promise<void> =>
  page.evaluate(
    ([key, text]) => {
      localStorage.clear();
      sessionStorage.clear();
      sessionStorage.setItem(key, text);
    },
    [planKept, JSON.stringify(plan)] as const,
  );

/** Sends an event as main would. */
export const emitEvent = <E extends EventName>(page: Page, event: E, payload: Events[E]): Promise<void> =>
  page.evaluate(({ name, data }) => window.fakeStudio.emit(name, data), {
    name: event as string,
    data: payload as unknown,
  });

/** The inputs of all calls of a method so far. */
export const callsOf = <M extends Method>(page: Page, method: M): Promise<RequestInput<M>[]> =>
  page.evaluate(
    (name) => window.fakeStudio.calls.filter((call) => call.method === name).map((call) => call.input),
    method as string,
  ) as Promise<RequestInput<M>[]>;
