import { join } from 'node:path';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { openLedger } from '../../storage/open-ledger.ts';
import type { Ledger } from '../../services/account/ledger.ts';
import { unusableLedger } from '../../services/account/unusable-ledger.ts';

/** The ledger in a library's folder. One that can't be opened refuses what costs and nothing else. */
export function openPaidLedger(folder: string, log: Logger, now: () => number): Ledger {
  const opened = openLedger({
    path: join(folder, 'ledger.db'),
    now,
    onTrouble: ({ row, code }) => log.write({ event: 'ledger-trouble', level: 'error', row, code }),
  });
  if (opened.ok) return opened.value;
  const { row, code } = opened.error;
  log.write({ event: 'ledger-not-opened', level: 'error', row, code });
  return unusableLedger(opened.error);
}
