import {
  type WritingRules,
  msOfSamples,
  textOfPhrases,
  writePhrases,
} from '../../../shared/domain/dictation/written-phrases.ts';
import type { TakeSummary } from '../../../shared/domain/dictation/take-view.ts';
import type { StoredTake, TakeRecord } from './takes-store.ts';

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

/** A take that is never stored on disk: its audio is in memory until it is closed. */
export function createMemoryTake(): TakeRecord {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    spool: {
      get samples() {
        return bytes / 2;
      },
      append(pcm) {
        chunks.push(Uint8Array.from(pcm));
        bytes += pcm.length;
      },
      read(fromSample, toSample) {
        const audio = new Uint8Array((toSample - fromSample) * 2);
        let at = 0;
        for (const chunk of chunks) {
          const from = Math.max(0, fromSample * 2 - at);
          const to = Math.min(chunk.length, toSample * 2 - at);
          if (to > from) audio.set(chunk.subarray(from, to), at + from - fromSample * 2);
          at += chunk.length;
          if (at >= toSample * 2) break;
        }
        return audio;
      },
    },
    write: () => undefined,
    finish: async () => true,
    close: () => {
      chunks.length = 0;
    },
  };
}
