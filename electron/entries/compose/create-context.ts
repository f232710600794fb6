import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import type { contract } from '../../../shared/ipc/contract.ts';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { preferredLanguage } from '../../../shared/domain/languages.ts';
import { childEnvironment } from '../../shell/security/start-conditions.ts';
import { shellCapabilities } from '../../shell/shell-capabilities.ts';
import { createOwnWindows } from '../../shell/windows/own-windows.ts';
import { createEventHub, type EventHub } from '../../ipc/events.ts';
import { practiceByUtilityProcess } from '../../platform/electron/practice-utility.ts';
import { systemPower, systemWakes, systemProxy, watchNetwork } from '../../platform/electron/system.ts';
import { printInWindow } from '../../shell/windows/print-window.ts';
import { openSettings } from '../../platform/electron/settings-electron-store.ts';
import { createKeytarStore } from '../../platform/keychain/keytar-store.ts';
import type { DataFolder } from '../../platform/node/data-folder.ts';
import type { Secret } from '../../secret/secret.ts';
import { openServiceCore } from '../../api/http/service-core.ts';
import { checkConnection } from '../../api/resources/connection-check.ts';
import { createMediaTokens } from '../../services/media/media-tokens.ts';
import { openAccessFile } from '../../platform/node/access-file.ts';
import { optionalLog, openJsonLog } from '../../platform/node/json-log.ts';
import { systemClientClock } from '../../api/http/clock.ts';
import { eitherWakes, watchWake } from '../../services/connection/wake-watch.ts';
import { admitUnasked } from '../../services/spend/spend-guard.ts';
import { createProxySource } from '../../services/connection/proxy-source.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Environment } from '../../services/settings/environment.ts';
import { defaultSettings } from '../../services/settings/stored-settings.ts';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import type { Places } from './places.ts';
import { readCorrections } from '../../workspace/read-corrections.ts';
import { createModelDownloads } from '../../recogniser/model-downloads.ts';
import { createModelStore } from '../../recogniser/model-store.ts';
import { createWorkspaces } from '../../workspace/create-workspaces.ts';
import { createImportProgress } from '../../shell/import-progress.ts';
import { createJobChangePublisher } from '../../shell/job-change-publisher.ts';

export interface ContextOptions {
  readonly places: Places;
  readonly folder: DataFolder;
  readonly environment: Environment;
  readonly isPackaged: boolean;
}

/** Creates the foundation of the app: settings, log, services. Electron is ready at this point. */
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
  const events = createEventHub<typeof contract>(windows.listeners);
  const publishers = createEventPublishers(events);
  const capabilities = shellCapabilities({ platform: process.platform, hostVersion: process.versions['electronHost'] });
  const corrections = readCorrections(folder.root);
  if (corrections.complaints.length > 0) {
    log.write({ event: 'corrections-refused', level: 'warn', count: corrections.complaints.length });
  }
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
  const { wire } = corrections;
  /** Lives as long as the app, independently of any library: an address can be checked before there is a library. */
  const core = openServiceCore({
    connection: () => services.connection.sourceFor('service')(),
    log,
    allowsLoopbackHttp: !isPackaged,
    wire,
    grants,
    proxyOf,
  });
  const check = (baseUrl: string, key: Secret | null) => checkConnection(core, { kind: 'service', baseUrl, key, wire });
  const mediaTokens = createMediaTokens();
  const dictationFollowers = new Set<(change: TakeChange) => void>();
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
        wire,
        ...(mode === 'service' ? { core } : {}),
        log,
        wakes,
        onRestoring: (share) => events.emit('library.restoring', { share }),
        isOnline: () => network.isOnline(),
        onErased: (contents) => mediaTokens.forget(contents),
        onSpent: () => events.emit('usage.changed', {}),
        onDictation: (change) => {
          events.emit('dictation.changed', change);
          for (const follow of dictationFollowers) follow(change);
        },
        takeSoundDays: () => settings.get().takeSoundDays,
        syncsEdits: () => settings.get().syncsEdits,
        writingRules: () => ({
          replacements: settings.get().replacements,
          hasCommands: settings.get().obeysSpokenSigns,
        }),
        writingStyle: () => settings.get().dictationStyle,
        // A dialog must not interrupt the user in the middle of a sentence.
        admitsCleanUp: (characters) =>
          admitUnasked(settings, { requests: 1, audioMs: 0, characters, isRough: false }, Date.now()),
      }),
    check,
    accessMemory: openAccessFile(join(folder.root, 'access.json')),
    onBug: (thrown) => {
      log.write({ event: 'library-bug', level: 'error', row: 'E-230' });
      if (!isPackaged) console.error(thrown);
    },
    onJobsChanged(change) {
      publishers.jobs.publish(change);
      if (change.isWhole === true) events.emit('usage.changed', {});
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
    publishers,
    capabilities,
    corrections,
    core,
    check,
    mediaTokens,
    services,
    /** Subscribes to every change of a take of dictation. */
    followDictation(follow: (change: TakeChange) => void): void {
      dictationFollowers.add(follow);
    },
  };
}

/** Publishes changes that come in many parts: changed rows, and files that are being added. */
const createEventPublishers = (events: EventHub<typeof contract>) => ({
  jobs: createJobChangePublisher(events),
  adding: createImportProgress((progress) => events.emit('files.adding', progress)),
});
