import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { app, session } from 'electron';
import { z } from 'zod';
import { contract } from '../../shared/ipc/contract.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { checkConnection } from '../api/resources/connection-check.ts';
import { createCallLog } from '../app/call-log.ts';
import { setAppMenu } from '../app/app-menu.ts';
import { pageSettings } from '../app/handlers/app-handlers.ts';
import { createHandlers } from '../app/handlers/handlers.ts';
import { createLifecycle, reviveCrashedPage } from '../app/lifecycle.ts';
import { registerAppScheme, serveAppScheme } from '../app/security/app-scheme.ts';
import { childEnvironment, cleanEnvironment } from '../app/security/child-environment.ts';
import { findDangerousSwitch } from '../app/security/command-line.ts';
import { readBuiltFiles } from '../app/security/manifest.ts';
import { guardNavigation } from '../app/security/navigation.ts';
import { guardPermissions } from '../app/security/permissions.ts';
import { shellCapabilities } from '../app/shell-capabilities.ts';
import { followAppearance } from '../app/shell-theme.ts';
import { showNotice, showStartFailure } from '../app/show-notice.ts';
import { openStudioWindow } from '../app/studio-window.ts';
import { createKeyWindow } from '../app/windows/key-window.ts';
import { createOwnWindows } from '../app/windows/own-windows.ts';
import { createDispatcher } from '../ipc/dispatch.ts';
import { createEventHub } from '../ipc/events.ts';
import { closeForeignChannels, listen } from '../ipc/listen.ts';
import { createRateLimiter } from '../ipc/rate-limit.ts';
import { isTrustedSender } from '../ipc/sender-policy.ts';
import { practiceByUtilityProcess } from '../platform/electron/practice-utility.ts';
import { watchNetwork } from '../platform/electron/network-status.ts';
import { openSettings } from '../platform/electron/settings-electron-store.ts';
import { createKeytarStore } from '../platform/keychain/keytar-store.ts';
import { readBundledSamples } from '../platform/node/bundled-samples.ts';
import { locateDataFolder, prepareDataFolder } from '../platform/node/data-folder.ts';
import { filePort } from '../platform/node/file-port.ts';
import { openJsonLog } from '../platform/node/json-log.ts';
import { openPeaksFolder } from '../platform/node/peaks-folder.ts';
import { createFileTokens } from '../services/media/file-tokens.ts';
import { createMediaTokens } from '../services/media/media-tokens.ts';
import { firstLanguage } from '../services/settings/first-language.ts';
import { defaultSettings } from '../services/settings/stored-settings.ts';
import { readEnvironment } from '../services/settings/environment.ts';
import { openLibrary } from './compose/open-library.ts';
import { createStudioServices } from './compose/studio-services.ts';

const { isPackaged } = app;
const built = (...path: string[]) => join(import.meta.dirname, '..', ...path);
const asset = (...path: string[]) => join(import.meta.dirname, '..', '..', 'assets', ...path);

// No code is made from text in main, not even by a library that could be faster that way (S-03).
z.config({ jitless: true });
process.umask(0o077);
const environment = readEnvironment(process.env, isPackaged);
const folder = locateDataFolder(environment.dataDir);
const refusedSwitch = isPackaged ? findDangerousSwitch(process.argv) : null;

if (refusedSwitch !== null) {
  console.error(`Ovoz Studio does not start with ${refusedSwitch.split('=')[0]}`);
  app.exit(2);
} else if (!isDataFolderReady()) {
  void app.whenReady().then(() => {
    console.error(showStartFailure(makeFailure('E-185'), firstLanguage(app.getPreferredSystemLanguages())));
    app.exit(1);
  });
} else {
  app.setPath('userData', folder.root);
  app.setPath('sessionData', folder.browser);
  // One copy owns the library; the second one shows the first and leaves (E-183).
  if (app.requestSingleInstanceLock()) start();
  else app.exit(0);
}

function isDataFolderReady(): boolean {
  try {
    prepareDataFolder(folder);
    return true;
  } catch {
    return false;
  }
}

function start(): void {
  cleanEnvironment(process.env, isPackaged);
  app.enableSandbox();
  registerAppScheme();
  guardNavigation(app);
  // No part of the app uses the microphone yet.
  app.on('session-created', (created) => guardPermissions(created, () => false));
  // Not awaited at the top: Electron is ready only after this module has been read.
  app
    .whenReady()
    .then(open)
    .catch((error: unknown) => {
      console.error(error);
      app.exit(1);
    });
}

