import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import type { Events } from '../../shell/events.ts';
import { failureNumbers } from '../../../shared/result/failure-kinds.ts';
import { isModelStyle } from '../../../shared/domain/dictation/clean-up.ts';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { preferredLanguage } from '../../../shared/domain/languages.ts';
import { childEnvironment } from '../../shell/security/start-conditions.ts';
import { shellCapabilities } from '../../shell/shell-capabilities.ts';
import { createOwnWindows, printInWindow } from '../../shell/windows/create-window.ts';
import { createEventHub } from '../../ipc/listen.ts';
import { practiceByUtilityProcess } from '../../platform/electron/practice-utility.ts';
import { systemPower, systemWakes, systemProxy, watchNetwork, openSettings } from '../../platform/electron/system.ts';
import { createKeytarStore } from '../../platform/keychain/keytar-store.ts';
import type { DataFolder } from '../../platform/node/data-folder.ts';
import type { Secret } from '../../secret/secret.ts';
import { openServiceCore } from '../../service/client.ts';
import { checkConnection } from '../../service/connection-check.ts';
import { createMediaTokens } from '../../services/media/tokens.ts';
import { openAccessFile } from '../../platform/node/small-text-file.ts';
import { optionalLog, openJsonLog } from '../../platform/node/json-log.ts';
import { systemClientClock } from '../../service/transport.ts';
import { eitherWakes, watchWake } from '../../services/connection/wake-watch.ts';
import { admitUnasked } from '../../services/spend/spend-guard.ts';
import { createProxySource } from '../../services/connection/service-address.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Environment } from '../../services/settings/environment.ts';
import { defaultSettings } from '../../services/settings/stored-settings.ts';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import type { JobsChange } from '../../queue/queue.ts';
import { createModelDownloads } from '../../recogniser/model-downloads.ts';
import { createModelStore } from '../../recogniser/model-store.ts';
import { createWorkspaces } from '../../workspace/create-workspaces.ts';
import { createImportProgress } from '../../shell/import-progress.ts';

export interface ContextOptions {
  readonly places: AppPaths;
  readonly folder: DataFolder;
  readonly environment: Environment;
  readonly isPackaged: boolean;
}

