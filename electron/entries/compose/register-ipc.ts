import { randomUUID } from 'node:crypto';
import { app as electronApp } from 'electron';
import { noRate } from '../../../shared/domain/ledger/expected-cost.ts';
import type { AudioWork } from '../../../shared/domain/spend/spend-limit.ts';
import type { OverlayAction } from '../../ipc/overlay.ts';
import type { ConnectionReport } from '../../service/connection-check.ts';
import { Secret } from '../../secret/secret.ts';
import { askSpend } from '../../shell/ask-user.ts';
import { readCreditRate } from '../../shell/credit-rate.ts';
import { createCallLog } from '../../shell/call-log.ts';
import { createProcedures, createStreamProcedures } from '../../sections/procedures.ts';
import type { App } from '../../sections/context.ts';
import { createKeyWindow } from '../../shell/windows/key-window.ts';
import { createOverlay } from '../../shell/windows/overlay-window.ts';
import type { createOwnWindows } from '../../shell/windows/create-window.ts';
import { createDispatcher, createRateLimiter } from '../../ipc/dispatch.ts';
import { listen } from '../../ipc/listen.ts';
import { createStreams } from '../../ipc/streams.ts';
import { isTrustedSender, type SenderFacts } from '../../ipc/procedure.ts';
import { readBundledSamples } from '../../platform/node/bundled-samples.ts';
import { libraryRootOf } from '../../storage/library-folder.ts';
import { filePort } from '../../platform/node/export-disk.ts';
import type { JsonLog } from '../../platform/node/json-log.ts';
import { createIntake } from '../../services/intake/intake.ts';
import { readKeyText, sendsByLegacy } from '../../services/secrets/key-service.ts';
import { createPaidActions, createSpendGuard, createUserActivations } from '../../services/spend/spend-guard.ts';
import { createSigningSecret } from '../../services/webhooks/webhook-service.ts';
import { createOldRows } from '../../services/storage/storage-service.ts';
import { createTextParts } from '../../services/transcripts/text-in-parts.ts';
import type { AppPaths } from './create-context.ts';
import type { Workspaces } from '../../workspace/create-workspaces.ts';

/** How long a typed key is checked at most. */
const keyCheckMs = 8000;

type Made =
  | 'version'
  | 'keys'
  | 'legacyKeys'
  | 'accountTokens'
  | 'workspaces'
  | 'connection'
  | 'signingSecret'
  | 'checkConnection'
  | 'oldRows'
  | 'libraryRoot'
  | 'noisySample'
  | 'saveText'
  | 'intake'
  | 'textParts'
  | 'paid'
  | 'activations'
  | 'openKeyWindow'
  | 'windowOf';

export interface RegisterIpcOptions extends Omit<App, Made> {
  readonly places: AppPaths;
  readonly isPackaged: boolean;
  readonly log: JsonLog;
  readonly services: Workspaces;
  readonly toggleDictation: () => void;
  readonly discardDictation: () => void;
  readonly onOverlayAction: (does: OverlayAction) => void;
  readonly onOverlayHidden: () => void;
  readonly tellSigning: (suffix: string) => void;
  readonly publishAsking: (isOpen: boolean) => void;
  readonly check: (baseUrl: string, key: Secret | null, signal?: AbortSignal) => Promise<ConnectionReport>;
  readonly checkLegacy: (baseUrl: string) => Promise<'accepted' | 'refused' | 'not-checked' | null>;
  readonly windows: ReturnType<typeof createOwnWindows>;
  readonly prepareKeySession: (session: Electron.Session) => void;
}

