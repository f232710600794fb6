import '../../shell/security/disable-eval.ts';
import { failureNumbers } from '../../../shared/result/failure-kinds.ts';
import { app, session, systemPreferences, type BrowserWindow } from 'electron';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandId } from '../../../shared/domain/commands/command-list.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf, type ModeId } from '../../../shared/domain/modes.ts';
import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { checkLegacyKey } from '../../service/connection-check.ts';
import { closeForeignChannels } from '../../ipc/listen.ts';
import { clearBrowserData } from '../../platform/electron/system.ts';
import { openPeaksFolder } from '../../platform/node/audio-folder.ts';
import { createDecoder } from '../../platform/node/audio/decoder-threads.ts';
import { exportDisk } from '../../platform/node/export-disk.ts';
import { serveStudioSocket } from '../../platform/node/studio-socket.ts';
import { walkFiles } from '../../platform/node/walk-files.ts';
import { copyFolder, createWatchPort } from '../../platform/node/watch-folder.ts';
import { pageSettings } from '../../sections/app.ts';
import { createAutoExport, createFolderWatch } from '../../services/automation/automation.ts';
import type { Intake } from '../../services/intake/intake.ts';
import type { JobsChange } from '../../queue/queue.ts';
import { createFileTokens } from '../../services/media/tokens.ts';
import { createWaveforms } from '../../services/media/waveforms.ts';
import { sendsByLegacy } from '../../services/secrets/key-service.ts';
import type { SettingsStore } from '../../services/settings/stored-settings.ts';
import { createStorageService } from '../../services/storage/storage-service.ts';
import { answerOf, studioRequest, type QueuedFiles, type QueueRequest } from '../../services/tools/studio-messages.ts';
import type { SpendGuard } from '../../services/spend/spend-guard.ts';
import { createToolConsent, type ToolSession } from '../../services/tools/tool-consent.ts';
import { createAppMenu } from '../../shell/app-menu.ts';
import { askTools } from '../../shell/ask-user.ts';
import { createLifecycle, reviveCrashedPage } from '../../shell/lifecycle.ts';
import { serveAppScheme } from '../../shell/security/app-scheme.ts';
import { readBuiltFiles } from '../../shell/security/manifest.ts';
import { guardPermissions } from '../../shell/security/permissions.ts';
import type { Capabilities } from '../../shell/shell-capabilities.ts';
import { followAppearance, openStudioWindow } from '../../shell/studio-window.ts';
import { openStudioTray } from '../../shell/tray/studio-tray.ts';
import type { TrayAction } from '../../shell/tray/tray-entries.ts';
import { createQueueSignals } from '../../shell/when-done/queue-signals.ts';
import { openStorageFolder } from '../../storage/storage-folder.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';
import { collectDiagnostics } from './collect-diagnostics.ts';
import { createContext, type ContextOptions, type AppPaths } from './create-context.ts';
import { dictateAnywhere, dictationOverlay } from './dictate-anywhere.ts';
import { playbackAnywhere } from './playback-anywhere.ts';
import { registerIpc } from './register-ipc.ts';

