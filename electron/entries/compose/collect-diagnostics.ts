import { arch, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { libraryRootOf } from '../../storage/library-folder.ts';
import type { DataFolder } from '../../platform/node/data-folder.ts';
import { readLibraryFacts } from '../../storage/read-stored-text.ts';
import { readLogTail } from '../../platform/node/json-log.ts';
import { openLedger } from '../../storage/open-ledger.ts';
import { openStorageFolder } from '../../storage/storage-folder.ts';
import { writeDiagnostics, type DiagnosticsFacts } from '../../services/diagnostics/write-diagnostics.ts';
import type { StoredSettings } from '../../services/settings/stored-settings.ts';

export interface CollectOptions {
  readonly folder: DataFolder;
  readonly app: DiagnosticsFacts['app'];
  readonly settings: StoredSettings;
  readonly hasAddress: boolean;
  readonly key: DiagnosticsFacts['key'];
  readonly products: DiagnosticsFacts['products'];
}

const mostLines = 500;
const mostPaid = 300;
const logNames = ['studio.log.1', 'studio.log', 'cli.log.1', 'cli.log'];

export async function collectDiagnostics(options: CollectOptions): Promise<string> {
  const { folder, app, settings, hasAddress, key, products } = options;
  const { mode, interfaceLanguage, appearance, uploadsAtOnce, keepsLog } = settings;
  return writeDiagnostics({
    madeAtMs: Date.now(),
    app,
    system: {
      platform: process.platform,
      arch: arch(),
      release: release(),
      node: process.versions.node,
      electron: process.versions['electron'] ?? null,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      memoryMb: Math.round(totalmem() / 2 ** 20),
    },
    settings: { mode, interfaceLanguage, appearance, uploadsAtOnce, keepsLog, hasAddress },
    key: { present: key.present, store: key.store, keychain: key.keychain },
    products,
    storage: await openStorageFolder(folder).measure(null),
    libraries: [
      readLibraryFacts(join(libraryRootOf(folder.root), 'library.db'), 'service'),
      readLibraryFacts(join(folder.root, 'practice', 'library.db'), 'practice'),
    ],
    ledger: readLedger(libraryRootOf(folder.root)),
    logs: logNames.map((name) => ({ name, lines: readLogTail(join(folder.logs, name), mostLines) })),
  });
}

function readLedger(root: string): DiagnosticsFacts['ledger'] {
  const opened = openLedger({ path: join(root, 'ledger.db'), now: () => Date.now(), onTrouble: () => undefined });
  if (!opened.ok) return null;
  const listed = opened.value.list({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: mostPaid });
  opened.value.close();
  return listed.ok ? listed.value : null;
}
