import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue, type JobView } from '../../shared/domain/jobs/job-view.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { JobsChange } from '../../electron/queue/queue.ts';
import type { Workspace } from '../../electron/workspace/open-workspace.ts';
import { createAccessService } from '../../electron/services/account/access-service.ts';
import { createPracticeSupervisor, type PowerSource } from '../../electron/services/practice/practice-supervisor.ts';
import {
  accountTokenAccount,
  createKeyService,
  legacyKeyAccount,
} from '../../electron/services/secrets/key-service.ts';
import { defaultSettings, type StoredSettings } from '../../electron/services/settings/stored-settings.ts';
import type { SecretStore } from '../../electron/services/secrets/key-service.ts';
import { createConnectionService } from '../../electron/workspace/connection-service.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { createWorkspaceSwitch } from '../../electron/workspace/workspace-switch.ts';

export const row = (id: string, seq: number): JobView => ({
  id,
  seq,
  name: `${id}.mp3`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state: { tag: 'preparing' },
});

export function fakeLibrary(kind: ModeId, jobs: readonly JobView[], story: string[]) {
  let listener: (change: JobsChange) => void = () => undefined;
  const library = {
    jobs: {
      start: async () => void story.push(`${kind} starts`),
      stop: async () => void story.push(`${kind} stops`),
      list: () => ({ jobs, queue: noQueue }),
      onChanged: (given: typeof listener) => {
        listener = given;
        return () => (listener = () => undefined);
      },
      noteConnectionChange: () => undefined,
      act: async (ids: readonly string[], action: string) => void story.push(`${kind} ${action}s ${ids.join(' ')}`),
      noteNetworkChange: (addresses: ReadonlySet<string>) => void story.push(`${kind} has ${[...addresses].join(' ')}`),
    },
    deletion: { tellService: async () => undefined },
    dictation: { tryNow: () => undefined, sendLeft: async () => undefined },
    readCosts: async () => void story.push(`${kind} looks costs up`),
    close: async () => void story.push(`${kind} closes`),
  } as unknown as Workspace;
  return { library, change: (change: JobsChange) => listener(change) };
}

export function buildConnection(
  start: Partial<StoredSettings> = {},
  environmentAddress: string | null = null,
  power: PowerSource | null = null,
) {
  const story: string[] = [];
  const changes: JobsChange[] = [];
  let settings: StoredSettings = { ...defaultSettings, ...start };
  const followers = new Set<(now: StoredSettings) => void>();
  const store = {
    wasReset: false,
    get: () => settings,
    update(change: Partial<StoredSettings>): StoredSettings {
      settings = { ...settings, ...change };
      for (const listener of followers) listener(settings);
      return settings;
    },
    onChanged(listener: (now: StoredSettings) => void) {
      followers.add(listener);
      return () => void followers.delete(listener);
    },
  };
  const emptyStore: SecretStore = {
    read: async () => ({ state: 'absent' }),
    write: async () => ({ state: 'saved' }),
    clear: async () => ({ state: 'saved' }),
  };
  const kept = { settings: store, environmentKey: null, store: emptyStore };
  const keys = createKeyService(kept);
  const legacyKeys = createKeyService({ ...kept, account: legacyKeyAccount });
  const accountTokens = createKeyService({ ...kept, account: accountTokenAccount });
  let isPracticeBroken = false;
  const supervisor = (models?: { readonly kept: string; readonly chosen: null }) =>
    createPracticeSupervisor({
      stateDir: '/unused',
      ...(models !== undefined && { models }),
      now: () => 0,
      start: async () =>
        isPracticeBroken
          ? err(makeFailure('practice-not-started'))
          : ok({
              url: 'http://127.0.0.1:4000',
              token: 'practice-token',
              accessToken: 'practice-sign-in',
              legacyToken: 'practice-legacy-key',
              callHost: '127.0.0.1:4001',
              exited: new Promise(() => undefined),
              pause: (isPaused) =>
                void story.push(`${models === undefined ? 'practice' : 'local'} ${isPaused ? 'pauses' : 'goes on'}`),
              stop: async () => void story.push('practice ends'),
            }),
    });
  const practice = supervisor();
  const local = supervisor({ kept: '/unused', chosen: null });
  const fakes = {
    service: fakeLibrary('service', [row('s1', 40), row('s2', 41)], story),
    practice: fakeLibrary('practice', [row('p1', 3)], story),
    local: fakeLibrary('local', [row('l1', 5)], story),
  };
  let isLibraryBuggy = false;
  let broken: ModeId | null = null;
  const open = async (kind: ModeId): Promise<Result<Workspace>> =>
    kind === broken ? err(makeFailure('library-newer')) : ok(fakes[kind].library);
  const bugs: unknown[] = [];
  const workspaces = createWorkspaceSwitch({
    open: (kind) => (isLibraryBuggy ? Promise.reject(new Error('nobody thought of it')) : open(kind)),
    onJobsChanged: (change) => changes.push(change),
    onBug: (thrown) => bugs.push(thrown),
  });
  let addresses: readonly string[] = [];
  let tellOfNetwork = (): void => undefined;
  const network = {
    isOnline: () => true,
    addresses: () => new Set(addresses),
    onChanged(listener: () => void) {
      tellOfNetwork = listener;
      return () => undefined;
    },
  };
  const access = createAccessService({
    identity: () => connection.serviceIdentity(),
    mayAsk: () => false,
    ask: async () => null,
    memory: { read: () => null, save: () => undefined },
    now: () => 0,
  });
  const connection = createConnectionService({
    settings: store,
    keys,
    legacyKeys,
    accountTokens,
    practice,
    local,
    workspaces,
    network,
    power,
    access,
    environmentAddress,
    allowsLoopback: true,
  });
  return {
    connection,
    workspaces,
    keys,
    legacyKeys,
    accountTokens,
    story,
    changes,
    fakes,
    settings: () => settings,
    updateSettings: (change: Partial<StoredSettings>): void => void store.update(change),
    moveTo: (...next: readonly string[]): void => {
      addresses = next;
      tellOfNetwork();
    },
    breakPractice: () => (isPracticeBroken = true),
    breakLibrary: (kind: ModeId) => (broken = kind),
    bugs,
    spoilLibrary: () => (isLibraryBuggy = true),
  };
}
