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
