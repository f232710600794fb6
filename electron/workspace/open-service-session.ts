import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { modeOf, type ModeId } from '../../shared/domain/modes.ts';
import { endpoints } from '../service/endpoints.ts';
import type { ConnectionSource } from '../service/connection.ts';
import type { ClientClock, TransportLimits } from '../service/transport.ts';
import { createDownloader } from '../service/download.ts';
import type { GrantWatch } from '../service/http.ts';
import { openServiceClient, type ServiceCore } from '../service/client.ts';
import type { ProxySource } from '../service/proxy.ts';
import { createAssistantService } from '../services/assistant/assistant-service.ts';
import { createSpeechService, speakLegacy } from '../services/speech/speech-service.ts';
import { createCostReader, unusableLedger, type Ledger } from '../services/account/ledger.ts';
import { createAccountService } from '../services/account/account-service.ts';
import { createWebhookService } from '../services/webhooks/webhook-service.ts';
import { libraryRootOf, takesFolderName } from '../storage/library-folder.ts';
import { openLedger } from '../storage/open-ledger.ts';

export interface ServiceSessionOptions {
  readonly mode: ModeId;
  readonly dataDir: string;
  readonly source: ConnectionSource;
  readonly core?: ServiceCore;
  readonly log: Logger;
  readonly proxyOf?: ProxySource;
  /** Plain http to a service on this computer: runs from source only. */
  readonly allowsLoopbackHttp?: boolean;
  readonly grants?: GrantWatch;
  readonly longestRead?: number;
  readonly limits?: Partial<TransportLimits>;
  readonly clientClock?: ClientClock;
  readonly lookup?: LookupFunction;
  readonly now?: () => number;
  readonly onSpent?: () => void;
}

export function folderOf(mode: ModeId, dataDir: string): string {
  const { libraryFolder } = modeOf(mode);
  return libraryFolder === null ? libraryRootOf(dataDir) : join(dataDir, libraryFolder);
}

export const takesFolderOf = (mode: ModeId, dataDir: string): string => join(folderOf(mode, dataDir), takesFolderName);

/** Whether the folder was moved to a disk that is not connected: it must not be mistaken for a new library. */
export const isFolderAway = (mode: ModeId, dataDir: string): boolean => {
  const folder = folderOf(mode, dataDir);
  return modeOf(mode).libraryFolder === null && folder !== dataDir && !existsSync(join(folder, 'library.db'));
};

/** Without its library, which another process may have open. New services are created here. */
export function openServiceSession(options: ServiceSessionOptions) {
  const { mode, source, log, allowsLoopbackHttp = false, now = Date.now } = options;
  const { isOnThisComputer, isFree } = modeOf(mode);
  /** Identifies address and key, so that the same request for another account is a different one. */
  const accountId = (): string => {
    const connection = source();
    // A service on this computer has a new key at each start but is always the same account.
    return isOnThisComputer || connection === null ? mode : connection.key.fingerprint(connection.baseUrl);
  };
  const ledger = openPaidLedger(mode, options.dataDir, log, now, options.onSpent, accountId);
  const proxyOf = isOnThisComputer ? undefined : options.proxyOf;
  const client = openServiceClient({
    connection: source,
    log,
    allowsLoopbackHttp,
    ledger,
    isFree,
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
    ledger,
    accountId,
    ...(options.clientClock === undefined ? {} : { clock: options.clientClock }),
  };
  const readCosts = createCostReader(client.account, ledger, {
    now,
    account: accountId,
    dictationRoute: endpoints['dictate.stream'].path,
  });
  return {
    ...paid,
    mode,
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

/** Several processes may have one open at the same time. */
export type ServiceSession = ReturnType<typeof openServiceSession>;

function ledgerFolderOf(mode: ModeId, dataDir: string): string {
  const { ledgerFolder } = modeOf(mode);
  return ledgerFolder === null ? folderOf(mode, dataDir) : join(dataDir, ledgerFolder);
}

export function openPaidLedger(
  mode: ModeId,
  dataDir: string,
  log: Logger,
  now: () => number = Date.now,
  onChanged?: () => void,
  account?: () => string,
): Ledger {
  const opened = openLedger({
    path: join(ledgerFolderOf(mode, dataDir), 'ledger.db'),
    now,
    account,
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
