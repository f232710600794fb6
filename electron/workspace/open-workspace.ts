import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import type { WritingStyle } from '../../shared/domain/dictation/clean-up.ts';
import type { WritingRules } from '../../shared/domain/dictation/written-phrases.ts';
import { bringTakes, openTakesFolder } from '../platform/node/takes-folder.ts';
import { saveTake } from '../services/dictation/save-take.ts';
import { createCleanUp } from '../services/dictation/clean-up-phrase.ts';
import { createDictationService } from '../services/dictation/dictation-service.ts';
import { modeOf } from '../../shared/domain/modes.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { openAudioFolder } from '../platform/node/audio-folder.ts';
import { writeWholeFile } from '../platform/node/atomic-file.ts';
import { filePort } from '../platform/node/file-port.ts';
import { printByBrowser } from '../platform/node/print-by-browser.ts';
import type { PdfRenderer } from '../services/exports/long-writer.ts';
import { createAudioCutter } from '../platform/node/audio/audio-cutter.ts';
import { keepTakeAudio } from '../platform/node/audio/dictated-wav.ts';
import { openExtractedAudio } from '../platform/node/audio/extracted-audio.ts';
import type { WakeSource } from '../services/connection/wake-watch.ts';
import { createSpeechDocuments } from '../services/speech/speech-documents.ts';
import { createSpeechTakes } from '../services/speech/speech-takes.ts';
import { createCloneService } from '../services/voices/clone-service.ts';
import { createOwnVoices } from '../services/voices/own-voices.ts';
import { createSpeechSaver } from '../platform/node/save-speech.ts';
import type { SpokenPart } from '../services/speech/speech-file.ts';
import { measureSpeech } from '../platform/node/audio/measure-speech.ts';
import { systemClock, type Clock } from '../services/jobs/ports.ts';
import { keepReserve } from '../storage/disk-reserve.ts';
import { sweepTraces } from '../storage/erase-traces.ts';
import { hasFullTextSearch } from '../storage/sqlite-database.ts';
import { createSqliteSpeechStore } from '../storage/sqlite-speech-store.ts';
import { createSqliteLibraryStore } from '../storage/sqlite-library-store.ts';
import { startDailyBackups } from '../workers/backups/daily-backups.ts';
import { longestReadHere, openReader } from '../workers/reading/open-reader.ts';
import { openOrRestore } from '../workers/restoring/open-or-restore.ts';
import { nameSpeaker } from '../workers/writing/writing-work.ts';
import { openSearch } from '../workers/search/open-search.ts';
import { openWriter } from '../workers/writing/open-writer.ts';
import { createFiling } from '../services/library-items/filing.ts';
import { takesFolderName } from '../storage/library-location.ts';
import { createLibrary } from './create-library.ts';
import {
  folderOf,
  isFolderAway,
  takesFolderOf,
  openServiceSession,
  wireOf,
  type ServiceSessionOptions,
} from './open-service-session.ts';
import type { Workspace } from './workspace.ts';

export interface OpenWorkspaceOptions extends Omit<ServiceSessionOptions, 'now' | 'longestRead'> {
  /** The module that serves the audio thread (`entries/audio-worker.ts`), source or bundle. */
  readonly audioWorker: URL;
  /** The module that serves the threads for long work (`entries/library-worker.ts`), source or bundle. */
  readonly readingWorker: URL;
  readonly isOnline?: () => boolean;
  /** Uploads at once, 1 to 8; 2 by default. */
  readonly concurrency?: number;
  /** `attached`: works only on files passed to `jobs.attach` (the terminal). */
  readonly takesUp?: 'everything' | 'attached';
  readonly clock?: Clock;
  /** Gets the progress of restoring a damaged library, 0 to 1. */
  readonly onRestoring?: (share: number) => void;
  /** Prints pages; by default with a browser of this computer. */
  readonly printPdf?: PdfRenderer;
  /** Reports that the computer woke up. */
  readonly wakes?: WakeSource;
  /** Gets the contents, as SHA-256, that nothing in the library refers to any more, before their traces are removed. */
  readonly onErased?: (contents: readonly string[]) => void;
  /** Hears what becomes of what is dictated. */
  readonly onDictation?: (change: TakeChange) => void;
  /** Days after which the audio of a take is deleted. */
  readonly takeSoundDays?: () => number;
  /** Whether edited texts are sent to the account. */
  readonly syncsEdits?: () => boolean;
  /** How what is dictated is written down. */
  readonly writingRules?: () => WritingRules;
  readonly writingStyle?: () => WritingStyle;
  /** Whether the hour's limit of spending allows a model to write so many characters more; it counts them. */
  readonly admitsCleanUp?: (characters: number) => boolean;
}

