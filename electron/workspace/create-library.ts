import type { Origin } from '../../shared/domain/modes.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { refKey } from '../../shared/domain/library/library-item.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok } from '../../shared/result/result.ts';
import type { OpenDictation } from '../services/dictation/phrase-sender.ts';
import type { AssistantService } from '../services/assistant/assistant-service.ts';
import { createConversationService } from '../services/assistant/conversation-service.ts';
import { createExportService } from '../services/exports/export-service.ts';
import type { AudioCutter } from '../services/exports/audio-cutter.ts';
import type { LongWriter, PdfRenderer } from '../services/exports/long-writer.ts';
import { createIsolationService } from '../services/isolation/isolation-service.ts';
import { createJobQueue, type QueueOptions } from '../services/jobs/job-queue.ts';
import { findRetainedAudio } from '../services/media/retained-audio.ts';
import type { QueuePorts } from '../services/jobs/ports.ts';
import { createDeletion, type DailyCopies, type TraceSweeper } from '../services/transcripts/deletion.ts';
import type { TextsInParts } from '../services/transcripts/text-in-parts.ts';
import type { SpeechDocuments } from '../services/speech/speech-documents.ts';
import type { SpeechTakes } from '../services/speech/speech-takes.ts';
import type { CloneService } from '../services/voices/clone-service.ts';
import type { OwnVoices } from '../services/voices/own-voices.ts';
import { addTranscript, createTranscriptImport } from '../services/transcripts/import-transcript.ts';
import { createListenAgain } from '../services/transcripts/listen-again.ts';
import { createTextSync } from '../services/transcripts/text-sync.ts';
import { createTranscriptService } from '../services/transcripts/transcript-service.ts';
import { conversationSource } from '../services/library-items/conversation-source.ts';
import { dictationSource, type DictationSourcePorts } from '../services/library-items/dictation-source.ts';
import type { Filing } from '../services/library-items/filing.ts';
import { createAtService } from '../services/library-items/at-service.ts';
import { createRecordings } from '../services/library-items/recordings.ts';
import { createLibraryItems } from '../services/library-items/library-items.ts';
import { isolationSource } from '../services/library-items/isolation-source.ts';
import type { LibrarySearch } from '../services/library-items/library-search.ts';
import { createSpeakerBook } from '../services/library-items/speaker-book.ts';
import { speechSource, type SpeechSourcePorts } from '../services/library-items/speech-source.ts';
import { transcriptSource } from '../services/library-items/transcript-source.ts';
import type { SaveSpeech } from '../services/speech/speech-file.ts';
import { createFileInspector } from '../services/library/file-inspector.ts';
import type { LibraryStore } from '../services/library/store.ts';
import type { Library } from '../services/library/library.ts';
import type { LibraryRecovery } from '../services/library/recovery.ts';

export interface LibraryParts {
  readonly ports: QueuePorts;
  readonly writer: LongWriter & TextsInParts;
  readonly printPdf: PdfRenderer;
  readonly cutAudio: AudioCutter;
  /** The daily copies of its file. */
  readonly copies: DailyCopies;
  readonly queue: QueueOptions;
  readonly assistant: AssistantService;
  readonly dictate: OpenDictation;
  readonly isPractice: boolean;
  readonly origin: Origin;
  /** Whether edited texts are sent to the account. */
  readonly syncsEdits?: (() => boolean) | undefined;
  /** "Speaker 2" in the language of the recording. */
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly notice: Failure | null;
  readonly recovery: LibraryRecovery;
  /** Removes traces of deleted transcripts outside the database. */
  readonly sweep: TraceSweeper;
  readonly search: LibrarySearch;
  readonly filing: Filing;
  readonly dictation: DictationSourcePorts;
  readonly speech: {
    readonly documents: SpeechDocuments;
    readonly takes: SpeechTakes;
    readonly cloning: CloneService;
    readonly ownVoices: OwnVoices;
    readonly saveSpeech: SaveSpeech;
  } & SpeechSourcePorts;
}