export function registerIpc(options: RegisterIpcOptions) {
  const { places, isPackaged, log, settings, windows, fileTokens } = options;
  const { keys, legacyKeys, accountTokens, workspaces, connection, access } = options.services;

  const activations = createUserActivations(() => Date.now());
  const textParts = createTextParts();
  const rateOf = (work: AudioWork) => {
    const library = workspaces.current();
    return library.ok ? readCreditRate(library.value, Date.now(), work) : noRate;
  };
  const guard = createSpendGuard({
    settings,
    now: () => Date.now(),
    identity: () => connection.serviceIdentity(),
    isPriced: (work) => rateOf(work).creditsPerHour !== null,
    confirm: async (windowId, question) => {
      const { interfaceLanguage } = settings.get();
      const asked = connection.serviceIdentity();
      const isQueued = question.estimate.recordings?.some(({ work }) => work !== 'listen') ?? false;
      const lacksToken = !accountTokens.describe().present;
      const asks = { ...question, lacksToken, isHeld: isQueued && workspaces.list().queue.isHeld };
      const answer = await askSpend(windows.windowOf(windowId), asks, interfaceLanguage, rateOf);
      if (answer.isRemembered && asked !== null) connection.sendUnpriced(asked);
      return answer.admitted;
    },
    publishAsking: options.publishAsking,
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
    keys: { current: keys, legacy: legacyKeys, account: accountTokens, signing },
    isRefused: async (text) => {
      const [read, address] = [readKeyText(text), connection.readAddress('')];
      if (!read.ok || !address.ok) return false;
      // A service that does not answer soon refuses nothing.
      const report = await options.check(address.value, new Secret(read.key), AbortSignal.timeout(keyCheckMs));
      return report.key === 'refused';
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
    onDiscard: options.discardDictation,
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
  const app: App = {
    ...options,
    version: electronApp.getVersion(),
    keys,
    legacyKeys,
    accountTokens,
    workspaces,
    connection,
    signingSecret: signing.current,
    checkConnection: async (baseUrl) => {
      const inUse = connection.readAddress('');
      // Concurrent checks of the address in use share one answer.
      const shared = inUse.ok && inUse.value === baseUrl ? await access.recheck() : null;
      // Keys are shown to no other service than the one in use.
      const isKnown = inUse.ok && URL.parse(inUse.value)?.origin === URL.parse(baseUrl)?.origin;
      const legacyKey = isKnown ? await options.checkLegacy(baseUrl) : null;
      const { service, key, products, failure } =
        shared ?? (await options.check(baseUrl, isKnown ? keys.current() : null));
      return { service, key, products, failure, ...(legacyKey === null ? {} : { legacyKey }) };
    },
    oldRows: createOldRows({ library: () => workspaces.opened(), now: () => Date.now() }),
    libraryRoot: () => libraryRootOf(options.dataRoot),
    noisySample: places.asset('noisy', 'street-uz.mp3'),
    saveText: (path, text) => filePort.writeWhole(path, text),
    intake,
    textParts,
    paid,
    activations,
    openKeyWindow: (purpose) => keyWindow.open(purpose),
    windowOf: windows.windowOf,
  };
  const ipc = {
    isTrusted: (sender: SenderFacts) => isTrustedSender(sender, 'studio', windows.pageOf),
    rate,
    now: () => performance.now(),
    newBugId: () => randomUUID().slice(0, 8),
    report,
  };
  const streams = createStreams({ ...ipc, procedures: createStreamProcedures(app) });
  const procedures = createProcedures(app);
  listen({
    grantStream: streams.grant,
    isTrusted: (sender, page) => isTrustedSender(sender, page, windows.pageOf),
    dispatch: createDispatcher({ ...ipc, procedures }),
    fileRate,
    issueFileToken: fileTokens.issue,
    answerKeyWindow: (message) => keyWindow.answer(message),
    answerOverlay: (message) => overlay.answer(message),
  });
  /** Of a menu of the system, whose choice is a person's. */
  const hold = (isHeld: boolean) => procedures['jobs.hold'].handle({ isHeld }, { windowId: 0, activation: Date.now() });
  return {
    keyWindow,
    overlay,
    forget,
    intake,
    paid,
    isUnpriced: guard.isUnpriced,
    hold,
    usesMicrophone: streams.usesMicrophone,
  };
}
