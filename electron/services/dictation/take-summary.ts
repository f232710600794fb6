import {
  msOfSamples,
  textOfPhrases,
  writePhrases,
  type WritingRules,
} from '../../../shared/domain/dictation/written-phrases.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { DictationMode, StoredTake } from './takes-store.ts';

/** A take as people see it in a list. */
export interface TakeSummary {
  readonly id: string;
  readonly startedAtMs: number;
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
  readonly deliveredTo: string | null;
  readonly lostMs: number;
}

export function summariseTake({ facts, phrases }: StoredTake, rules: WritingRules, isRecording: boolean): TakeSummary {
  return {
    id: facts.id,
    startedAtMs: facts.startedAtMs,
    durationMs: msOfSamples(facts.captured),
    language: facts.language,
    mode: facts.mode,
    device: facts.device,
    isRecording,
    isPinned: facts.isPinned,
    hasSound: facts.hasSound,
    transcriptId: facts.transcriptId,
    text: textOfPhrases(writePhrases(phrases, rules)),
    phraseCount: phrases.length,
    waitingCount: phrases.filter(({ state }) => state === 'waiting' || state === 'failed').length,
    deliveredTo: phrases.findLast(({ deliveredTo }) => deliveredTo !== null)?.deliveredTo ?? null,
    lostMs: facts.lostMs,
  };
}