export async function startWindow(options: ContextOptions): Promise<void> {
  const { places, folder, environment, isPackaged } = options;
  await app.whenReady();
  const prepared = createContext(options);
  const { settings, log, windows, events, capabilities, core, check, mediaTokens, services } = prepared;
  const { keys, workspaces, connection } = services;
  closeForeignChannels();

  const fileTokens = createFileTokens();
  const decoder = createDecoder(pathToFileURL(places.built('main', 'decoder-worker.js')));
  const waveforms = createWaveforms({
    store: openPeaksFolder(folder.peaks),
    tokens: mediaTokens,
    read: decoder.readPeaks,
  });
  const schemeSources = {
    builtFiles: await readBuiltFiles(places.built('renderer')),
    mediaPath: (token: string) => mediaTokens.resolve(token)?.path ?? null,
    openPeaks: async (token: string) => {
      const media = mediaTokens.resolve(token);
      return media === null ? null : waveforms.open(media);
    },
    openSamples: decoder.openSamples,
  };
  let usesMicrophone = () => false;
  const askSystem = capabilities.platform === 'darwin' ? () => systemPreferences.askForMediaAccess('microphone') : null;
  guardPermissions(session.defaultSession, () => usesMicrophone(), askSystem);
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
    hold: (isHeld) => void pages.hold(isHeld),
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
    mayTake: (file) => pages.paid.sendWatched(file, settings.get().includeSpeakers ? 'speakers' : 'transcribe'),
  });
  const toggleDictation = () => events.emit('command.invoked', { command: 'dictation.toggle' });
  const discardDictation = () => events.emit('command.invoked', { command: 'dictation.discard' });
  let overlay: ReturnType<typeof dictationOverlay> | null = null;
  const anywhere = dictateAnywhere({
    settings,
    workspaces,
    toggle: toggleDictation,
    discard: discardDictation,
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
  prepared.followJobs((change) => {
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
      forgetKeys: async () => {
        const others = await Promise.all([services.legacyKeys.forget(true), services.accountTokens.forget(true)]);
        return others.find(({ ok }) => !ok) ?? keys.forget(true);
      },
      settings,
      clearBrowserData,
    }),
    dataRoot: folder.root,
    retryCopies: () => automation.retryCopies(),
    toggleDictation,
    discardDictation,
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
    adding: prepared.adding,
    publishFinding: events.emits('library.finding'),
    publishMove: events.emits('storage.moving'),
    publishTake: events.emits('speak.takeChanged'),
    publishAsking: (isOpen) => events.emit('spend.asking', { isOpen }),
    tellSigning: (maskedSuffix) => events.emit('webhooks.secretTyped', { maskedSuffix }),
    check,
    checkLegacy: (baseUrl) => checkLegacyKey(core, { kind: 'service', baseUrl, key: services.legacyKeys.current() }),
    models: prepared.models,
    collectDiagnostics: () => {
      const { key, access, serviceAddress } = connection.describe();
      return collectDiagnostics({
        folder,
        app: { version: app.getVersion(), shell: 'window', isPackaged },
        settings: settings.get(),
        hasAddress: serviceAddress !== '',
        key,
        products: access.products,
      });
    },
    windows,
    fileTokens,
    mediaTokens,
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

  const { keyWindow, forget, intake, isUnpriced } = pages;
  const endTools = answerTools({ dataRoot: folder.root, settings, intake, isUnpriced, showWindow });
  usesMicrophone = pages.usesMicrophone;
  if (anywhere.canOverlay) overlay = dictationOverlay(settings, pages.overlay, anywhere.workingKey);

  connection.onChanged(events.emits('connection.changed'));
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
      (code) => log.write({ event: 'page-gone', level: 'error', row: failureNumbers['window-restarted'], code }),
    );
    return window;
  };
  // The Dock's icon brings back a window that went to the tray as well.
  app.on('activate', (_event, hasVisibleWindows) => void (hasVisibleWindows || showWindow()));
  app.on('second-instance', () => void showWindow());

  // The window opens before the library and the keychain have answered; events deliver the results.
  openWindow();
  applySettings();
  await connection.resume();
}

interface ShellSurfacesOptions {
  readonly places: AppPaths;
  readonly platform: Capabilities['platform'];
  readonly settings: SettingsStore;
  readonly workspaces: () => WorkspaceSwitch;
  readonly showWindow: () => BrowserWindow;
  readonly invoke: (id: CommandId) => void;
  readonly hold: (isHeld: boolean) => void;
}

