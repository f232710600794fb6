import type { SpeechTake } from '../../shared/domain/speech/speech-document.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { RequestInput, RequestOutput, StreamOptions } from '../../shared/ipc/derive.ts';

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

/** Everything in the library, with its folders. */
export type LibraryListing = RequestOutput<Contract, 'library.list'>;
/** A generation with where its audio is; null until it is made. */
export type ShownTake = SpeechTake & { readonly mediaUrl: string | null };
/** A text of the history of speech, with what is heard of it. */
export type SpokenText = RequestOutput<Contract, 'speak.history'>['texts'][number];
export type { ExchangeView } from '../../shared/ipc/contract-ask.ts';
/** Questions with their answers, and the passages that these name. */
/** What is wrong with the captions of a file. */
export type SubtitleCheck = RequestOutput<Contract, 'exports.check'>;
/** What the stream `exports.many` is opened with. */
export type ManyExportsOptions = StreamOptions<Contract, 'exports.many'>;

export type SaveRequest = RequestInput<Contract, 'exports.save'>;

export type Conversation = RequestOutput<Contract, 'ask.open'>;
/** A model that can be asked, with its prices. */
export type Model = RequestOutput<Contract, 'ask.models'>['models'][number];
/** A question, as its cost is estimated. */
export type Asked = RequestInput<Contract, 'ask.estimate'>;
/** The voice that is being cloned, with where its recordings are. */
export type ShownDraft = RequestOutput<Contract, 'clone.send'>['draft'];
