import type { SpeechRequest } from '../../../../shared/domain/speech/blocks.ts';
import type { SpeechDocument } from '../../../../shared/domain/speech/speech-document.ts';
import type { VoiceMarks } from '../../../../shared/domain/speech/voices.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import type { Pronunciations } from './request-reader.ts';

export interface BeginOptions {
  /** Another take of existing content; it is charged. */
  readonly isNewTake?: boolean;
  /** The user accepts that it may be charged twice (E-041). */
  readonly sendsAgain?: boolean;
}

/** `count`: how many sentences, by default all that follow. */
export type SpeakOptions = BeginOptions & { readonly count?: number };

/** The work in progress on a block. */
export type BlockWork =
  | { readonly kind: 'waiting' | 'generating' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What the section shows and works on. */
export interface SpeakState {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Why there is no document, or why the open one was not left for another. */
  readonly failure: Failure | null;
  readonly document: SpeechDocument | null;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly updatedAtMs: number }[];
  readonly pronunciations: Pronunciations;
  readonly marks: VoiceMarks;
  /** The request of each block, in order. */
  readonly requests: readonly SpeechRequest[];
  readonly takes: ReadonlyMap<string, ShownTake>;
  readonly byIdentity: ReadonlyMap<string, ShownTake>;
  readonly work: ReadonlyMap<string, BlockWork>;
  readonly isGenerating: boolean;
  /** What was asked for while it is open which voice reads some of its sentences; nothing of it was sent. */
  readonly held: { readonly blockId: string; readonly options: SpeakOptions } | null;
  /** The sentence that playback ended before, because it has no audio. */
  readonly gapId: string | null;
  /** A reading of the user's own that its sentence lost when its words changed. */
  readonly lostReading: { readonly blockId: string; readonly readAs: string } | null;
  /** Why the last order was rejected as a whole. */
  readonly orderFailure: Failure | null;
  readonly saving: 'saved' | 'saving' | Failure;
  /** Incremented by every change from outside the text pane, which then renders the text again. */
  readonly textRevision: number;
  /** The document before each change that can be undone, and after each that was. */
  readonly steps: readonly SpeechDocument[];
  readonly undone: readonly SpeechDocument[];
}

/** Before anything was asked. */
export const initialState: SpeakState = {
  status: 'loading',
  failure: null,
  document: null,
  documents: [],
  pronunciations: {},
  marks: { favourites: [], recent: [] },
  requests: [],
  takes: new Map(),
  byIdentity: new Map(),
  work: new Map(),
  isGenerating: false,
  held: null,
  gapId: null,
  lostReading: null,
  orderFailure: null,
  saving: 'saved',
  textRevision: 0,
  steps: [],
  undone: [],
};
