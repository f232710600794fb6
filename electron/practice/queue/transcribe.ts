import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Measured } from '../analysis/measured.ts';
import { findSample } from '../samples.ts';
import type { StoredSegment } from '../state/records.ts';
import { joinSpeech, practiceNote } from '../texts.ts';

export interface Transcribed {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly segments: readonly StoredSegment[];
}

/**
 * The known words of a bundled sample, or for any other recording one note per stretch of speech, which says that
 * nothing was recognised. A transcript of practice mode never contains anything else.
 */
export function transcribe(
  audio: Measured,
  order: { readonly language: SpeechLanguage; readonly includeSpeakers: boolean; readonly audioSha256: string },
): Transcribed {
  const durationMs = audio.durationMs;
  const sample = findSample(order.audioSha256);
  if (sample !== null) {
    const segments = sample.segments.map(({ speaker, ...segment }) =>
      order.includeSpeakers ? { ...segment, speaker } : segment,
    );
    return { language: sample.language, durationMs, segments };
  }
  const segments = joinSpeech(audio.speech).map(({ startMs, endMs }) => ({
    startMs,
    endMs,
    text: practiceNote(order.language, startMs, endMs),
    words: [],
  }));
  return { language: order.language, durationMs, segments };
}