function openShellSurfaces(options: ShellSurfacesOptions) {
  const { places, platform, settings, workspaces, showWindow, invoke, hold } = options;
  const menu = createAppMenu({ platform, settings: () => settings.get(), invoke, quit: () => app.quit() });

  const grant = (action: TrayAction) => {
    switch (action) {
      case 'open':
        showWindow();
        break;
      case 'quit':
        app.quit();
        break;
      case 'pause':
      case 'go-on':
        // When the disk can't store it, the window reports that, like every trouble of the queue.
        hold(action === 'pause');
        break;
      case 'send':
      case 'go-on-rows':
        // The window asks what it may cost.
        showWindow();
        invoke(action === 'send' ? 'queue.send' : 'queue.goOn');
        break;
    }
  };
  const tray = openStudioTray({
    icon: places.asset('icons', 'tray', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'),
    language: () => settings.get().interfaceLanguage,
    isLibraryOpen: () => workspaces().current().ok,
    isLocal: () => modeOf(settings.get().mode).origin === 'local',
    onAction: grant,
  });
  return {
    menu,
    tray,
    refresh(): void {
      menu.refresh();
      tray.refresh();
    },
  };
}

interface AnswerToolsOptions {
  readonly dataRoot: string;
  readonly settings: SettingsStore;
  readonly intake: Intake;
  readonly isUnpriced: SpendGuard['isUnpriced'];
  readonly showWindow: () => BrowserWindow;
}

/** The app answers the tool servers of this computer and asks the user for consent. */
function answerTools({ dataRoot, settings, intake, isUnpriced, showWindow }: AnswerToolsOptions): () => void {
  const consent = createToolConsent({
    settings: () => settings,
    now: () => Date.now(),
    // The costs in another mode are not those of the library that is open.
    isUnpriced: ({ estimate, mode }) => settings.get().mode !== mode || isUnpriced(estimate),
    ask: (request) => askTools(showWindow(), request, settings.get().interfaceLanguage),
  });

  const queue = async (
    { paths, language, includeSpeakers }: QueueRequest,
    { client, mode }: { readonly client: string | null; readonly mode: ModeId },
    session: ToolSession,
    signal: AbortSignal,
  ): Promise<Result<QueuedFiles>> => {
    // The queue of the other mode is not open, and files must never go to another service than the one intended.
    if (settings.get().mode !== mode) return err(makeFailure('nothing-open', { code: 'other_mode' }));
    const isAllowed = await consent.allow(
      {
        client,
        tool: 'library_queue_files',
        action: 'queue',
        // The queue itself counts what is sent, and asks again above the hourly limit.
        estimate: { requests: 0, audioMs: await lengthOf(paths), characters: 0, isRough: true },
        items: paths.map((path) => basename(path)),
        mode,
      },
      session,
    );
    if (!isAllowed.ok) return isAllowed;
    const adder = { windowId: showWindow().id, isByPerson: true, watch: { signal, onProgress: () => undefined } };
    const added = await intake.add(adder, { paths, options: { kind: 'transcribe', language, includeSpeakers } });
    if (!added.ok) return added;
    const { addedCount, repeatedCount, leftCount, refused } = added.value;
    return ok({
      added: addedCount,
      repeated: repeatedCount,
      left: leftCount,
      refused: refused.map(({ name, failure }) => ({ name, code: failure.code })),
    });
  };

  return serveStudioSocket(dataRoot, () => {
    const session: ToolSession = { maySpend: false };
    const gone = new AbortController();
    return {
      async answer(message) {
        const read = studioRequest().safeParse(message);
        if (!read.success) return { failure: makeFailure('ipc-refused', { code: 'unknown_request' }) };
        const request = read.data;
        return answerOf<unknown>(
          request.kind === 'consent'
            ? await consent.allow(request.request, session)
            : await queue(request, request, session, gone.signal),
        );
      },
      close: () => gone.abort(),
    };
  });
}

async function lengthOf(paths: readonly string[]): Promise<number> {
  const { files } = await walkFiles(paths);
  return files.reduce((sum, { path }) => sum + lengthBySize(statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

interface AutomationOptions {
  readonly settings: SettingsStore;
  readonly workspaces: () => WorkspaceSwitch;
  readonly usesLegacy: () => boolean;
  readonly mayTake: Parameters<typeof createFolderWatch>[0]['mayTake'];
}

function createAutomation({ settings, workspaces, usesLegacy, mayTake }: AutomationOptions) {
  const library = () => {
    const current = workspaces().current();
    return current.ok ? current.value : null;
  };
  const copies = createAutoExport({
    settings: () => {
      const {
        savesCopies,
        copyFolder: folder,
        copyFormats,
        copyTemplate,
        copyCollision,
        copiesSinceMs,
        exportChoices,
      } = settings.get();
      return {
        isOn: savesCopies,
        folder,
        formats: copyFormats,
        template: copyTemplate,
        collision: copyCollision,
        options: (format) => exportChoices[format] ?? {},
        sinceMs: copiesSinceMs,
      };
    },
    folders: copyFolder,
    disk: exportDisk,
  });
  const watch = createFolderWatch({
    settings: () => {
      const { watchFolders: folders, speechLanguage, includeSpeakers } = settings.get();
      return { folders, language: speechLanguage, includeSpeakers, isLegacy: usesLegacy() };
    },
    port: createWatchPort(),
    library,
    mayTake,
    now: Date.now,
  });
  return {
    follow(change: JobsChange): void {
      const open = library();
      if (open !== null) copies.follow(open, change.jobs);
      watch.refresh();
    },
    refresh(): void {
      const open = library();
      if (open !== null) copies.follow(open, open.jobs.list().jobs);
      watch.refresh();
    },
    async retryCopies(): Promise<void> {
      const open = library();
      if (open !== null) await copies.retry(open);
    },
    async close(): Promise<void> {
      await watch.close();
      await copies.close();
    },
  };
}
