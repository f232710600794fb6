import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { AutomationEntry, AutomationKind } from '../automation/automation-log.ts';
import type { ExportService } from '../exports/export-service.ts';
import type { AtService } from '../library-items/at-service.ts';
import type { Recordings } from '../library-items/recordings.ts';
import type { SpeakerBook } from '../library-items/speaker-book.ts';
import type { LibraryItems } from '../library-items/library-items.ts';
import type { IsolationService } from '../isolation/isolation-service.ts';
import type { TranscriptImport } from '../transcripts/import-transcript.ts';
import type { JobService } from '../jobs/job-service.ts';
import type { ConversationService } from '../assistant/conversations.ts';
import type { DeletionService } from '../transcripts/deletion.ts';
import type { SpeechDocuments } from '../speech/speech-documents.ts';
import type { SaveSpeech } from '../speech/speech-file.ts';
import type { SpeechTakes } from '../speech/speech-takes.ts';
import type { ListenAgain } from '../transcripts/listen-again.ts';
import type { CloneService } from '../voices/clone-service.ts';
import type { OwnVoices } from '../voices/own-voices.ts';
import type { TextSync } from '../transcripts/text-sync.ts';
import type { TranscriptService } from '../transcripts/transcript-service.ts';
import type { FileInspector } from './file-inspector.ts';
import type { LibraryRecovery } from './recovery.ts';

/** Everything kept on this computer for one mode: its queue, its transcripts and the services for them (S-55). */
export interface Library {
  readonly jobs: JobService;
  readonly transcripts: TranscriptService;
  readonly sync: TextSync;
  readonly listenAgain: ListenAgain;
  readonly exports: ExportService;
  readonly importTranscript: TranscriptImport;
  readonly files: FileInspector;
  readonly deletion: DeletionService;
  /** Everything ever made, of every kind. */
  readonly items: LibraryItems;
  readonly atService: AtService;
  readonly recordings: Recordings;
  readonly speakerBook: SpeakerBook;
  readonly isolation: IsolationService;
  readonly speechDocuments: SpeechDocuments;
  readonly speechTakes: SpeechTakes;
  readonly saveSpeech: SaveSpeech;
  /** The voice that is being cloned, and earlier ones. */
  readonly cloning: CloneService;
  readonly ownVoices: OwnVoices;
  readonly conversations: ConversationService;
  /** Names of the audio files in the library's folder that must stay; null: all of them at this moment. */
  keptAudio(): Promise<Result<ReadonlySet<string> | null>>;
  /** The record of automatic work, so that each thing is done once. After a disk error it is tried again later. */
  readonly automation: {
    find(kind: AutomationKind, key: string): AutomationEntry | null;
    note(entry: AutomationEntry): void;
    /** The newest first. */
    list(limit: number): readonly AutomationEntry[];
  };
  /** E-182 when a damaged library was set aside at start and restored as far as possible; otherwise null. */
  readonly notice: Failure | null;
  readonly recovery: LibraryRecovery;
}
