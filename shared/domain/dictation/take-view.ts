import type { SpeechLanguage } from '../languages.ts';
import type { Failure } from '../../result/failure.ts';
import type { WrittenRewriting } from './rewriting.ts';
import type { WrittenPhrase } from './written-phrases.ts';

/** `hold`: while a key is held down; `toggle`: from one press to the next; `hands-free`: each pause ends a phrase. */
export const dictationModes = ['hold', 'toggle', 'hands-free'] as const;
export type DictationMode = (typeof dictationModes)[number];

/** `stopped`: until `triesAgainMs` or the user asks; `held`: no credits. Recording goes on in every state. */
export type SendingState =
  | { readonly kind: 'connecting' | 'live' | 'reconnecting' | 'idle'; readonly failure?: Failure }
  | { readonly kind: 'held'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly failure: Failure; readonly triesAgainMs: number | null };

export interface TakeSummary {
  readonly id: string;
  readonly startedAtMs: number;
  readonly title: string | null;
  readonly durationMs: number;
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  readonly device: string;
  readonly isRecording: boolean;
  readonly isPinned: boolean;
  readonly hasSound: boolean;
  readonly transcriptId: string | null;
  readonly text: string;
  readonly phraseCount: number;
  readonly waitingCount: number;
  readonly discardedMs: number;
  readonly deliveredTo: string | null;
  /** How much audio the microphone side lost, by its own count. */
  readonly lostMs: number;
}

export interface TakeChange {
  readonly takeId: string;
  readonly startedAtMs: number;
  readonly phrases: readonly WrittenPhrase[] | null;
  readonly rewritings: readonly WrittenRewriting[];
  readonly sending: SendingState | null;
  readonly isRecording: boolean;
  /** The disk refuses writes; audio is kept in memory for a minute. */
  readonly hasDiskTrouble: boolean;
}

/** `near`: the phrase ends at the next pause; `kept`: the text was inserted nowhere; `error`: no microphone. */
export type OverlayStateName = 'ready' | 'listening' | 'near' | 'offline' | 'sending' | 'text' | 'kept' | 'error';
