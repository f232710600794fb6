import '../../shell/security/disable-eval.ts';
import { pathToFileURL } from 'node:url';
import { app, session } from 'electron';
import { pageSettings } from '../../shell/handlers/app-handlers.ts';
import { createQueueSignals } from '../../shell/when-done/queue-signals.ts';
import { createLifecycle, reviveCrashedPage } from '../../shell/lifecycle.ts';
import { createListJobs } from '../../shell/list-jobs.ts';
import { serveAppScheme } from '../../shell/security/app-scheme.ts';
import { readBuiltFiles } from '../../shell/security/manifest.ts';
import { guardPermissions } from '../../shell/security/permissions.ts';
import { followAppearance, openStudioWindow } from '../../shell/studio-window.ts';
import { closeForeignChannels } from '../../ipc/listen.ts';
import { clearBrowserData } from '../../platform/electron/system.ts';
import { checkLegacyKey } from '../../api/resources/connection-check.ts';
import { openPeaksFolder } from '../../platform/node/audio-folder.ts';
import { createPeaksReader } from '../../platform/node/audio/read-peaks.ts';
import { openStorageFolder } from '../../storage/storage-folder.ts';
import { createFileTokens } from '../../services/media/file-tokens.ts';
import { createWaveforms } from '../../services/media/waveforms.ts';
import { sendsByLegacy } from '../../services/secrets/key-service.ts';
import { createStorageService } from '../../services/storage/storage-service.ts';
import { answerTools } from './answer-tools.ts';
import { createAutomation } from './automation.ts';
import { dictateAnywhere } from './dictate-anywhere.ts';
import { dictationOverlay } from './dictation-overlay.ts';
import { createContext, type ContextOptions } from './create-context.ts';
import { playbackAnywhere } from './playback-anywhere.ts';
import { registerIpc } from './register-ipc.ts';
import { collectDiagnostics } from './collect-diagnostics.ts';
import { openShellSurfaces } from './shell-surfaces.ts';

