import type { SpeechLanguage } from '../languages.ts';
import type { Failure } from '../../result/failure.ts';
import type { SampleAccount } from './take.ts';
import type { WrittenPhrase } from './written-phrases.ts';

/** `hold`: while a key is held down; `toggle`: from one press to the next; `hands-free`: each pause ends a phrase. */
export const dictationModes = ['hold', 'toggle', 'hands-free'] as const;
export type DictationMode = (typeof dictationModes)[number];

/**
 * `stopped`: nothing is sent until the next try, which happens after `triesAgainMs`, or when the user asks; `held`: the
 * account has no credits. Recording goes on in every state.
 */
export type SendingState =
  | { readonly kind: 'connecting' | 'live' | 'reconnecting' | 'idle'; readonly failure?: Failure }
  | { readonly kind: 'held'; readonly failure: Failure }
  | { readonly kind: 'stopped'; readonly failure: Failure; readonly triesAgainMs: number | null };

/** A take as people see it in a list. */
export interface TakeSummary {
  readonly id: string;
  readonly startedAtMs: number;
  /** Given by the user; null: its first words are shown. */
  readonly title: string | null;
  readonly durationMs: number;
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  /** As the system names the microphone. */
  readonly device: string;
  readonly isRecording: boolean;
  readonly isPinned: boolean;
  readonly hasSound: boolean;
  /** The transcript in the library that was made from it. */
  readonly transcriptId: string | null;
  readonly text: string;
  readonly phraseCount: number;
  readonly waitingCount: number;
  readonly deliveredTo: string | null;
  /** How much audio the microphone side lost, by its own count. */
  readonly lostMs: number;
}

/** What changed in a take that is open. */
export interface TakeChange {
  readonly takeId: string;
  readonly startedAtMs: number;
  /** All of them, in order; null: as before. */
  readonly phrases: readonly WrittenPhrase[] | null;
  readonly sending: SendingState | null;
  readonly account: SampleAccount;
  readonly isRecording: boolean;
  /** The disk refuses writes; audio is kept in memory for a minute. */
  readonly hasDiskTrouble: boolean;
}

/**
 * `ready`: the key may be pressed; `listening`: the microphone is on; `near`: it is, and the phrase ends at the next
 * pause; `offline`: it is, and nothing can be sent; `sending`: waiting for the text; `text`: it arrived; `kept`: it
 * arrived and was inserted nowhere; `error`: the microphone is gone.
 */
export type OverlayStateName = 'ready' | 'listening' | 'near' | 'offline' | 'sending' | 'text' | 'kept' | 'error';
