import { randomUUID } from 'node:crypto';
import { app } from 'electron';
import { noRate } from '../../../shared/domain/ledger/expected-cost.ts';
import { contract } from '../../../shared/ipc/contract.ts';
import type { OverlayAction } from '../../../shared/ipc/overlay.ts';
import type { Capabilities } from '../../../shared/ipc/schemas.ts';
import type { ConnectionReport } from '../../api/resources/connection-check.ts';
import type { Secret } from '../../secret/secret.ts';
import { askSpend } from '../../shell/ask-spend.ts';
import { readCreditRate } from '../../shell/credit-rate.ts';
import { createCallLog } from '../../shell/call-log.ts';
import { createHandlers } from '../../shell/handlers/handlers.ts';
import { createStreamHandlers } from '../../shell/handlers/stream-handlers.ts';
import type { HandlerServices, WindowServices } from '../../shell/handlers/handler-services.ts';
import { createKeyWindow } from '../../shell/windows/key-window.ts';
import { createOverlay } from '../../shell/windows/overlay-window.ts';
import type { createOwnWindows } from '../../shell/windows/own-windows.ts';
import { createDispatcher } from '../../ipc/dispatch.ts';
import { listen } from '../../ipc/listen.ts';
import { createStreams } from '../../ipc/streams.ts';
import { createRateLimiter } from '../../ipc/rate-limit.ts';
import { isTrustedSender } from '../../ipc/sender-policy.ts';
import { readBundledSamples } from '../../platform/node/bundled-samples.ts';
import { libraryRootOf } from '../../storage/library-location.ts';
import { filePort } from '../../platform/node/file-port.ts';
import type { JsonLog } from '../../platform/node/json-log.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import { createIntake } from '../../services/intake/intake.ts';
import { sendsByLegacy } from '../../services/secrets/key-service.ts';
import { createUserActivations, createPaidActions } from '../../services/spend/paid-actions.ts';
import { createSigningSecret } from '../../services/webhooks/webhook-service.ts';
import { createSpendGuard } from '../../services/spend/spend-guard.ts';
import { createOldRows } from '../../services/storage/old-rows.ts';
import { createTextParts } from '../../services/transcripts/text-parts.ts';
import type { StorageService } from '../../services/storage/storage-service.ts';
import type { Places } from './places.ts';
import type { Corrections } from '../../workspace/read-corrections.ts';
import type { Workspaces } from '../../workspace/create-workspaces.ts';

export interface RegisterIpcOptions {
  readonly places: Places;
  readonly isPackaged: boolean;
  readonly log: JsonLog;
  readonly settings: SettingsStore;
  readonly services: Workspaces;
  readonly storage: StorageService;
  readonly dataRoot: string;
  readonly corrections: Corrections;
  readonly models: HandlerServices['models'];
  readonly collectDiagnostics: () => Promise<string>;
  readonly retryCopies: () => Promise<void>;
  readonly listJobs: HandlerServices['listJobs'];
  readonly publishFinding: WindowServices['publishFinding'];
  readonly toggleDictation: () => void;
  /** Audio of dictation as it comes from the microphone. */
  readonly hearDictation: (pcm: Int16Array) => void;
  readonly noteMicrophoneGone: (device: string) => void;
  readonly noteSaved: (isSaved: boolean) => void;
  readonly onOverlayAction: (does: OverlayAction) => void;
  readonly onOverlayHidden: () => void;
  readonly dictationReach: WindowServices['dictationReach'];
  readonly tryPaste: WindowServices['tryPaste'];
  readonly publishMove: WindowServices['publishMove'];
  readonly publishTake: WindowServices['publishTake'];
  /** A signing secret was typed; `suffix` is its end. */
  readonly tellSigning: (suffix: string) => void;
  readonly adding: WindowServices['adding'];
  /** Free reads of an address with a key. */
  readonly check: (baseUrl: string, key: Secret | null) => Promise<ConnectionReport>;
  /** Whether the legacy routes accept the key that was entered for them. */
  readonly checkLegacy: (baseUrl: string) => Promise<'accepted' | 'refused' | 'not-checked' | null>;
  readonly windows: ReturnType<typeof createOwnWindows>;
  readonly files: Pick<WindowServices, 'fileTokens' | 'mediaTokens' | 'waveforms'>;
  readonly capabilities: Capabilities;
  readonly menu: WindowServices['menu'];
  readonly prepareKeySession: (session: Electron.Session) => void;
}

