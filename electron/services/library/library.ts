import { createHash } from 'node:crypto';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { AssistantService } from '../assistant/assistant-service.ts';
import { createConversationService } from '../assistant/conversation-service.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import { createExportService } from '../exports/export-service.ts';
import type { AudioCutter, LongWriter, PdfRenderer } from '../exports/write-request.ts';
import { createIsolationService } from '../isolation/isolation-service.ts';
import { createQueue, type QueueOptions } from '../../queue/queue.ts';
import { fingerprintOf, type QueueDeps } from '../../queue/effects.ts';
import { createAtService } from '../library-items/at-service.ts';
import { createDeletion, type Traces } from '../library-items/deletion.ts';
import { createLibraryItems, type LibrarySearch } from '../library-items/library-items.ts';
import { createRecordings } from '../library-items/recordings.ts';
import {
  conversationSource,
  dictationSource,
  firstWords,
  isolationSource,
  speechSource,
  transcriptSource,
  type DictationSourcePorts,
  type SpeechSourcePorts,
} from '../library-items/sources.ts';
import { createSpeakerBook } from '../library-items/speaker-book.ts';
import { createFileInspector } from '../intake/intake.ts';
import type { AutomationEntry, AutomationKind, TraceSweeper } from './store.ts';
import { noRecording, preparedNameOf } from '../media/audio-extractor.ts';
import type { SpeechDocuments } from '../speech/speech-documents.ts';
import type { SaveSpeech } from '../speech/speech-file.ts';
import type { SpeechTakes } from '../speech/speech-takes.ts';
import { dictatedSource } from '../../../shared/domain/assistant/ask-messages.ts';
import { addTranscript, createTranscriptImport } from '../transcripts/import-transcript.ts';
import { createListenAgain } from '../transcripts/listen-again.ts';
import type { TextsInParts } from '../transcripts/text-in-parts.ts';
import { createTextSync } from '../transcripts/text-sync.ts';
import { createTranscriptService } from '../transcripts/transcript-service.ts';
import type { CloneService, OwnVoices } from '../voices/clone-service.ts';
import type { LibraryRecovery } from '../../storage/open-library-file.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

interface LibraryParts {
  readonly ports: QueueDeps;
  readonly writer: LongWriter & TextsInParts;
  readonly printPdf: PdfRenderer;
  readonly cutAudio: AudioCutter;
  readonly backups: Traces['backups'] & { close(): Promise<void> };
  readonly queue: QueueOptions;
  readonly assistant: AssistantService;
  readonly live: LiveDictation;
  readonly isPractice: boolean;
  readonly origin: Origin;
  readonly syncsEdits?: (() => boolean) | undefined;
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly notice: Failure | null;
  readonly recovery: LibraryRecovery;
  readonly sweep: TraceSweeper;
  readonly search: LibrarySearch;
  readonly dictation: DictationSourcePorts;
  readonly speech: {
    readonly documents: SpeechDocuments;
    readonly takes: SpeechTakes;
    readonly cloning: CloneService;
    readonly ownVoices: OwnVoices;
    readonly saveSpeech: SaveSpeech;
  } & SpeechSourcePorts;
}

