import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { defaultProxy, proxyFromEnvironment } from '../../../shared/domain/network/proxy.ts';
import { ok } from '../../../shared/result/result.ts';
import { defaultWireTable } from '../../../shared/wire/wire-table.ts';
import type { Connection } from '../../api/connection.ts';
import { Secret } from '../../secret/secret.ts';
import { systemClientClock } from '../../api/http/clock.ts';
import type { ProxySource } from '../../api/http/tunnel.ts';
import { createDownloader } from '../../api/http/download-signed.ts';
import { openServiceClient } from '../../api/service-client.ts';
import { keyProblem } from '../../cli/key-problem.ts';
import type { Prepared } from '../../cli/run-command.ts';
import type { ServiceSession } from '../../cli/session.ts';
import { createKeytarStore } from '../../platform/keychain/keytar-store.ts';
import type { DataFolder } from '../../platform/node/data-folder.ts';
import { practiceByFork } from '../../platform/node/practice-child.ts';
import { createProxySource } from '../../services/connection/proxy-source.ts';
import { watchWake } from '../../services/connection/wake-watch.ts';
import { readServiceAddress } from '../../services/connection/service-address.ts';
import type { PracticeProcess } from '../../services/practice/practice-process.ts';
import { keyAccount } from '../../services/secrets/key-service.ts';
import type { Environment } from '../../services/settings/environment.ts';
import type { StoredSettings } from '../../services/settings/settings-store.ts';
import { folderOf, openLibrary } from './open-library.ts';
import { openPaidLedger } from './paid-ledger.ts';
import { readCorrections } from './read-corrections.ts';

export interface TerminalParts {
  readonly folder: DataFolder;
  readonly environment: Environment;
  readonly isPackaged: boolean;
  /** Throws when the settings can't be read. */
  readonly settings: () => StoredSettings;
  readonly log: Logger;
  /** The practice entry. */
  readonly practiceScript: string;
  /** The entry of the threads that take the sound out of videos. */
  readonly soundWorker: URL;
  /** The entry of the threads that read long answers. */
  readonly readingWorker: URL;
}

type Ready = Extract<Prepared, { readonly kind: 'ready' }>;

/** What a connection opens: a library for the queue, or the whole service with a ledger of its own. */
function openersOf(parts: TerminalParts, connection: Connection): Pick<Ready, 'openLibrary' | 'openService' | 'close'> {
  const { folder, log, isPackaged } = parts;
  const { kind } = connection;
  const closers: (() => Promise<void> | void)[] = [];
  const usedWire = kind === 'service' ? readCorrections(folder.root).wire : defaultWireTable;
  const allowsLoopbackHttp = !isPackaged;
  const proxyOf = terminalProxy(parts);
  return {
    openLibrary: (concurrency) =>
      openLibrary({
        kind,
        dataDir: folder.root,
        source: () => connection,
        proxyOf,
        log,
        concurrency,
        takesUp: 'attached',
        soundWorker: parts.soundWorker,
        readingWorker: parts.readingWorker,
        wakes: watchWake(systemClientClock),
        allowsLoopbackHttp,
        wire: usedWire,
      }),
    async openService() {
      const ledger = openPaidLedger(folderOf({ kind, dataDir: folder.root }), log, () => Date.now());
      const client = openServiceClient({
        connection: () => connection,
        log,
        allowsLoopbackHttp,
        ledger,
        wire: usedWire,
        proxyOf,
      });
      const downloader = createDownloader({
        log,
        proxyOf,
        practicePort: () => loopbackPort(connection, allowsLoopbackHttp),
      });
      closers.push(
        () => client.close(),
        () => downloader.close(),
        () => ledger.close(),
      );
      const session: ServiceSession = {
        client,
        downloader,
        ledger,
        scope: scopeOf(connection),
      };
      return ok(session);
    },
    async close() {
      for (const close of closers) await close();
    },
  };
}

/** The proxy of the app's settings; as the system's counts what the variables of the terminal say. */
export const terminalProxy = ({ settings }: Pick<TerminalParts, 'settings'>): ProxySource =>
  createProxySource(
    () => {
      try {
        return settings().proxy;
      } catch {
        return defaultProxy;
      }
    },
    async (url) => proxyFromEnvironment(process.env, url),
  );

/** Signed addresses may lead to this computer only when the service itself is here. */
function loopbackPort({ kind, baseUrl }: Connection, allowsLoopbackHttp: boolean): number | null {
  const url = new URL(baseUrl);
  const isHere = url.protocol === 'http:' && (kind === 'practice' || allowsLoopbackHttp);
  return isHere ? Number(url.port) : null;
}

/** One short word for an account at an address. Practice makes a new key at each start and is always the same account. */
const scopeOf = ({ kind, baseUrl, key }: Connection): string =>
  kind === 'practice' ? 'practice' : key.fingerprint(baseUrl);

/** Settings that can't be read say nothing, and a key that may be there is not told as missing. */
function wasKeySaved(parts: TerminalParts): boolean {
  try {
    return parts.settings().keySaved;
  } catch {
    return true;
  }
}

/** The service, by the environment or what the app has saved; or what is missing. */
export async function prepareService(parts: TerminalParts): Promise<Prepared> {
  const { folder, environment, isPackaged } = parts;
  const settings = environment.serviceUrl === null ? parts.settings() : null;
  const typed = environment.serviceUrl ?? settings?.serviceAddress ?? '';
  if (typed === '') return { kind: 'missing', problem: 'noAddress' };
  const address = readServiceAddress(typed, !isPackaged);
  if (!address.ok) return { kind: 'missing', problem: 'badAddress' };
  const { complaints } = readCorrections(folder.root);
  if (complaints.length > 0) return { kind: 'missing', problem: 'badCorrections', complaints };
  let key = environment.apiKey;
  if (key === null) {
    const read = await createKeytarStore().read(keyAccount);
    if (read.state !== 'present') return { kind: 'missing', problem: keyProblem(read.state, wasKeySaved(parts)) };
    key = read.secret;
  }
  if (!key.fitsHeader) return { kind: 'missing', problem: 'badKey' };
  return { kind: 'ready', ...openersOf(parts, { kind: 'service', baseUrl: address.value, key }) };
}

/** The practice service, started when it is needed and ended afterwards. */
export function preparePractice(parts: TerminalParts): Prepared {
  const start = practiceByFork(parts.practiceScript);
  let practice: PracticeProcess | null = null;
  let close = async (): Promise<void> => undefined;
  const started = async () => {
    const answer = await start({ stateDir: parts.folder.practiceService });
    if (!answer.ok) return answer;
    practice = answer.value;
    const { url, token } = practice;
    const openers = openersOf(parts, { kind: 'practice', baseUrl: url, key: new Secret(token) });
    close = openers.close;
    return ok(openers);
  };
  return {
    kind: 'ready',
    async openLibrary(concurrency) {
      const openers = await started();
      return openers.ok ? openers.value.openLibrary(concurrency) : openers;
    },
    async openService() {
      const openers = await started();
      return openers.ok ? openers.value.openService() : openers;
    },
    async close() {
      await close();
      await practice?.stop();
    },
  };
}

/** The ledger of one kind of library. */
export const openTerminalLedger = ({ folder, log }: TerminalParts, isPractice: boolean) =>
  openPaidLedger(folderOf({ kind: isPractice ? 'practice' : 'service', dataDir: folder.root }), log, () => Date.now());