/** Registers the channels: the requests of the main window, and the one message of the key window. */
export function registerIpc(options: RegisterIpcOptions) {
  const { places, isPackaged, log, settings, windows, capabilities } = options;
  const { keys, legacyKeys, accountTokens, workspaces, connection, access } = options.services;
  const { fileTokens, mediaTokens, waveforms } = options.files;

  const activations = createUserActivations(() => Date.now());
  const textParts = createTextParts();
  const guard = createSpendGuard({
    settings,
    now: () => Date.now(),
    confirm: (windowId, question) => {
      const library = workspaces.current();
      const rate = library.ok ? readCreditRate(library.value, Date.now()) : noRate;
      return askSpend(windows.windowOf(windowId), question, settings.get().interfaceLanguage, rate);
    },
    log,
  });
  const paid = createPaidActions({ guard, activations });
  const intake = createIntake({
    library: () => workspaces.opened(),
    paid,
    fileTokens,
    samples: () => readBundledSamples(places.asset('samples')),
    isNeverAsked: () => settings.get().spendLimitMinutes === null,
    usesLegacy: () => sendsByLegacy(settings, legacyKeys),
  });
  const rate = createRateLimiter({ burst: 400, perSecond: 200 }, () => performance.now());
  const fileRate = createRateLimiter({ burst: 50_000, perSecond: 2_000 }, () => performance.now());
  const forget = (windowId: number) => {
    fileRate.forget(windowId);
    fileTokens.releaseWindow(windowId);
    textParts.releaseWindow(windowId);
    rate.forget(windowId);
    activations.forget(windowId);
    streams.closeWindow(windowId);
  };
  const signing = createSigningSecret(options.tellSigning);
  const keyWindow = createKeyWindow({
    preload: places.built('preload', 'key.cjs'),
    keys: {
      current: keys,
      legacy: legacyKeys,
      account: accountTokens,
      signing,
    },
    settings,
    parent: windows.studio,
    prepareSession: options.prepareKeySession,
    onOpened: (window) => windows.add('key', window, forget),
  });

  const overlay = createOverlay({
    preload: places.built('preload', 'overlay.cjs'),
    settings,
    onOpened: (window) => windows.add('overlay', window, forget),
    onStop: options.toggleDictation,
    onAction: options.onOverlayAction,
    onHide: options.onOverlayHidden,
  });

  const report = createCallLog(
    log,
    () => performance.now(),
    (method, thrown) => {
      if (!isPackaged) console.error(method, thrown);
    },
  );
  const streams = createStreams({
    contract,
    handlers: createStreamHandlers({
      workspaces,
      keys,
      settings,
      window: {
        fileTokens,
        mediaTokens,
        paid,
        publishTake: options.publishTake,
        hearDictation: options.hearDictation,
        noteMicrophoneGone: options.noteMicrophoneGone,
        windowOf: windows.windowOf,
      },
    }),
    isTrusted: (sender) => isTrustedSender(sender, 'studio', windows.pageOf),
    rate,
    checksOutput: !isPackaged,
    now: () => performance.now(),
    newBugId: () => randomUUID().slice(0, 8),
    report,
  });
  listen({
    grantStream: streams.grant,
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
        settings,
        keys,
        legacyKeys,
        accountTokens,
        signingSecret: signing.current,
        connection,
        corrections: {
          places: [...options.corrections.corrected],
          complaints: [...options.corrections.complaints],
        },
        models: options.models,
        collectDiagnostics: options.collectDiagnostics,
        retryCopies: options.retryCopies,
        checkConnection: async (baseUrl) => {
          const inUse = connection.readAddress('');
          // Concurrent checks of the address in use share one answer.
          const shared = inUse.ok && inUse.value === baseUrl ? await access.recheck() : null;
          const legacyKey = await options.checkLegacy(baseUrl);
          const { service, key, products, failure } = shared ?? (await options.check(baseUrl, keys.current()));
          return { service, key, products, failure, ...(legacyKey === null ? {} : { legacyKey }) };
        },
        workspaces,
        storage: options.storage,
        oldRows: createOldRows({ library: () => workspaces.opened(), now: () => Date.now() }),
        dataRoot: options.dataRoot,
        libraryRoot: () => libraryRootOf(options.dataRoot),
        listJobs: options.listJobs,
        noisySample: places.asset('noisy', 'street-uz.mp3'),
        saveText: (path, text) => filePort.writeWhole(path, text),
        window: {
          capabilities,
          publishFinding: options.publishFinding,
          publishMove: options.publishMove,
          publishTake: options.publishTake,
          fileTokens,
          intake,
          adding: options.adding,
          mediaTokens,
          textParts,
          waveforms,
          paid,
          activations,
          openKeyWindow: (purpose) => keyWindow.open(purpose),
          windowOf: windows.windowOf,
          menu: options.menu,
          dictationReach: options.dictationReach,
          tryPaste: options.tryPaste,
          hearDictation: options.hearDictation,
          noteMicrophoneGone: options.noteMicrophoneGone,
          noteSaved: options.noteSaved,
        },
      }),
    }),
    fileRate,
    issueFileToken: fileTokens.issue,
    answerKeyWindow: (message) => keyWindow.answer(message),
    answerOverlay: (message) => overlay.answer(message),
  });
  return { keyWindow, overlay, forget, intake, usesMicrophone: streams.usesMicrophone };
}