const dayMs = 24 * 3_600_000;
/**
 * The start should not compete for the computer; a run from the terminal may be over by then, so it backs up at once.
 */
const firstCopyAfterMs = 10_000;

/**
 * Opens everything of a mode: its service, its library and the queue, as the library's only owner. The queue does
 * nothing until `jobs.start`. E-183 when another process has it open; E-181, E-184, E-185 when it can't be used.
 */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<Result<Workspace>> {
  const { mode, source, dataDir, log, clock = systemClock } = options;
  const { isOnThisComputer, isPractice, origin } = modeOf(mode);
  const folder = folderOf(mode, dataDir);
  if (isFolderAway(mode, dataDir)) {
    log.write({ event: 'library-not-there', level: 'error', row: 'E-185' });
    return err(makeFailure('E-185', { code: 'library_not_there' }));
  }
  const file = await openOrRestore(options.readingWorker, join(folder, 'library.db'), clock.now(), options.onRestoring);
  if (!file.ok) {
    log.write({ event: 'library-not-opened', level: 'error', row: file.error.row, code: file.error.code });
    return file;
  }
  const { database, notice } = file.value;
  const copies = startDailyBackups({
    workerUrl: options.readingWorker,
    library: join(folder, 'library.db'),
    clock,
    log,
    firstAfterMs: file.value.isNew ? dayMs : options.takesUp === 'attached' ? 0 : firstCopyAfterMs,
    onDamaged: file.value.distrust,
  });
  const session = openServiceSession({ ...options, now: () => clock.now(), longestRead: longestReadHere });
  let stopWatching = (): void => undefined;
  const close = () => {
    stopWatching();
    file.value.close();
  };
  if (notice !== null) log.write({ event: 'library-restored', level: 'warn', row: notice.row, code: notice.code });
  if (!hasFullTextSearch()) log.write({ event: 'no-full-text-search', level: 'error' });
  const store = createSqliteLibraryStore(database, keepReserve(folder), close, file.value.isInPlace, origin);
  const filing = createFiling(store);
  const openSpeech = () => {
    const saveSpeech = createSpeechSaver(options.audioWorker);
    const speechStore = createSqliteSpeechStore(database, file.value.isInPlace);
    const speechFolder = openAudioFolder(join(folder, 'speech'));
    const common = { store: speechStore, api: session.client.speak, now: () => clock.now(), newId: randomUUID };
    return {
      store: speechStore,
      folder: speechFolder,
      saveSpeech,
      save: (path: string, parts: readonly SpokenPart[]) =>
        saveSpeech(path, parts, { format: 'wav', as: 'one', targetLufs: null, withSubtitles: false }),
      documents: createSpeechDocuments({ ...common, isTrashed: (id) => filing.isTrashed({ kind: 'speech', id }) }),
      takes: createSpeechTakes({
        ...common,
        speech: session.speech,
        downloader: session.downloader,
        folder: speechFolder,
        measure: measureSpeech,
        isThere: (path) => filePort.isThere(path),
      }),
      cloning: createCloneService({
        ...common,
        api: session.client.clone,
        folder: openAudioFolder(join(folder, 'voices')),
        writeFile: (path, bytes) => writeWholeFile(path, bytes, 0o600),
        readFile: (path) => readFile(path).catch(() => null),
        describeFile: (path) =>
          stat(path).then(
            ({ size, mtimeMs }) => ({ sizeBytes: size, mtimeMs }),
            () => null,
          ),
      }),
      ownVoices: createOwnVoices({ store: speechStore, api: session.client.clone }),
    };
  };
  const { writingRules = () => ({ replacements: [], hasCommands: false }) } = options;
  bringTakes(join(dataDir, modeOf(mode).libraryFolder ?? '.', takesFolderName), takesFolderOf(mode, dataDir));
  const cleanUp = createCleanUp(session.assistant, options.admitsCleanUp ?? (() => true));
  const dictation = createDictationService({
    dictate: (options, listener) => session.client.live.dictate(options, listener),
    takes: openTakesFolder(takesFolderOf(mode, dataDir)),
    rules: writingRules,
    style: options.writingStyle ?? (() => 'verbatim'),
    cleanUp: cleanUp.write,
    publish: options.onDictation ?? (() => undefined),
    isTrashed: (id) => filing.isTrashed({ kind: 'dictation', id }),
    now: () => clock.now(),
    after: (ms, callback) => clock.after(ms, callback),
  });
  const library = createLibrary({
    isPractice,
    origin,
    syncsEdits: options.syncsEdits,
    notice,
    recovery: file.value.recovery,
    sweep: async (gone) => {
      // What was deleted on purpose must not count as lost when it is added again.
      session.ledger.forgetContents(gone.contents);
      options.onErased?.(gone.contents);
      await sweepTraces({
        database: join(folder, 'library.db'),
        byContent: [join(dataDir, 'peaks'), join(folder, 'prepared')],
      })(gone);
    },
    queue: { uploadsAtOnce: options.concurrency ?? 2, takesUp: options.takesUp ?? 'everything' },
    assistant: session.assistant,
    dictate: (wanted, listener) => session.client.live.dictate(wanted, listener),
    nameSpeaker,
    copies,
    printPdf: options.printPdf ?? printByBrowser,
    cutAudio: createAudioCutter(options.audioWorker),
    search: openSearch(options.readingWorker, join(folder, 'library.db'), join(folder, 'search.db')),
    speech: openSpeech(),
    dictation: { dictation, rules: writingRules },
    filing,
    writer: openWriter(options.readingWorker, join(folder, 'library.db')),
    ports: {
      store,
      files: filePort,
      extractor: openExtractedAudio(join(folder, 'prepared'), options.audioWorker),
      api: session.client.stt,
      client: session.client,
      downloader: session.downloader,
      audio: openAudioFolder(join(folder, 'audio')),
      connection: source,
      origin,
      isOnline: isOnThisComputer ? () => true : (options.isOnline ?? (() => true)),
      reader: openReader(options.readingWorker, wireOf(mode, options.wire).aliases),
      log,
      clock,
      random: Math.random,
      newId: randomUUID,
      findPaid: (content) => session.ledger.findPaid(content),
    },
  });
  void dictation.removeOldAudio(options.takeSoundDays?.() ?? 7);
  if (options.wakes !== undefined)
    stopWatching = options.wakes(() => {
      library.jobs.noteWake();
      dictation.tryNow();
    });
  void library.deletion.start();
  void library.conversations.sweepFiles();
  if (origin === 'service') library.sync.start();
  void library.items.eraseDue();
  return ok({
    ...session,
    ...library,
    dictation,
    cleanUpCost: cleanUp.cost,
    async saveTake(takeId, name) {
      const take = dictation.storedOf(takeId);
      const path = dictation.audioPath(takeId);
      if (take === null || path === null) return err(makeFailure('E-010', { code: 'file_missing', params: { name } }));
      const saved = await saveTake(
        {
          store,
          keepAudio: keepTakeAudio(path, join(folder, 'prepared')),
          rules: writingRules(),
          newId: randomUUID,
          now: () => clock.now(),
        },
        take,
        name,
      );
      if (saved.ok) dictation.noteTranscript(takeId, saved.value.transcriptId);
      return saved;
    },
    async close() {
      await dictation.close();
      await library.close();
      session.ledger.close();
      // Requests under way end by themselves; closing does not wait for them. What they write then fails (E-185).
      void session.client.close();
      void session.downloader.close();
    },
  });
}