/** Everything kept on this computer for one mode (S-55); `close` stops the queue first. */
export function createLibrary(parts: LibraryParts) {
  const { ports, writer, printPdf, cutAudio, backups, queue, isPractice, nameSpeaker, notice, recovery, search } =
    parts;
  const { files, extractor, api, log, clock } = ports;
  const jobs = createQueue(ports, queue);
  const account = (): string | null => {
    const connection = ports.connection();
    return connection && fingerprintOf(connection, connection.key);
  };
  const sweep: TraceSweeper = async (gone) => {
    await search.erase(gone.transcriptIds);
    // A dictation goes with the document that was made from it, and can be restored by itself.
    const takes = (await parts.dictation.dictation.everything()).filter(
      ({ transcriptId }) => transcriptId !== null && gone.transcriptIds.includes(transcriptId),
    );
    if (takes.length > 0) await items.trash(takes.map(({ id }) => ({ kind: 'dictation', id })));
    await parts.sweep(gone);
    // Erasing here does not wait for the service.
    void conversations.sweepFiles();
  };
  const deletion = createDeletion({
    store: ports.store,
    jobs,
    api,
    account,
    backups,
    sweep,
    eraseOthers: (refs) => items.erase(refs, false),
    clock,
    log,
  });
  // Everyone who reads sees pending deletions as gone.
  const store: LibraryStore = {
    ...ports.store,
    transcript: (id) => (deletion.isGone(id) ? ok(null) : ports.store.transcript(id)),
    transcriptFacts: (id) => (deletion.isGone(id) ? ok(null) : ports.store.transcriptFacts(id)),
    wordCount: (id) => (deletion.isGone(id) ? ok(null) : ports.store.wordCount(id)),
  };
  const isOn = parts.syncsEdits ?? (() => false);
  const sync = createTextSync({ store, texts: writer, api, clock, log, isOn });
  const transcripts = createTranscriptService({
    store,
    files,
    extractor,
    texts: writer,
    api,
    onTitleLeft: (id, title) => {
      sync.renamed(id, title);
    },
    log,
    isPractice,
    isTrashed: (id) => ports.store.items.isTrashed({ kind: 'transcript', id }),
    account,
  });
  const isolation = createIsolationService(ports, jobs, parts.live);
  const conversations = createConversationService({
    store: ports.store.conversations,
    notes: ports.store,
    log,
    transcript: (id) => ports.store.transcript(id),
    dictation(id) {
      const found = parts.dictation.dictation.read(id);
      if (found === null || ports.store.items.isTrashed({ kind: 'dictation', id })) return null;
      const { title, text, language } = found.summary;
      return { ...dictatedSource(id, title ?? firstWords(text), found.phrases), language };
    },
    nameSpeaker,
    assistant: parts.assistant,
    isGone: (transcriptId) => deletion.isGone(transcriptId),
    isTrashed: (id) => ports.store.items.isTrashed({ kind: 'conversation', id }),
    addTranscript: (beside, title, transcript) => {
      const media = ports.store.listMedia();
      if (!media.ok) return media;
      const sizeBytes = media.value.find(({ transcriptId: id }) => id === beside?.id)?.sizeBytes ?? 0;
      const transcriptId = ports.newId();
      const mediaPath = `${noRecording}${transcriptId}`;
      const mediaSha256 = createHash('sha256').update(mediaPath).digest('hex');
      const recording = beside ?? { mediaPath, mediaSha256, sourceName: title };
      const of = { store: ports.store, now: () => clock.now(), newId: ports.newId };
      const added = addTranscript(of, transcriptId, { ...recording, title, transcript, sizeBytes });
      return added.ok ? ok({ transcriptId }) : added;
    },
    now: () => clock.now(),
    newId: ports.newId,
  });
  const costs = () => parts.assistant.costs();
  const items = createLibraryItems({
    // Each kind of item in the library is one source here.
    sources: [
      transcriptSource({
        store: ports.store,
        transcripts,
        extractor,
        deletion,
        isPractice,
        costs,
        account,
      }),
      isolationSource({ store: ports.store, jobs, audio: ports.audio, backups, sweep }),
      dictationSource({
        ...parts.dictation,
        isShownAsDocument({ id, transcriptId }) {
          if (transcriptId === null || ports.store.items.isTrashed({ kind: 'dictation', id })) return false;
          const found = ports.store.transcriptFacts(transcriptId);
          return found.ok && found.value !== null;
        },
      }),
      speechSource({ ...parts.speech, eraseItems: ports.store.eraseItems, backups, sweep, isPractice }),
      conversationSource({ store: ports.store, conversations, backups, sweep, isPractice, costs }),
    ],
    store: ports.store.items,
    deletion,
    search,
    newId: ports.newId,
  });
  return {
    jobs,
    transcripts,
    sync,
    listenAgain: createListenAgain({ store, live: parts.live, now: () => clock.now() }),
    items,
    exports: createExportService({ store, files, extractor, writer, api, printPdf, cutAudio, nameSpeaker }),
    importTranscript: createTranscriptImport({
      store: ports.store,
      files,
      extractor,
      now: () => clock.now(),
      newId: ports.newId,
    }),
    files: createFileInspector(files, extractor),
    deletion,
    atService: createAtService(ports),
    recordings: createRecordings({ store: ports.store, files, extractor }),
    speakerBook: createSpeakerBook(ports.store, (id) => deletion.isGone(id), clock),
    isolation,
    conversations,
    keptAudio: () => findRetainedAudio({ store: ports.store, isThere: async (path) => (await files.peek(path)).ok }),
    speechDocuments: parts.speech.documents,
    speechTakes: parts.speech.takes,
    saveSpeech: parts.speech.saveSpeech,
    cloning: parts.speech.cloning,
    ownVoices: parts.speech.ownVoices,
    /** The record of automatic work, so that each thing is done once. */
    automation: {
      find(kind: AutomationKind, key: string): AutomationEntry | null {
        const found = store.automation(kind, key);
        return found.ok ? found.value : null;
      },
      note: (entry: AutomationEntry): void => void store.noteAutomation(entry),
      list(limit: number): readonly AutomationEntry[] {
        const found = store.automationLog(limit);
        return found.ok ? found.value : [];
      },
    },
    notice,
    recovery,
    async close(): Promise<void> {
      sync.close();
      parts.speech.cloning.close();
      await parts.speech.takes.close();
      isolation.close();
      await conversations.close();
      await jobs.stop();
      await backups.close();
      await deletion.close();
      await search.close();
      await extractor.close();
      await writer.close();
      store.close();
    },
  };
}

export type Library = ReturnType<typeof createLibrary>;

interface RetainedAudioPorts {
  readonly store: Pick<LibraryStore, 'loadJobs' | 'listPrepared'>;
  readonly isThere: (path: string) => Promise<boolean>;
}

/** Those of unfinished rows, and those whose recording is gone. Null: all, one is being prepared. */
export async function findRetainedAudio({
  store,
  isThere,
}: RetainedAudioPorts): Promise<Result<ReadonlySet<string> | null>> {
  const jobs = store.loadJobs();
  if (!jobs.ok) return jobs;
  if (jobs.value.some(({ memory }) => memory.state.tag === 'queued')) return ok(null);
  const played = store.listPrepared();
  if (!played.ok) return played;
  const kept = new Set<string>();
  for (const { kind, memory, path } of jobs.value) {
    // The original for a comparison stays as long as its row.
    const isOver = memory.state.tag === 'cancelled' || (memory.state.tag === 'done' && kind !== 'isolate');
    if (isOver) continue;
    const name = memory.intent?.preparedName ?? preparedNameOf(path);
    if (name !== null) kept.add(name);
  }
  for (const { preparedName, recording } of played.value) if (!(await isThere(recording))) kept.add(preparedName);
  return ok(kept);
}
