import {
  msOfSamples,
  textOfPhrases,
  writePhrases,
  type WritingRules,
} from '../../../shared/domain/dictation/written-phrases.ts';
import type { TakeSummary } from '../../../shared/domain/dictation/take-view.ts';
import type { StoredTake } from './takes-store.ts';

export function summariseTake({ facts, phrases }: StoredTake, rules: WritingRules, isRecording: boolean): TakeSummary {
  return {
    id: facts.id,
    startedAtMs: facts.startedAtMs,
    title: facts.title,
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
