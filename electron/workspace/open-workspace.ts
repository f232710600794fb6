import { failureNumbers } from '../../shared/result/failure-kinds.ts';
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WritingStyle } from '../../shared/domain/dictation/clean-up.ts';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import type { WritingRules } from '../../shared/domain/dictation/written-phrases.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { modeOf } from '../../shared/domain/modes.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { openAudioFolder } from '../platform/node/audio-folder.ts';
import { createAudioCutter } from '../platform/node/audio/audio-cutter.ts';
import { keepTakeAudio } from '../platform/node/audio/dictated-wav.ts';
import { openExtractedAudio } from '../platform/node/audio/extracted-audio.ts';
import { printByBrowser } from '../platform/node/print-by-browser.ts';
import { createSpeechSaver, measureSpeech } from '../platform/node/save-speech.ts';
import { bringTakes, openTakesFolder } from '../platform/node/takes-folder.ts';
import { costsOfPhrases } from '../services/account/ledger.ts';
import type { WakeSource } from '../services/connection/wake-watch.ts';
import { createCleanUp, type CleanUp } from '../services/dictation/clean-up-phrase.ts';
import { createDictationService, type DictationService } from '../services/dictation/dictation-service.ts';
import { saveTake } from '../services/dictation/save-take.ts';
import type { PdfRenderer } from '../services/exports/write-request.ts';
import { writeWholeFile } from '../platform/node/place-file.ts';
import { filePort } from '../platform/node/export-disk.ts';
import { createSpeechDocuments } from '../services/speech/speech-documents.ts';
import { createSpeechTakes } from '../services/speech/speech-takes.ts';
import { createCloneService, findUploadIn, createOwnVoices } from '../services/voices/clone-service.ts';
import type { SpokenPart } from '../services/speech/speech-file.ts';
import { systemClientClock, type ClientClock } from '../service/transport.ts';
import { createLibrary, type Library } from '../services/library/library.ts';
import { sweepTraces } from '../storage/library-backups.ts';
import { takesFolderName } from '../storage/library-folder.ts';
import { createSqliteLibraryStore } from '../storage/sqlite-library-store.ts';
import { openCheckedLibrary, startBackups } from '../workers/backups.ts';
import { longestReadHere, openReader } from '../workers/reading.ts';
import { openSearch } from '../workers/search.ts';
import { nameSpeaker, openWriter } from '../workers/writing.ts';
import {
  folderOf,
  isFolderAway,
  openServiceSession,
  takesFolderOf,
  type ServiceSession,
  type ServiceSessionOptions,
} from './open-service-session.ts';

export interface OpenWorkspaceOptions extends Omit<ServiceSessionOptions, 'now' | 'longestRead'> {
  readonly audioWorker: URL;
  readonly readingWorker: URL;
  readonly isOnline?: () => boolean;
  readonly concurrency?: number;
  readonly takesUp?: 'everything' | 'attached';
  readonly clock?: ClientClock;
  readonly printPdf?: PdfRenderer;
  readonly wakes?: WakeSource;
  readonly onErased?: (contents: readonly string[]) => void;
  readonly dictationFollowers?: Iterable<(change: TakeChange) => void>;
  readonly takeSoundDays?: () => number;
  readonly syncsEdits?: () => boolean;
  readonly writingRules?: () => WritingRules;
  readonly writingStyle?: () => WritingStyle;
  readonly admitsCleanUp?: (characters: number, most: string | null) => boolean;
}

/** Only one process at a time may have it open. */
export interface Workspace extends ServiceSession, Library {
  readonly dictation: DictationService;
  readonly cleanUp: Pick<CleanUp, 'cost'>;
  saveTake(takeId: string, name: string): Promise<Result<{ readonly transcriptId: string }>>;
}
const hourMs = 3_600_000;
/** The start should not compete for the computer; a terminal may be over by then, so it waits not. */
const firstBackupAfterMs = 10_000;

