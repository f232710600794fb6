import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, session } from 'electron';
import type { contract } from '../../../shared/ipc/contract.ts';
import { preferredLanguage } from '../../../shared/domain/languages.ts';
import { pageSettings } from '../../app/handlers/app-handlers.ts';
import { createQueueSignals } from '../../app/when-done/queue-signals.ts';
import { createLifecycle, reviveCrashedPage } from '../../app/lifecycle.ts';
import { createListJobs } from '../../app/list-jobs.ts';
import { serveAppScheme } from '../../app/security/app-scheme.ts';
import { childEnvironment } from '../../app/security/child-environment.ts';
import { readBuiltFiles } from '../../app/security/manifest.ts';
import { guardPermissions } from '../../app/security/permissions.ts';
import { shellCapabilities } from '../../app/shell-capabilities.ts';
import { followAppearance } from '../../app/shell-theme.ts';
import { openStudioWindow } from '../../app/studio-window.ts';
import { createOwnWindows } from '../../app/windows/own-windows.ts';
import { createEventHub } from '../../ipc/events.ts';
import { closeForeignChannels } from '../../ipc/listen.ts';
import { clearBrowserData } from '../../platform/electron/browser-data.ts';
import { practiceByUtilityProcess } from '../../platform/electron/practice-utility.ts';
import { systemWakes } from '../../platform/electron/system-wakes.ts';
import { watchNetwork } from '../../platform/electron/network-status.ts';
import { systemProxy } from '../../platform/electron/system-proxy.ts';
import { openSettings } from '../../platform/electron/settings-electron-store.ts';
import { createKeytarStore } from '../../platform/keychain/keytar-store.ts';
import type { DataFolder } from '../../platform/node/data-folder.ts';
import type { Secret } from '../../api/connection.ts';
import { checkConnection, checkOlderKey } from '../../api/resources/connection-check.ts';
import { openAccessFile } from '../../platform/node/access-file.ts';
import { openJsonLog } from '../../platform/node/json-log.ts';
import { keptLog } from '../../platform/node/kept-log.ts';
import { openPeaksFolder } from '../../platform/node/peaks-folder.ts';
import { openStorageFolder } from '../../platform/node/storage-folder.ts';
import { systemClientClock } from '../../api/core/clock.ts';
import { eitherWakes, watchWake } from '../../services/connection/wake-watch.ts';
import { createProxySource } from '../../services/connection/proxy-source.ts';
import { createFileTokens } from '../../services/media/file-tokens.ts';
import { createMediaTokens } from '../../services/media/media-tokens.ts';
import type { Environment } from '../../services/settings/environment.ts';
import { defaultSettings } from '../../services/settings/stored-settings.ts';
import { createStorageService } from '../../services/storage/storage-service.ts';
import { createAutomation } from './automation.ts';
import { tellPages } from './tell-pages.ts';
import { answerPages } from './answer-pages.ts';
import { openLibrary } from './open-library.ts';
import type { Places } from './places.ts';
import { collectDiagnostics } from './collect-diagnostics.ts';
import { readCorrections } from './read-corrections.ts';
import { openShellSurfaces } from './shell-surfaces.ts';
import { createStudioServices } from './studio-services.ts';

export interface OpenStudioOptions {
  readonly places: Places;
  readonly folder: DataFolder;
  readonly environment: Environment;
  readonly isPackaged: boolean;
}

