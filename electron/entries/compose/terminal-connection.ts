import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { proxyFromEnvironment } from '../../../shared/domain/network/proxy.ts';
import type { ModeId } from '../../../shared/domain/modes.ts';
import { ok } from '../../../shared/result/result.ts';
import type { Connection } from '../../service/connection.ts';
import { Secret } from '../../secret/secret.ts';
import { systemClientClock } from '../../service/transport.ts';
import type { ProxySource } from '../../service/proxy.ts';
import { keyProblem } from '../../cli/ending.ts';
import type { OtherSecret, Prepared } from '../../cli/run-command.ts';
import { createKeytarStore } from '../../platform/keychain/keytar-store.ts';
import type { DataFolder } from '../../platform/node/data-folder.ts';
import { practiceByFork } from '../../platform/node/practice-child.ts';
import { createProxySource, readServiceAddress, readStreamPlaces } from '../../services/connection/service-address.ts';
import { watchWake } from '../../services/connection/wake-watch.ts';
import type { PracticeProcess } from '../../services/practice/practice-supervisor.ts';
import {
  accountTokenAccount,
  isKeySaved,
  keyAccount,
  legacyKeyAccount,
  readStoredKey,
} from '../../services/secrets/key-service.ts';
import type { Environment } from '../../services/settings/environment.ts';
import { defaultSettings, type StoredSettings } from '../../services/settings/stored-settings.ts';
import { openPaidLedger, openServiceSession } from '../../workspace/open-service-session.ts';
import { openWorkspace } from '../../workspace/open-workspace.ts';

export interface TerminalParts {
  readonly folder: DataFolder;
  readonly environment: Environment;
  readonly isPackaged: boolean;
  readonly settings: () => StoredSettings;
  readonly log: Logger;
  readonly practiceScript: string;
  readonly audioWorker: URL;
  readonly readingWorker: URL;
}

type Openers = Pick<Extract<Prepared, { readonly kind: 'ready' }>, 'openWorkspace' | 'openSession' | 'close'>;

function openersOf(parts: TerminalParts, connection: Connection): Openers {
  const { folder, log, isPackaged } = parts;
  const closers: (() => Promise<void>)[] = [];
  const options = {
    mode: connection.kind,
    dataDir: folder.root,
    source: () => connection,
    log,
    allowsLoopbackHttp: !isPackaged,
    proxyOf: terminalProxy(parts),
  };
  return {
    openWorkspace: (concurrency) =>
      openWorkspace({
        ...options,
        concurrency,
        takesUp: 'attached',
        audioWorker: parts.audioWorker,
        readingWorker: parts.readingWorker,
        wakes: watchWake(systemClientClock),
      }),
    async openSession() {
      const session = openServiceSession(options);
      closers.push(() => session.close());
      return ok(session);
    },
    async close() {
      for (const close of closers) await close();
    },
  };
}

/** The proxy from the app's settings; in place of the system's, the environment variables of the terminal count. */
export const terminalProxy = ({ settings }: Pick<TerminalParts, 'settings'>): ProxySource =>
  createProxySource(
    () => settingsForKeys({ settings }).proxy,
    async (url) => proxyFromEnvironment(process.env, url),
  );

/** Unreadable settings prove nothing, and a key that may exist is not reported as missing. */
export function settingsForKeys({ settings }: Pick<TerminalParts, 'settings'>): StoredSettings {
  try {
    return settings();
  } catch {
    return { ...defaultSettings, keySaved: true };
  }
}

const missingProblems = { accessToken: 'noAccountToken', legacyKey: 'noLegacyKey' } as const;

/** Without `needs` the other secrets are taken where there are any. */
export async function prepareService(parts: TerminalParts, needs?: readonly OtherSecret[]): Promise<Prepared> {
  const { environment, isPackaged } = parts;
  const settings = environment.serviceUrl === null ? parts.settings() : null;
  const typed = environment.serviceUrl ?? settings?.serviceAddress ?? '';
  if (typed === '') return { kind: 'missing', problem: 'noAddress' };
  const address = readServiceAddress(typed, !isPackaged);
  if (!address.ok) return { kind: 'missing', problem: 'badAddress' };
  let key = environment.apiKey;
  if (key === null) {
    const stored = settingsForKeys(parts);
    const { read } = await readStoredKey(createKeytarStore(), keyAccount, address.value, stored);
    if (read.state !== 'present')
      return { kind: 'missing', problem: keyProblem(read.state, isKeySaved(keyAccount, address.value, stored)) };
    key = read.secret;
  }
  if (!key.fitsHeader) return { kind: 'missing', problem: 'badKey' };
  // An address from the environment is another service than the one in the settings.
  const stored = settings ?? { streamAddress: '', callHost: '' };
  const places = readStreamPlaces(environment, stored, !isPackaged);
  const others = await otherSecrets(environment, settings, needs ?? ['accessToken', 'legacyKey']);
  const missing = needs?.find((name) => others[name] === undefined);
  if (missing !== undefined) return { kind: 'missing', problem: missingProblems[missing] };
  return { kind: 'ready', ...openersOf(parts, { ...places, ...others, kind: 'service', baseUrl: address.value, key }) };
}

/** Even a read without result may make the keychain ask for its password, so only needed ones are read. */
async function otherSecrets(
  environment: Environment,
  stored: StoredSettings | null,
  needs: readonly OtherSecret[],
): Promise<Pick<Connection, OtherSecret>> {
  const read = async (name: OtherSecret, account: string): Promise<Secret | null> => {
    if (stored === null || !needs.includes(name) || !isKeySaved(account, stored.serviceAddress, stored)) return null;
    const found = await readStoredKey(createKeytarStore(), account, stored.serviceAddress, stored);
    return found.read.state === 'present' ? found.read.secret : null;
  };
  const token = environment.accountToken ?? (await read('accessToken', accountTokenAccount));
  const legacy = environment.legacyKey ?? (await read('legacyKey', legacyKeyAccount));
  return {
    ...(token?.fitsHeader === true ? { accessToken: token } : {}),
    ...(legacy?.fitsHeader === true ? { legacyKey: legacy } : {}),
  };
}

/** A service on this computer, started on demand and ended afterwards. */
export function prepareHere(mode: 'practice' | 'local', parts: TerminalParts): Prepared {
  const { folder, environment } = parts;
  const start = practiceByFork(parts.practiceScript);
  let practice: PracticeProcess | null = null;
  let close = async (): Promise<void> => undefined;
  const started = async () => {
    const answer = await start(
      mode === 'practice'
        ? { stateDir: folder.practiceService }
        : { stateDir: folder.localService, models: { kept: folder.models, chosen: environment.localModel } },
    );
    if (!answer.ok) return answer;
    practice = answer.value;
    const { url, token, accessToken, legacyToken, callHost } = practice;
    const openers = openersOf(parts, {
      kind: mode,
      baseUrl: url,
      key: new Secret(token),
      accessToken: new Secret(accessToken),
      legacyKey: new Secret(legacyToken),
      grpcHost: callHost,
    });
    close = openers.close;
    return ok(openers);
  };
  return {
    kind: 'ready',
    async openWorkspace(concurrency) {
      const openers = await started();
      return openers.ok ? openers.value.openWorkspace(concurrency) : openers;
    },
    async openSession() {
      const openers = await started();
      return openers.ok ? openers.value.openSession() : openers;
    },
    async close() {
      await close();
      await practice?.stop();
    },
  };
}

export const openTerminalLedger = ({ folder, log }: TerminalParts, mode: ModeId) =>
  openPaidLedger(mode, folder.root, log);
