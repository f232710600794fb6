import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { defaultWireTable, type WireTable } from '../../../shared/wire/wire-table.ts';
import type { ConnectionSource } from '../../api/connection.ts';
import type { ClientClock } from '../../api/http/clock.ts';
import type { TransportLimits } from '../../api/http/transport.ts';
import type { GrantWatch } from '../../api/http/watch-grants.ts';
import type { ProxySource } from '../../api/http/tunnel.ts';
import type { ServiceCore } from '../../api/http/service-core.ts';
import { openServiceClient } from '../../api/service-client.ts';
import { sweepTraces } from '../../storage/erase-traces.ts';
import { libraryRootOf } from '../../storage/library-place.ts';
import { keepReserve } from '../../storage/disk-reserve.ts';
import { filePort } from '../../platform/node/file-port.ts';
import { openPreparedSounds } from '../../platform/node/sound/prepared-sounds.ts';
import { hasFullTextSearch } from '../../storage/sqlite-database.ts';
import { createSqliteLibraryStore } from '../../storage/sqlite-library-store.ts';
import { systemClock, type Clock } from '../../services/jobs/ports.ts';
import { createLibrary } from '../../services/library/create-library.ts';
import type { WakeSource } from '../../services/connection/wake-watch.ts';
import type { Library } from '../../services/library/library.ts';
import { keepCopies } from '../../workers/backups/keep-copies.ts';
import { openPaidLedger } from './paid-ledger.ts';
import { longestReadHere, openReader } from '../../workers/reading/open-reader.ts';
import { openHealed } from '../../workers/restoring/open-healed.ts';
import { nameSpeaker } from '../../workers/writing/name-speaker.ts';
import { openWriter } from '../../workers/writing/open-writer.ts';

export interface OpenLibraryOptions {
  readonly kind: 'service' | 'practice';
  /** The app's data folder; practice keeps its library in a folder of its own inside it (S-55). */
  readonly dataDir: string;
  readonly source: ConnectionSource;
  /** The way to the service that others go as well; the library opens and closes its own unless given. */
  readonly core?: ServiceCore;
  /** The module that serves the sound thread (`entries/sound.ts`), source or bundle. */
  readonly soundWorker: URL;
  /** The module that serves the threads for long work (`entries/reading.ts`), source or bundle. */
  readonly readingWorker: URL;
  readonly log: Logger;
  readonly isOnline?: () => boolean;
  /** How connections leave this computer; straight unless told. */
  readonly proxyOf?: ProxySource;
  /** Uploads at once, 1 to 8; 2 when not given. */
  readonly concurrency?: number;
  /** `attached`: works only on files that `jobs.attach` was given (the terminal). */
  readonly takesUp?: 'everything' | 'attached';
  /** Plain http to a service on this computer: runs from source only. */
  readonly allowsLoopbackHttp?: boolean;
  readonly clock?: Clock;
  /** The time of the client of the service, where it is not that of this computer. */
  readonly clientClock?: ClientClock;
  /** How names become addresses; as the system does it unless told. */
  readonly lookup?: LookupFunction;
  /** Corrected routes and names of the service; practice goes by those of this version. */
  readonly wire?: WireTable;
  /** Other times and sizes of the transport than its own. */
  readonly limits?: Partial<TransportLimits>;
  /** Told of what work shows about the key. */
  readonly grants?: GrantWatch;
  /** Hears how far the restoring of a damaged library is, 0 to 1. */
  readonly onRestoring?: (share: number) => void;
  /** Tells that the computer woke up. */
  readonly wakes?: WakeSource;
}

const dayMs = 24 * 3_600_000;
/** The start has the computer to itself; a run from the terminal may be over by then, and begins at once. */
const firstCopyAfterMs = 10_000;

/** Where a library of this kind is. */
export const folderOf = ({ kind, dataDir }: Pick<OpenLibraryOptions, 'kind' | 'dataDir'>): string =>
  kind === 'service' ? libraryRootOf(dataDir) : join(dataDir, 'practice');

/**
 * Opens a library as its only owner: its database, queue, transcripts and exports. The queue rests until
 * `jobs.start`. E-183 when another process has it open; E-181, E-184, E-185 when it can't be used.
 */
export async function openLibrary(options: OpenLibraryOptions): Promise<Result<Library>> {
  const { kind, source, log, clock = systemClock } = options;
  const folder = folderOf(options);
  // A library that was moved to a disk that is not there is never taken for a new one.
  if (kind === 'service' && folder !== options.dataDir && !existsSync(join(folder, 'library.db'))) {
    log.write({ event: 'library-not-there', level: 'error', row: 'E-185' });
    return err(makeFailure('E-185', { code: 'library_not_there' }));
  }
  const file = await openHealed(options.readingWorker, join(folder, 'library.db'), clock.now(), options.onRestoring);
  if (!file.ok) {
    log.write({ event: 'library-not-opened', level: 'error', row: file.error.row, code: file.error.code });
    return file;
  }
  const { database, notice } = file.value;
  const copies = keepCopies({
    workerUrl: options.readingWorker,
    library: join(folder, 'library.db'),
    clock,
    log,
    firstAfterMs: file.value.isNew ? dayMs : options.takesUp === 'attached' ? 0 : firstCopyAfterMs,
    onDamaged: file.value.distrust,
  });
  const wire = kind === 'service' ? (options.wire ?? defaultWireTable) : defaultWireTable;
  const ledger = openPaidLedger(folder, log, () => clock.now());
  const allowsLoopbackHttp = options.allowsLoopbackHttp ?? false;
  const grants = kind === 'service' && options.grants !== undefined ? { grants: options.grants } : {};
  const client = openServiceClient({
    connection: source,
    log,
    allowsLoopbackHttp,
    wire,
    longestRead: longestReadHere,
    ledger,
    ...(options.core === undefined ? {} : { core: options.core }),
    ...grants,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.clientClock === undefined ? {} : { clock: options.clientClock }),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    // The practice service is on this computer.
    ...(kind === 'practice' || options.proxyOf === undefined ? {} : { proxyOf: options.proxyOf }),
  });
  let stopWatching = (): void => undefined;
  const close = () => {
    stopWatching();
    file.value.close();
    ledger.close();
    void client.close();
  };
  if (notice !== null) log.write({ event: 'library-restored', level: 'warn', row: notice.row, code: notice.code });
  if (!hasFullTextSearch()) log.write({ event: 'no-full-text-search', level: 'error' });
  const library = createLibrary({
    isPractice: kind === 'practice',
    notice,
    recovery: file.value.recovery,
    ledger,
    client,
    sweep: sweepTraces({
      database: join(folder, 'library.db'),
      byContent: [join(options.dataDir, 'peaks'), join(folder, 'prepared')],
    }),
    queue: { uploadsAtOnce: options.concurrency ?? 2, takesUp: options.takesUp ?? 'everything' },
    nameSpeaker,
    copies,
    writer: openWriter(options.readingWorker, join(folder, 'library.db')),
    ports: {
      store: createSqliteLibraryStore(database, keepReserve(folder), close, file.value.isInPlace),
      files: filePort,
      sounds: openPreparedSounds(join(folder, 'prepared'), options.soundWorker),
      api: client.stt,
      connection: source,
      isOnline: options.isOnline ?? (() => true),
      reader: openReader(options.readingWorker, wire.aliases),
      log,
      clock,
      random: Math.random,
      newId: randomUUID,
    },
  });
  if (options.wakes !== undefined) stopWatching = options.wakes(() => library.jobs.noteWake());
  void library.deletion.start();
  return ok(library);
}
