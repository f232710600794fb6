import type { SpeechRequest } from '../../../../shared/domain/speech/blocks.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { Pronunciation } from '../../../../shared/domain/speech/find-readings.ts';
import type { SpeechDocument } from '../../../../shared/domain/speech/speech-document.ts';
import type { VoiceMarks } from '../../../../shared/domain/speech/voices.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { ShownTake } from '../../../bridge/types.ts';

export type Pronunciations = Readonly<Partial<Record<SpeechLanguage, readonly Pronunciation[]>>>;

export interface BeginOptions {
  /** Another take of existing content; it is charged. */
  readonly isNewTake?: boolean;
  /** The user accepts that it may be charged twice (job-not-found). */
  readonly sendsAgain?: boolean;
}

/** `count`: how many sentences, by default all that follow. */
export type SpeakOptions = BeginOptions & { readonly count?: number };

export type BlockWork =
  | { readonly kind: 'waiting' | 'generating' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface SpeakState {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Why there is no document, or why the open one was not left for another. */
  readonly failure: Failure | null;
  readonly document: SpeechDocument | null;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly updatedAtMs: number }[];
  readonly pronunciations: Pronunciations;
  readonly marks: VoiceMarks;
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
  readonly orderFailure: Failure | null;
  readonly saving: 'saved' | 'saving' | Failure;
  /** Incremented by every change from outside the text pane, which then renders the text again. */
  readonly textRevision: number;
  /** The document before each change that can be undone, and after each that was. */
  readonly steps: readonly SpeechDocument[];
  readonly undone: readonly SpeechDocument[];
}

export const untouched = {
  byIdentity: new Map(),
  work: new Map(),
  held: null,
  gapId: null,
  lostReading: null,
  saving: 'saved',
  steps: [],
  undone: [],
} as const;

export const initialState: SpeakState = {
  ...untouched,
  status: 'loading',
  failure: null,
  document: null,
  documents: [],
  pronunciations: {},
  marks: { favourites: [], recent: [] },
  requests: [],
  takes: new Map(),
  isGenerating: false,
  orderFailure: null,
  textRevision: 0,
};