async function open(): Promise<void> {
  const log = openJsonLog(join(folder.logs, 'studio.log'));
  log.write({ event: 'app-start' });
  const settings = openSettings({
    folder: folder.root,
    defaults: { ...defaultSettings, interfaceLanguage: firstLanguage(app.getPreferredSystemLanguages()) },
    onUnsaved: () => log.write({ event: 'settings-not-saved', level: 'warn' }),
  });
  closeForeignChannels();

  const windows = createOwnWindows();
  const events = createEventHub<typeof contract>(windows.listeners);
  const fileTokens = createFileTokens();
  const mediaTokens = createMediaTokens();
  const peaks = openPeaksFolder(folder.peaks);
  const capabilities = shellCapabilities({ platform: process.platform, hostVersion: process.versions['electronHost'] });

  const network = watchNetwork();
  const { keys, libraries, connection } = createStudioServices({
    settings,
    environment,
    isPackaged,
    secrets: createKeytarStore({ onLateRead: (account, read) => keys.acceptLate(account, read) }),
    network,
    startPractice: practiceByUtilityProcess(built('main', 'practice.js'), childEnvironment(process.env)),
    practiceFolder: folder.practiceService,
    openLibrary: (kind, source) =>
      openLibrary({
        kind,
        source,
        dataDir: folder.root,
        allowsLoopbackHttp: !isPackaged,
        log,
        // The practice service is on this computer and needs no network.
        isOnline: kind === 'practice' ? () => true : () => network.isOnline(),
      }),
    onBug: (thrown) => {
      log.write({ event: 'library-bug', level: 'error', row: 'E-230' });
      if (!isPackaged) console.error(thrown);
    },
    onJobsChanged: (change) =>
      events.emit('jobs.changed', { ...change, jobs: [...change.jobs], removedIds: [...change.removedIds] }),
  });

  const schemeSources = {
    builtFiles: await readBuiltFiles(built('renderer')),
    mediaPath: (token: string) => mediaTokens.resolve(token)?.path ?? null,
    readPeaks: async (token: string) => {
      const media = mediaTokens.resolve(token);
      return media === null ? null : peaks.read(media.sha256);
    },
  };
  guardPermissions(session.defaultSession, () => false);
  serveAppScheme(session.defaultSession, schemeSources);

  const rate = createRateLimiter({ burst: 400, perSecond: 200 }, () => performance.now());
  const forget = (windowId: number) => {
    fileTokens.releaseWindow(windowId);
    rate.forget(windowId);
  };
  const keyWindow = createKeyWindow({
    preload: built('preload', 'key.cjs'),
    keys,
    settings,
    parent: windows.studio,
    prepareSession: (own) => {
      guardPermissions(own, () => false);
      serveAppScheme(own, { ...schemeSources, mediaPath: () => null, readPeaks: async () => null });
    },
    onOpened: (window) => windows.add('key', window, forget),
  });

  const report = createCallLog(
    log,
    () => performance.now(),
    (method, thrown) => {
      if (!isPackaged) console.error(method, thrown);
    },
  );
  listen({
    isTrusted: (sender, page) => isTrustedSender(sender, page, windows.pageOf),
    dispatch: createDispatcher({
      contract,
      isTrusted: (sender) => isTrustedSender(sender, 'studio', windows.pageOf),
      rate,
      checksOutput: !isPackaged,
      now: () => performance.now(),
      newBugId: () => randomUUID().slice(0, 8),
      report,
      handlers: createHandlers({
        version: app.getVersion(),
        capabilities,
        settings,
        keys,
        connection,
        checkConnection: async (baseUrl) => {
          const report = await checkConnection({
            kind: 'service',
            baseUrl,
            key: keys.current(),
            allowsLoopbackHttp: !isPackaged,
            log,
          });
          return { ...report, products: [...report.products] };
        },
        libraries,
        fileTokens,
        mediaTokens,
        peaks,
        samples: () => readBundledSamples(asset('samples')),
        saveText: (path, text) => filePort.writeWhole(path, text),
        openKeyWindow: () => keyWindow.open(),
        windowOf: windows.windowOf,
      }),
    }),
    takeFile: (path, windowId) => fileTokens.issue(windowId, path),
    answerKeyWindow: (message) => keyWindow.answer(message),
  });

  connection.onChanged((state) => events.emit('connection.changed', state));
  followAppearance(settings);
  const applySettings = () => {
    const stored = settings.get();
    events.emit('settings.changed', pageSettings(stored, connection.describe().serviceAddress));
    setAppMenu(stored.interfaceLanguage, (command) => events.emit('command.invoked', { command }));
  };
  settings.onChanged(applySettings);
  applySettings();

  const lifecycle = createLifecycle({
    settings: () => settings.get(),
    uploadCount: () => libraries.list().jobs.filter(({ state }) => state.tag === 'uploading').length,
    stop: async () => {
      keyWindow.close();
      await connection.stop();
      log.write({ event: 'app-stop' });
    },
    unansweredMeansQuit: environment.dataDir !== null,
  });
  lifecycle.watchApp(windows.studio);

  const openWindow = () => {
    const window = openStudioWindow({
      inside: { preload: built('preload', 'index.cjs'), devTools: !isPackaged },
      icon: asset('icons', 'icon.png'),
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
  app.on('second-instance', () => {
    const window = windows.studio() ?? openWindow();
    if (window.isMinimized()) window.restore();
    window.focus();
  });

  // The window is opened before the library and the keychain have answered; events bring what they say.
  const window = openWindow();
  await connection.resume();
  const library = libraries.current();
  const notices = [settings.wasReset ? makeFailure('E-186') : null, library.ok ? library.value.notice : null];
  for (const notice of notices) if (notice !== null) await showNotice(window, notice, settings.get().interfaceLanguage);
}
