import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { modeOf, type ModeId } from '../../shared/domain/modes.ts';
import { endpoints } from '../../shared/wire/endpoints.ts';
import { defaultWireTable, type WireTable } from '../../shared/wire/wire-table.ts';
import type { ConnectionSource } from '../api/connection.ts';
import type { ClientClock } from '../api/http/clock.ts';
import { createDownloader } from '../api/http/download-signed.ts';
import type { GrantWatch } from '../api/http/http-core.ts';
import type { ServiceCore } from '../api/http/service-core.ts';
import type { TransportLimits } from '../api/http/transport.ts';
import type { ProxySource } from '../api/http/tunnel.ts';
import { openServiceClient } from '../api/service-client.ts';
import { createAssistantService } from '../services/assistant/assistant-service.ts';
import { speakLegacy } from '../services/speech/legacy-speech.ts';
import { createSpeechService } from '../services/speech/speech-service.ts';
import { createCostReader } from '../services/account/read-costs.ts';
import { createAccountService } from '../services/account/account-service.ts';
import { unusableLedger, type Ledger } from '../services/account/ledger.ts';
import { createWebhookService } from '../services/webhooks/webhook-service.ts';
import { libraryRootOf, takesFolderName } from '../storage/library-location.ts';
import { openLedger } from '../storage/open-ledger.ts';

export interface ServiceSessionOptions {
  readonly mode: ModeId;
  /** The app's data folder. */
  readonly dataDir: string;
  readonly source: ConnectionSource;
  /** A core shared with other clients of this service; absent: the session opens and closes its own. */
  readonly core?: ServiceCore;
  readonly log: Logger;
  /** How connections leave this computer; direct by default. */
  readonly proxyOf?: ProxySource;
  /** Plain http to a service on this computer: runs from source only. */
  readonly allowsLoopbackHttp?: boolean;
  /** Corrected routes and names of the service, for modes that use them. */
  readonly wire?: WireTable;
  /** Notified of what work shows about the key. */
  readonly grants?: GrantWatch;
  /** Longer answers, in characters, are passed on unread. */
  readonly longestRead?: number;
  readonly limits?: Partial<TransportLimits>;
  readonly clientClock?: ClientClock;
  /** How names are resolved; by the system's resolver by default. */
  readonly lookup?: LookupFunction;
  /** Unix milliseconds for the ledger. */
  readonly now?: () => number;
  /** What was paid for has changed. */
  readonly onSpent?: () => void;
}

/** The folder of a mode's library and ledger. */
export function folderOf(mode: ModeId, dataDir: string): string {
  const { libraryFolder } = modeOf(mode);
  return libraryFolder === null ? libraryRootOf(dataDir) : join(dataDir, libraryFolder);
}

/** The folder of takes: with the library, wherever it was moved. */
export const takesFolderOf = (mode: ModeId, dataDir: string): string => join(folderOf(mode, dataDir), takesFolderName);

/** Whether the folder was moved to a disk that is not connected: it must not be mistaken for a new library. */
export const isFolderAway = (mode: ModeId, dataDir: string): boolean => {
  const folder = folderOf(mode, dataDir);
  return modeOf(mode).libraryFolder === null && folder !== dataDir && !existsSync(join(folder, 'library.db'));
};

/** The routes and names that the client of a mode uses. */
export const wireOf = (mode: ModeId, corrected: WireTable | undefined): WireTable =>
  modeOf(mode).usesCorrections ? (corrected ?? defaultWireTable) : defaultWireTable;

/**
 * Opens the service of a mode without its library, which another process may have open. New services are created here.
 */
export function openServiceSession(options: ServiceSessionOptions) {
  const { mode, source, log, allowsLoopbackHttp = false, now = Date.now } = options;
  const { isOnThisComputer, isFree } = modeOf(mode);
  const ledger = openPaidLedger(mode, options.dataDir, log, now, options.onSpent);
  const proxyOf = isOnThisComputer ? undefined : options.proxyOf;
  const client = openServiceClient({
    connection: source,
    log,
    allowsLoopbackHttp,
    ledger,
    isFree,
    wire: wireOf(mode, options.wire),
    ...(options.core === undefined ? {} : { core: options.core }),
    ...(options.longestRead === undefined ? {} : { longestRead: options.longestRead }),
    ...(options.grants === undefined ? {} : { grants: options.grants }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.clientClock === undefined ? {} : { clock: options.clientClock }),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    ...(proxyOf === undefined ? {} : { proxyOf }),
  });
  const downloader = createDownloader({
    log,
    ...(proxyOf === undefined ? {} : { proxyOf }),
    practicePort: () => loopbackPort(source(), isOnThisComputer || allowsLoopbackHttp),
  });
  const paid = {
    client,
    /** The client itself records everything that costs. */
    ledger,
    /** Identifies address and key, so that the same request for another account is a different one. */
    accountId(this: void): string {
      const connection = source();
      // A service on this computer has a new key at each start but is always the same account.
      return isOnThisComputer || connection === null ? mode : connection.key.fingerprint(connection.baseUrl);
    },
    ...(options.clientClock === undefined ? {} : { clock: options.clientClock }),
  };
  const readCosts = createCostReader(client.account, ledger, { now, dictationRoute: endpoints['dictate.stream'].path });
  return {
    ...paid,
    mode,
    /** Files behind signed addresses. */
    downloader,
    speech: createSpeechService(paid, (wanted) => {
      const connection = source();
      const legacyAccess = {
        hasKey: connection?.legacyKey !== undefined,
        hasCall: connection?.grpcHost !== undefined,
      };
      return speakLegacy({ ...paid, downloader, legacyAccess }, wanted);
    }),
    assistant: createAssistantService(paid),
    /** Looks up costs that no answer told; without an account token nothing is asked. */
    readCosts: async (): Promise<void> => {
      if (source()?.accessToken !== undefined) await readCosts();
    },
    account: createAccountService(client.account, now, () => source()?.key.maskedSuffix ?? ''),
    webhooks: createWebhookService(client.webhooks, now),
    async close(): Promise<void> {
      await client.close();
      await downloader.close();
      ledger.close();
    },
  };
}

function ledgerFolderOf(mode: ModeId, dataDir: string): string {
  const { ledgerFolder } = modeOf(mode);
  return ledgerFolder === null ? folderOf(mode, dataDir) : join(dataDir, ledgerFolder);
}

/** The ledger in a mode's folder. When it can't be opened, only paid requests are refused. */
export function openPaidLedger(
  mode: ModeId,
  dataDir: string,
  log: Logger,
  now: () => number = Date.now,
  onChanged?: () => void,
): Ledger {
  const opened = openLedger({
    path: join(ledgerFolderOf(mode, dataDir), 'ledger.db'),
    now,
    ...(onChanged === undefined ? {} : { onChanged }),
    onTrouble: ({ row, code }) => log.write({ event: 'ledger-trouble', level: 'error', row, code }),
  });
  if (opened.ok) return opened.value;
  const { row, code } = opened.error;
  log.write({ event: 'ledger-not-opened', level: 'error', row, code });
  return unusableLedger(opened.error);
}

/** Signed addresses may point to this computer only when the service itself runs here. */
function loopbackPort(connection: ReturnType<ConnectionSource>, isAllowed: boolean): number | null {
  const url = URL.parse(connection?.baseUrl ?? '');
  return isAllowed && url?.protocol === 'http:' ? Number(url.port) : null;
}
