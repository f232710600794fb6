import type { SpeechTake } from '../../shared/domain/speech/speech-document.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { RequestInput, RequestOutput, StreamOptions } from '../../shared/ipc/derive.ts';

/** Contract types that screens name; exported here because screens may not import the contract. */
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

/** The kind of the jobs that files are added as, with its options. */
export type JobOptions = RequestInput<Contract, 'jobs.addDropped'>['options'];
export type ListedTranscript = RequestOutput<Contract, 'transcripts.list'>['transcripts'][number];
/** Everything in the library, with its folders. */
export type LibraryListing = RequestOutput<Contract, 'library.list'>;
/** A take with the address of its audio; null until it is made. */
export type ShownTake = SpeechTake & { readonly mediaUrl: string | null };
/** A text of the speech history, with its current takes. */
export type ListedVoices = RequestOutput<Contract, 'speak.voices'>;
export type SpokenText = RequestOutput<Contract, 'speak.history'>['texts'][number];
export type { AttachedFile, ExchangeView } from '../../shared/ipc/contract-ask.ts';
/** Questions with their answers, and the cited passages. */
/** The problems of a file's captions. */
export type SubtitleCheck = RequestOutput<Contract, 'exports.check'>;
/** The options of the stream `exports.many`. */
export type ManyExportsOptions = StreamOptions<Contract, 'exports.many'>;

export type SaveRequest = RequestInput<Contract, 'exports.save'>;
export type SavedExport = RequestOutput<Contract, 'exports.save'>;

export type Conversation = RequestOutput<Contract, 'ask.open'>;
export type CitedLine = Conversation['cited'][number];
/** An available model with its prices. */
export type Model = RequestOutput<Contract, 'ask.models'>['models'][number];
/** A question, as its cost is estimated. */
export type Asked = RequestInput<Contract, 'ask.estimate'>;
/** The voice being cloned, with the addresses of its recordings. */
export type ShownDraft = RequestOutput<Contract, 'clone.send'>['draft'];
export type { LocalModelView } from '../../shared/ipc/contract-models.ts';
