import { readStreamPlaces } from '../services/connection/service-address.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import type { NetworkStatus } from '../services/connection/wake-watch.ts';
import type { JobsChange } from '../queue/queue.ts';
import { createConnectionService } from './connection-service.ts';
import { createWorkspaceSwitch } from './workspace-switch.ts';
import type { Workspace } from './open-workspace.ts';
import {
  createPracticeSupervisor,
  type ModelPlaces,
  type PowerSource,
  type StartPractice,
} from '../services/practice/practice-supervisor.ts';
import {
  accountTokenAccount,
  createKeyService,
  legacyKeyAccount,
  type SecretStore,
} from '../services/secrets/key-service.ts';
import type { Environment } from '../services/settings/environment.ts';
import type { SettingsStore } from '../services/settings/stored-settings.ts';
import type { ConnectionSource } from '../service/connection.ts';
import type { Secret } from '../secret/secret.ts';
import type { ConnectionReport } from '../service/connection-check.ts';
import { createAccessService, type AccessCacheStore } from '../services/account/access-service.ts';
import type { Result } from '../../shared/result/result.ts';

export interface WorkspacesParts {
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly environment: Environment;
  readonly isPackaged: boolean;
  readonly network: NetworkStatus;
  readonly power: PowerSource | null;
  readonly startPractice: StartPractice;
  readonly practiceFolder: string;
  readonly localFolder: string;
  readonly models: ModelPlaces;
  readonly openWorkspace: (mode: ModeId, source: ConnectionSource) => Promise<Result<Workspace>>;
  readonly onJobsChanged: (change: JobsChange) => void;
  readonly check: (baseUrl: string, key: Secret | null) => Promise<ConnectionReport>;
  readonly accessMemory: AccessCacheStore;
  readonly onBug: (thrown: unknown) => void;
}

/** The workspaces of all modes with the keys and connections that open them. Nothing is started yet. */
export function createWorkspaces(parts: WorkspacesParts) {
  const { settings, environment } = parts;
  const address = () => environment.serviceUrl ?? settings.get().serviceAddress;
  const keys = createKeyService({ store: parts.secrets, settings, environmentKey: environment.apiKey, address });
  const legacyKeys = createKeyService({
    store: parts.secrets,
    settings,
    environmentKey: null,
    account: legacyKeyAccount,
    address,
  });
  const accountTokens = createKeyService({
    store: parts.secrets,
    settings,
    environmentKey: null,
    account: accountTokenAccount,
    address,
  });
  const practice = createPracticeSupervisor({
    start: parts.startPractice,
    stateDir: parts.practiceFolder,
    now: () => performance.now(),
  });
  const local = createPracticeSupervisor({
    start: parts.startPractice,
    stateDir: parts.localFolder,
    models: parts.models,
    now: () => performance.now(),
  });
  const access = createAccessService({
    identity: () => connection.serviceIdentity(),
    mayAsk: () => settings.get().mode === 'service' && parts.network.isOnline(),
    ask: async () => {
      const address = connection.readAddress('');
      return address.ok ? parts.check(address.value, keys.current()) : null;
    },
    memory: parts.accessMemory,
    now: () => Date.now(),
  });
  const workspaces = createWorkspaceSwitch({
    open: (mode) => parts.openWorkspace(mode, connection.sourceFor(mode)),
    onJobsChanged: parts.onJobsChanged,
    onBug: parts.onBug,
  });
  const connection = createConnectionService({
    settings,
    keys,
    legacyKeys,
    accountTokens,
    practice,
    local,
    workspaces,
    network: parts.network,
    power: parts.power,
    access,
    environmentAddress: environment.serviceUrl,
    streamPlaces: () => readStreamPlaces(environment, settings.get(), !parts.isPackaged),
    allowsLoopback: !parts.isPackaged,
  });
  return { keys, legacyKeys, accountTokens, workspaces, connection, access };
}

export type Workspaces = ReturnType<typeof createWorkspaces>;