/** Wires the app together and opens its window. */
export async function startWindow(options: ContextOptions): Promise<void> {
  const { places, folder, environment, isPackaged } = options;
  await app.whenReady();
  const prepared = createContext(options);
  const { settings, log, windows, events, publishers, capabilities, corrections, core, check, mediaTokens, services } =
    prepared;
  const { keys, workspaces, connection } = services;
  closeForeignChannels();

  const fileTokens = createFileTokens();
  const waveforms = createWaveforms({
    store: openPeaksFolder(folder.peaks),
    tokens: mediaTokens,
    read: createPeaksReader(pathToFileURL(places.built('main', 'peaks-worker.js'))),
  });
  const schemeSources = {
    builtFiles: await readBuiltFiles(places.built('renderer')),
    mediaPath: (token: string) => mediaTokens.resolve(token)?.path ?? null,
    openPeaks: async (token: string) => {
      const media = mediaTokens.resolve(token);
      return media === null ? null : waveforms.open(media);
    },
  };
  let usesMicrophone = () => false;
  guardPermissions(session.defaultSession, () => usesMicrophone());
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
    workspaces: () => workspaces,
    showWindow,
    invoke: (command) => events.emit('command.invoked', { command }),
  });

  const signals = createQueueSignals({
    window: windows.studio,
    language: () => settings.get().interfaceLanguage,
    settings: () => settings.get(),
    onOpen: (transcriptId) => {
      showWindow();
      if (transcriptId !== null) events.emit('transcript.wanted', { transcriptId });
    },
  });
  const automation = createAutomation({
    settings,
    workspaces: () => workspaces,
    usesLegacy: () => sendsByLegacy(settings, services.legacyKeys),
  });
  const toggleDictation = () => events.emit('command.invoked', { command: 'dictation.toggle' });
  let overlay: ReturnType<typeof dictationOverlay> | null = null;
  const anywhere = dictateAnywhere({
    settings,
    workspaces,
    toggle: toggleDictation,
    onBegun: (program) => overlay?.begin(program),
    onDelivered: (delivered) => overlay?.noteDelivery(delivered),
    hasGlobalKeys: capabilities.globalKeys,
  });
  const playback = playbackAnywhere({
    settings,
    hasGlobalKeys: capabilities.globalKeys,
    run: (command) => events.emit('command.invoked', { command }),
  });
  prepared.followDictation((change) => {
    anywhere.follow(change);
    overlay?.follow(change);
  });
  publishers.jobs.follow((change) => {
    surfaces.tray.follow(change);
    signals.follow(change);
    automation.follow(change);
  });

  const pages = registerIpc({
    places,
    isPackaged,
    log,
    settings,
    services,
    storage: createStorageService({
      files: openStorageFolder(folder),
      connection,
      workspaces,
      keys: {
        forget: async () => {
          const others = await Promise.all([services.legacyKeys.forget(), services.accountTokens.forget()]);
          return others.find(({ ok }) => !ok) ?? keys.forget();
        },
      },
      settings,
      clearBrowserData,
    }),
    dataRoot: folder.root,
    retryCopies: () => automation.retryCopies(),
    toggleDictation,
    hearDictation: (pcm) => overlay?.hear(pcm),
    noteSaved: (isSaved) => lifecycle.noteSaved(isSaved),
    noteMicrophoneGone: (device) => overlay?.noteGone(device),
    onOverlayAction: (does) => {
      overlay?.dismiss();
      if (does === 'start') toggleDictation();
      else void anywhere.pasteLast();
    },
    onOverlayHidden: () => overlay?.hide(),
    dictationReach: anywhere.describe,
    tryPaste: anywhere.tryPaste,
    listJobs: createListJobs({ list: () => workspaces.list(), lastNumber: publishers.jobs.lastNumber }),
    adding: publishers.adding,
    publishFinding: (progress) => events.emit('library.finding', progress),
    publishMove: (progress) => events.emit('storage.moving', progress),
    publishTake: (payload) => events.emit('speak.takeChanged', payload),
    tellSigning: (maskedSuffix) => events.emit('webhooks.secretTyped', { maskedSuffix }),
    check,
    checkLegacy: (baseUrl) =>
      checkLegacyKey(core, {
        kind: 'service',
        baseUrl,
        key: services.legacyKeys.current(),
        wire: corrections.wire,
      }),
    corrections,
    models: prepared.models,
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
    files: { fileTokens, mediaTokens, waveforms },
    capabilities,
    menu: {
      ...surfaces.menu,
      setAvailable: (commands, names) => {
        surfaces.menu.setAvailable(commands, names);
        playback.setAvailable(commands);
      },
    },
    prepareKeySession: (own) => {
      guardPermissions(own);
      serveAppScheme(own, { ...schemeSources, mediaPath: () => null, openPeaks: async () => null });
    },
  });

  const { keyWindow, forget, intake } = pages;
  const endTools = answerTools({ dataRoot: folder.root, settings, intake, showWindow });
  usesMicrophone = pages.usesMicrophone;
  if (anywhere.canOverlay) overlay = dictationOverlay(settings, pages.overlay, anywhere.workingKey);

  connection.onChanged((state) => events.emit('connection.changed', state));
  followAppearance(settings);
  const applySettings = () => {
    const stored = settings.get();
    events.emit('settings.changed', pageSettings(stored, connection.describe().serviceAddress));
    const library = workspaces.current();
    if (library.ok) library.value.jobs.setUploadsAtOnce(stored.uploadsAtOnce);
    surfaces.refresh();
    anywhere.refresh();
    playback.refresh();
    overlay?.refresh();
    signals.refresh();
    automation.refresh();
  };
  settings.onChanged(applySettings);

  const lifecycle = createLifecycle({
    settings: () => settings.get(),
    uploadCount: () => workspaces.list().jobs.filter(({ state }) => state.tag === 'uploading').length,
    stop: async () => {
      keyWindow.close();
      overlay?.close();
      endTools();
      surfaces.tray.close();
      signals.close();
      await automation.close();
      await connection.stop();
      log.write({ event: 'app-stop' });
    },
    askToSave: () => events.emit('window.leaving', {}),
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
    window.once('closed', () => playback.setAvailable([]));
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

  // The window opens before the library and the keychain have answered; events deliver the results. The menus are built
  // while the browser creates its page.
  openWindow();
  applySettings();
  await connection.resume();
}