/** Wires the app together and opens its window. Electron is ready by then. */
export async function openStudio({ places, folder, environment, isPackaged }: OpenStudioOptions): Promise<void> {
  // Nothing is written before it is known whether this person wants a log.
  let isLogKept = () => false;
  const log = keptLog(openJsonLog(join(folder.logs, 'studio.log')), () => isLogKept());
  const settings = openSettings({
    folder: folder.root,
    defaults: { ...defaultSettings, interfaceLanguage: preferredLanguage(app.getPreferredSystemLanguages()) },
    onUnsaved: () => log.write({ event: 'settings-not-saved', level: 'warn' }),
  });
  isLogKept = () => settings.get().keepsLog;
  log.write({ event: 'app-start' });
  closeForeignChannels();

  const windows = createOwnWindows();
  const events = createEventHub<typeof contract>(windows.listeners);
  const told = tellPages(events);
  const fileTokens = createFileTokens();
  const mediaTokens = createMediaTokens();
  const peaks = openPeaksFolder(folder.peaks);
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
  const check = (baseUrl: string, key: Secret | null) =>
    checkConnection({
      kind: 'service',
      baseUrl,
      key,
      allowsLoopbackHttp: !isPackaged,
      log,
      wire: corrections.wire,
      proxyOf,
    });
  const services = createStudioServices({
    settings,
    environment,
    isPackaged,
    secrets: createKeytarStore({
      onLateRead: (account, read) => {
        services.keys.acceptLate(account, read);
        services.olderKeys.acceptLate(account, read);
      },
    }),
    network,
    startPractice: practiceByUtilityProcess(places.built('main', 'practice.js'), childEnvironment(process.env)),
    practiceFolder: folder.practiceService,
    openLibrary: (kind, source) =>
      openLibrary({
        kind,
        source,
        proxyOf,
        soundWorker: pathToFileURL(places.built('main', 'sound.js')),
        readingWorker: pathToFileURL(places.built('main', 'reading.js')),
        concurrency: settings.get().uploadsAtOnce,
        dataDir: folder.root,
        allowsLoopbackHttp: !isPackaged,
        wire: corrections.wire,
        grants: {
          refused: (product, failure) => services.access.noteRefusal(product, failure),
          used: (product) => services.access.noteUse(product),
        },
        log,
        wakes,
        // The practice service is on this computer and needs no network.
        isOnline: kind === 'practice' ? () => true : () => network.isOnline(),
      }),
    check,
    accessMemory: openAccessFile(join(folder.root, 'access.json')),
    onBug: (thrown) => {
      log.write({ event: 'library-bug', level: 'error', row: 'E-230' });
      if (!isPackaged) console.error(thrown);
    },
    onJobsChanged: (change) => {
      if (change.isWhole) told.jobs.tellWhole(change.queue);
      else told.jobs.tell(change);
      surfaces.tray.follow(change);
      signals.follow(change);
      automation.follow(change);
    },
  });

  const { keys, libraries, connection } = services;

  const schemeSources = {
    builtFiles: await readBuiltFiles(places.built('renderer')),
    mediaPath: (token: string) => mediaTokens.resolve(token)?.path ?? null,
    readPeaks: async (token: string) => {
      const media = mediaTokens.resolve(token);
      return media === null ? null : peaks.read(media.sha256);
    },
  };
  guardPermissions(session.defaultSession, () => false);
  serveAppScheme(session.defaultSession, schemeSources);

  const showWindow = () => {
    const window = windows.studio() ?? openWindow();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return window;
  };
  const surfaces = openShellSurfaces({
    places,
    platform: capabilities.platform,
    settings,
    libraries: () => libraries,
    showWindow,
    invoke: (command) => events.emit('command.invoked', { command }),
  });

  const signals = createQueueSignals({
    window: windows.studio,
    language: () => settings.get().interfaceLanguage,
    wishes: () => settings.get(),
    onOpen: (transcriptId) => {
      showWindow();
      if (transcriptId !== null) events.emit('transcript.wanted', { transcriptId });
    },
  });
  const automation = createAutomation({ settings, libraries: () => libraries });

  const { keyWindow, forget } = answerPages({
    places,
    isPackaged,
    log,
    settings,
    services,
    storage: createStorageService({
      files: openStorageFolder(folder),
      connection,
      libraries,
      keys,
      settings,
      clearBrowserData,
    }),
    dataRoot: folder.root,
    listJobs: createListJobs({ list: () => libraries.list(), lastNumber: told.jobs.lastNumber }),
    adding: told.adding,
    tellMove: (progress) => events.emit('storage.moving', progress),
    check,
    checkOlder: (baseUrl) =>
      checkOlderKey({
        kind: 'service',
        baseUrl,
        key: services.olderKeys.current(),
        allowsLoopbackHttp: !isPackaged,
        log,
        proxyOf,
      }),
    corrections,
    collectDiagnostics: () => {
      const { key, access, serviceAddress } = connection.describe();
      return collectDiagnostics({
        folder,
        app: { version: app.getVersion(), shell: 'window', isPackaged },
        settings: settings.get(),
        hasAddress: serviceAddress !== '',
        key,
        corrections,
        products: access.products,
      });
    },
    windows,
    files: { fileTokens, mediaTokens, peaks },
    capabilities,
    menu: surfaces.menu,
    prepareKeySession: (own) => {
      guardPermissions(own, () => false);
      serveAppScheme(own, { ...schemeSources, mediaPath: () => null, readPeaks: async () => null });
    },
  });

  connection.onChanged((state) => events.emit('connection.changed', state));
  followAppearance(settings);
  const applySettings = () => {
    const stored = settings.get();
    events.emit('settings.changed', pageSettings(stored, connection.describe().serviceAddress));
    const library = libraries.current();
    if (library.ok) library.value.jobs.setUploadsAtOnce(stored.uploadsAtOnce);
    surfaces.refresh();
    signals.refresh();
    automation.refresh();
  };
  settings.onChanged(applySettings);

  const lifecycle = createLifecycle({
    settings: () => settings.get(),
    uploadCount: () => libraries.list().jobs.filter(({ state }) => state.tag === 'uploading').length,
    stop: async () => {
      keyWindow.close();
      surfaces.tray.close();
      told.jobs.stop();
      signals.close();
      await automation.close();
      await connection.stop();
      log.write({ event: 'app-stop' });
    },
    canHide: () => surfaces.tray.isThere,
    unansweredMeansQuit: environment.dataDir !== null,
  });
  lifecycle.watchApp(windows.studio);

  const openWindow = () => {
    const window = openStudioWindow({
      inside: { preload: places.built('preload', 'index.cjs'), devTools: !isPackaged },
      icon: capabilities.shell === 'electron' ? places.asset('icons', 'icon.png') : null,
      hasOwnControls: capabilities.windowControls,
      settings,
      keys,
      events,
    });
    windows.add('studio', window, forget);
    lifecycle.watchWindow(window);
    reviveCrashedPage(
      window,
      () => settings.get(),
      (code) => log.write({ event: 'page-gone', level: 'error', row: 'E-206', code }),
    );
    return window;
  };
  app.on('activate', () => void (windows.studio() ?? openWindow()));
  app.on('second-instance', () => void showWindow());

  // The window is opened before the library and the keychain have answered; events bring what they say. The menus are
  // made while the browser makes its page.
  openWindow();
  applySettings();
  await connection.resume();
}
