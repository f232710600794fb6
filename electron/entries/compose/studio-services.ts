import { readStreamPlaces } from '../../services/connection/service-address.ts';
import { createConnectionService, type NetworkStatus } from '../../services/connection/connection-service.ts';
import { createLibrarySwitch, type LibraryKind } from '../../services/connection/library-switch.ts';
import type { JobsChange, Library } from '../../services/library/library.ts';
import type { StartPractice } from '../../services/practice/practice-process.ts';
import { createPracticeSupervisor } from '../../services/practice/practice-supervisor.ts';
import { createKeyService } from '../../services/secrets/key-service.ts';
import type { SecretStore } from '../../services/secrets/secret-store.ts';
import type { Environment } from '../../services/settings/environment.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import type { ConnectionSource } from '../../api/connection.ts';
import type { Result } from '../../../shared/result/result.ts';

export interface StudioParts {
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly environment: Environment;
  readonly isPackaged: boolean;
  readonly network: NetworkStatus;
  readonly startPractice: StartPractice;
  readonly practiceFolder: string;
  readonly openLibrary: (kind: LibraryKind, source: ConnectionSource) => Promise<Result<Library>>;
  readonly onJobsChanged: (change: JobsChange) => void;
  readonly onBug: (thrown: unknown) => void;
}

/** Key, practice, library and connection, wired to each other. Nothing is started yet. */
export function createStudioServices(parts: StudioParts) {
  const { settings, environment } = parts;
  const keys = createKeyService({ store: parts.secrets, settings, environmentKey: environment.apiKey });
  const practice = createPracticeSupervisor({
    start: parts.startPractice,
    stateDir: parts.practiceFolder,
    now: () => performance.now(),
  });
  const libraries = createLibrarySwitch({
    open: (kind) => parts.openLibrary(kind, connection.sourceFor(kind)),
    onJobsChanged: parts.onJobsChanged,
    onBug: parts.onBug,
  });
  const connection = createConnectionService({
    settings,
    keys,
    practice,
    libraries,
    network: parts.network,
    environmentAddress: environment.serviceUrl,
    streamPlaces: readStreamPlaces(environment, !parts.isPackaged),
    allowsLoopback: !parts.isPackaged,
  });
  return { keys, libraries, connection };
}

export type StudioServices = ReturnType<typeof createStudioServices>;