export function createContext({ places, folder, environment, isPackaged }: ContextOptions) {
  // Nothing is logged before it is known whether this user wants a log.
  let isLogKept = () => false;
  const log = optionalLog(openJsonLog(join(folder.logs, 'studio.log')), () => isLogKept());
  const settings = openSettings({
    folder: folder.root,
    defaults: { ...defaultSettings, interfaceLanguage: preferredLanguage(app.getPreferredSystemLanguages()) },
    onUnsaved: () => log.write({ event: 'settings-not-saved', level: 'warn' }),
  });
  isLogKept = () => settings.get().keepsLog;
  log.write({ event: 'app-start' });

  const windows = createOwnWindows();
  const events = createEventHub<Events>(windows.listeners);
  const capabilities = shellCapabilities({ platform: process.platform, hostVersion: process.versions['electronHost'] });
  const network = watchNetwork();
  const proxyOf = createProxySource(() => settings.get().proxy, systemProxy);
  const wakes = eitherWakes(
    systemClientClock,
    watchWake(systemClientClock),
    ...(capabilities.shell === 'electron' ? [systemWakes] : []),
  );
  const grants = {
    refused: (product: string, failure: Failure) => services.access.noteRefusal(product, failure),
    used: (product: string) => services.access.noteUse(product),
  };
  const core = openServiceCore({
    connection: () => services.connection.sourceFor('service')(),
    log,
    allowsLoopbackHttp: !isPackaged,
    grants,
    proxyOf,
  });
  const check = (baseUrl: string, key: Secret | null, signal?: AbortSignal) =>
    checkConnection(core, { kind: 'service', baseUrl, key, ...(signal && { signal }) });
  const mediaTokens = createMediaTokens();
  const dictationFollowers = new Set([events.emits('dictation.changed')]);
  const jobFollowers = new Set<(change: JobsChange) => void>();
  const services = createWorkspaces({
    settings,
    environment,
    isPackaged,
    secrets: createKeytarStore({
      onLateRead: (account, read) => {
        services.keys.acceptLate(account, read);
        services.legacyKeys.acceptLate(account, read);
        services.accountTokens.acceptLate(account, read);
      },
    }),
    network,
    power: capabilities.shell === 'electron' ? systemPower : null,
    startPractice: practiceByUtilityProcess(places.built('main', 'practice.js'), childEnvironment(process.env)),
    practiceFolder: folder.practiceService,
    localFolder: folder.localService,
    models: { kept: folder.models, chosen: environment.localModel },
    openWorkspace: (mode, source) =>
      openWorkspace({
        mode,
        source,
        proxyOf,
        audioWorker: pathToFileURL(places.built('main', 'audio-worker.js')),
        readingWorker: pathToFileURL(places.built('main', 'library-worker.js')),
        // The test host in place of Electron prints with the browser it runs in.
        ...(capabilities.shell === 'electron' ? { printPdf: printInWindow } : {}),
        concurrency: settings.get().uploadsAtOnce,
        dataDir: folder.root,
        allowsLoopbackHttp: !isPackaged,
        ...(mode === 'service' ? { core } : {}),
        log,
        wakes,
        isOnline: () => network.isOnline(),
        onErased: (contents) => mediaTokens.forget(contents),
        onSpent: () => events.emit('usage.changed', {}),
        dictationFollowers,
        takeSoundDays: () => settings.get().takeSoundDays,
        syncsEdits: () => settings.get().syncsEdits,
        writingRules: () => ({
          replacements: settings.get().replacements,
          hasCommands: settings.get().obeysSpokenSigns,
        }),
        writingStyle: () => {
          const { dictationStyle, rewritesEachPhrase } = settings.get();
          return isModelStyle(dictationStyle) && !rewritesEachPhrase ? 'verbatim' : dictationStyle;
        },
        // A dialog must not interrupt the user in the middle of a sentence.
        admitsCleanUp: (characters, most) => {
          const estimate = { requests: 1, audioMs: 0, characters, price: { usual: null, most }, isRough: false };
          return admitUnasked(settings, services.connection.serviceIdentity(), estimate, Date.now());
        },
      }),
    check,
    accessMemory: openAccessFile(join(folder.root, 'access.json')),
    onBug: (thrown) => {
      log.write({ event: 'library-bug', level: 'error', row: failureNumbers['internal-error'] });
      if (!isPackaged) console.error(thrown);
    },
    onJobsChanged(change) {
      const { isWhole = false, jobs, removedIds, queue } = change;
      events.emit(
        'jobs.changed',
        isWhole
          ? { isWhole, jobs: [], removedIds: [], queue }
          : { isWhole, jobs: [...jobs], removedIds: [...removedIds], queue },
      );
      for (const follow of jobFollowers) follow(change);
      if (isWhole) events.emit('usage.changed', {});
    },
  });

  const models = createModelDownloads({
    store: createModelStore({ folder: folder.models, proxyOf }),
    onChanged: () => events.emit('models.changed', {}),
    onHere() {
      const workspace = services.workspaces.current();
      if (workspace.ok) workspace.value.jobs.noteConnectionChange();
    },
    now: () => performance.now(),
  });

  return {
    settings,
    models: { downloads: models, hasOwn: environment.localModel !== null },
    log,
    windows,
    events,
    adding: createImportProgress(events.emits('files.adding')),
    capabilities,
    core,
    check,
    mediaTokens,
    services,
    followJobs(follow: (change: JobsChange) => void): void {
      jobFollowers.add(follow);
    },
    followDictation(follow: (change: TakeChange) => void): void {
      dictationFollowers.add(follow);
    },
  };
}

/** Locations of the shipped files; the entry passes them in, because only it knows where it was built to. */
export interface AppPaths {
  built(...path: string[]): string;
  asset(...path: string[]): string;
}