/** The queue does nothing until `jobs.start`. already-open when another process has the library open. */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<Result<Workspace>> {
  const { mode, source, dataDir, log, clock = systemClientClock } = options;
  const { isOnThisComputer, isPractice, origin } = modeOf(mode);
  const folder = folderOf(mode, dataDir);
  if (isFolderAway(mode, dataDir)) {
    log.write({ event: 'library-not-there', level: 'error', row: failureNumbers['data-folder-unwritable'] });
    return err(makeFailure('data-folder-unwritable', { code: 'library_not_there' }));
  }
  const libraryPath = join(folder, 'library.db');
  const file = await openCheckedLibrary(options.readingWorker, libraryPath, clock.now());
  if (!file.ok) {
    log.write({ event: 'library-not-opened', level: 'error', row: file.error.row, code: file.error.code });
    return file;
  }
  const { notice } = file.value;
  const backups = startBackups({
    workerUrl: options.readingWorker,
    library: libraryPath,
    clock,
    log,
    firstAfterMs: file.value.isNew ? hourMs : options.takesUp === 'attached' ? 0 : firstBackupAfterMs,
  });
  const session = openServiceSession({ ...options, now: () => clock.now(), longestRead: longestReadHere });
  let stopWatching = (): void => undefined;
  const close = () => {
    stopWatching();
    file.value.close();
  };
  if (notice !== null) log.write({ event: 'library-restored', level: 'warn', row: notice.row, code: notice.code });
  const store = createSqliteLibraryStore({ ...file.value, close }, origin);
  const openSpeech = () => {
    const saveSpeech = createSpeechSaver(options.audioWorker);
    const speechFolder = openAudioFolder(join(folder, 'speech'));
    const common = { store: store.speech, api: session.client.speak, now: () => clock.now(), newId: randomUUID };
    return {
      store: store.speech,
      folder: speechFolder,
      saveSpeech,
      save: (path: string, parts: readonly SpokenPart[]) =>
        saveSpeech(path, parts, { format: 'wav', as: 'one', targetLufs: null, withSubtitles: false }),
      documents: createSpeechDocuments({ ...common, isTrashed: (id) => store.items.isTrashed({ kind: 'speech', id }) }),
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
        findUpload: findUploadIn(session.client.account, () => source()?.accessToken !== undefined),
        after: (ms, callback) => clock.after(ms, callback),
        folder: openAudioFolder(join(folder, 'voices')),
        writeFile: (path, bytes) => writeWholeFile(path, bytes, 0o600),
        readFile: (path) => readFile(path).catch(() => null),
        describeFile: (path) =>
          stat(path).then(
            ({ size, mtimeMs }) => ({ sizeBytes: size, mtimeMs }),
            () => null,
          ),
      }),
      ownVoices: createOwnVoices({ store: store.speech, api: session.client.clone }),
    };
  };
  const { writingRules = () => ({ replacements: [], hasCommands: false }) } = options;
  bringTakes(join(dataDir, modeOf(mode).libraryFolder ?? '.', takesFolderName), takesFolderOf(mode, dataDir));
  const cleanUp = createCleanUp(session.assistant, options.admitsCleanUp ?? (() => true));
  const dictation = createDictationService({
    live: session.client.live.dictation,
    takes: openTakesFolder(takesFolderOf(mode, dataDir)),
    rules: writingRules,
    style: options.writingStyle ?? (() => 'verbatim'),
    cleanUp: cleanUp.write,
    followers: options.dictationFollowers ?? [],
    isTrashed: (id) => store.items.isTrashed({ kind: 'dictation', id }),
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
      await sweepTraces(backups, [join(dataDir, 'peaks'), join(folder, 'prepared')])(gone);
    },
    queue: { uploadsAtOnce: options.concurrency ?? 2, takesUp: options.takesUp ?? 'everything' },
    assistant: session.assistant,
    live: session.client.live.dictation,
    nameSpeaker,
    backups,
    printPdf: options.printPdf ?? printByBrowser,
    cutAudio: createAudioCutter(options.audioWorker),
    search: openSearch(options.readingWorker, libraryPath, join(folder, 'search.db')),
    speech: openSpeech(),
    dictation: {
      dictation,
      rules: writingRules,
      costs: () => (isPractice ? null : costsOfPhrases(session.ledger)),
    },
    writer: openWriter(options.readingWorker, libraryPath),
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
      reader: openReader(options.readingWorker),
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
      library.jobs.onWake();
      dictation.tryNow();
    });
  void library.deletion.start();
  void library.conversations.sweepFiles();
  if (origin === 'service') library.sync.start();
  return ok({
    ...session,
    ...library,
    dictation,
    cleanUp,
    async saveTake(takeId, name) {
      const take = dictation.storedOf(takeId);
      const path = dictation.audioPath(takeId);
      if (take === null || path === null)
        return err(makeFailure('file-unreadable', { code: 'file_missing', params: { name } }));
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
      // Requests under way end by themselves; closing does not wait for them. What they write then fails.
      void session.client.close();
      void session.downloader.close();
    },
  });
}
