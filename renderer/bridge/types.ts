import type { SpeechTake } from '../../shared/domain/speech/speech-document.ts';
/** The shapes of the contract that screens name; they come through here because screens may not reach the contract. */
export type { LibrarySearchAnswer } from '../../shared/ipc/contract-library.ts';
export type {
  AddedFiles,
  Capabilities,
  ConnectionReport,
  ConnectionState,
  RecoveryState,
  StorageUse,
  Settings,
  TranscriptDetail,
} from '../../shared/ipc/schemas.ts';
export type { IsolatedAudio, ResultFile } from '../../shared/ipc/contract-isolation.ts';

/** A generation with where its audio is; null until it is made. */
export type ShownTake = SpeechTake & { readonly mediaUrl: string | null };