/** The services of one library over its store; `close` stops the queue first. */
export function createLibrary(parts: LibraryParts): Library & { close(): Promise<void> } {
  const {
    ports,
    writer,
    printPdf,
    cutAudio,
    copies,
    queue,
    isPractice,
    origin,
    nameSpeaker,
    notice,
    recovery,
    search,
  } = parts;
  const { files, extractor, api, log, clock } = ports;
  const jobs = createJobQueue(ports, queue);
  const sweep: TraceSweeper = async (gone) => {
    await search.erase(gone.transcriptIds);
    await parts.sweep(gone);
    // Erasing here does not wait for the service.
    void conversations.sweepFiles();
  };
  const deletion = createDeletion({ store: ports.store, jobs, api, copies, sweep, origin, clock, log });
  // Everyone who reads sees pending deletions as gone.
  const store: LibraryStore = {
    ...ports.store,
    transcript: (id) => (deletion.isGone(id) ? ok(null) : ports.store.transcript(id)),
    transcriptFacts: (id) => (deletion.isGone(id) ? ok(null) : ports.store.transcriptFacts(id)),
    wordCount: (id) => (deletion.isGone(id) ? ok(null) : ports.store.wordCount(id)),
    edit: (id, baseRevision, edits) => (deletion.isGone(id) ? ok(null) : ports.store.edit(id, baseRevision, edits)),
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
    clock,
    isPractice,
    isTrashed: (id) => deletion.trashed().has(id),
  });
  const isolation = createIsolationService(ports, jobs, parts.dictate);
  const conversations = createConversationService({
    store: ports.store.conversations,
    notes: ports.store,
    log,
    transcript: (id) => ports.store.transcript(id),
    nameSpeaker,
    assistant: parts.assistant,
    isGone: (transcriptId) => deletion.isGone(transcriptId),
    isTrashed: () => {
      const { trashed } = parts.filing.read();
      return (id) => refKey({ kind: 'conversation', id }) in trashed;
    },
    addTranscript: (beside, title, transcript) => {
      const media = ports.store.listMedia();
      if (!media.ok) return media;
      const sizeBytes = media.value.find(({ transcriptId: id }) => id === beside.id)?.sizeBytes ?? 0;
      const transcriptId = ports.newId();
      const of = { store: ports.store, now: () => clock.now(), newId: ports.newId };
      const added = addTranscript(of, transcriptId, { ...beside, title, transcript, sizeBytes });
      return added.ok ? ok({ transcriptId }) : added;
    },
    now: () => clock.now(),
    newId: ports.newId,
  });
  const items = createLibraryItems({
    // Each kind of item in the library is one source here.
    sources: [
      transcriptSource({ store: ports.store, transcripts, extractor, deletion, isPractice }),
      isolationSource({ store: ports.store, jobs, audio: ports.audio, copies, sweep }),
      dictationSource({
        ...parts.dictation,
        isShownAsDocument({ id, transcriptId }) {
          if (transcriptId === null || deletion.isGone(transcriptId)) return false;
          const found = ports.store.transcriptFacts(transcriptId);
          return found.ok && found.value !== null && !parts.filing.isTrashed({ kind: 'dictation', id });
        },
      }),
      speechSource({ ...parts.speech, copies, sweep }),
      conversationSource({ store: ports.store, conversations, copies, sweep, isPractice }),
    ],
    filing: parts.filing,
    search,
    newId: ports.newId,
    now: () => clock.now(),
  });
  return {
    jobs,
    transcripts,
    sync,
    listenAgain: createListenAgain({ store, dictate: parts.dictate, now: () => clock.now() }),
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
    automation: {
      find(kind, key) {
        const found = store.automation(kind, key);
        return found.ok ? found.value : null;
      },
      note: (entry) => void store.noteAutomation(entry),
      list(limit) {
        const found = store.automationLog(limit);
        return found.ok ? found.value : [];
      },
    },
    notice,
    recovery,
    async close() {
      sync.close();
      parts.speech.cloning.close();
      await parts.speech.takes.close();
      isolation.close();
      await conversations.close();
      await jobs.stop();
      await copies.close();
      await deletion.close();
      await search.close();
      await extractor.close();
      await writer.close();
      store.close();
    },
  };
}
