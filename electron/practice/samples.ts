import { z } from 'zod';
import interviewUz from '../../assets/samples/interview-uz.json' with { type: 'json' };
import lectureRu from '../../assets/samples/lecture-ru.json' with { type: 'json' };
import podcastEn from '../../assets/samples/podcast-en.json' with { type: 'json' };
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Measured } from './analysis-worker.ts';
import type { StoredSegment } from './transcriptions.ts';

const sampleFile = z.object({
  language: z.enum(speechLanguages),
  audioSha256: z.string().regex(/^[0-9a-f]{64}$/),
  segments: z.array(
    z.object({
      startMs: z.int(),
      endMs: z.int(),
      speaker: z.string(),
      text: z.string(),
      words: z.array(z.object({ text: z.string(), startMs: z.int(), endMs: z.int() })),
    }),
  ),
});

/** Times in whole milliseconds; `audioSha256` is the hash of the shipped file. */
type Sample = z.output<typeof sampleFile>;

const samples: readonly Sample[] = z.array(sampleFile).parse([interviewUz, lectureRu, podcastEn]);

/** The bundled recording with exactly these bytes; its words and times are known because we wrote and recorded them. */
export const findSample = (audioSha256: string): Sample | null =>
  samples.find((sample) => sample.audioSha256 === audioSha256) ?? null;

const notes: Readonly<Record<SpeechLanguage, (seconds: number) => string>> = {
  en: (seconds) => `(speech, ${seconds} s)`,
  ru: (seconds) => `(речь, ${seconds} с)`,
  uz: (seconds) => `(nutq, ${seconds} s)`,
};

/** The text in place of recognised words: practice mode heard something, for how long, and no invented words. */
export const practiceNote = (language: SpeechLanguage, startMs: number, endMs: number): string =>
  notes[language](Math.max(1, Math.round((endMs - startMs) / 1000)));

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Pauses as long as a breath don't end a turn: a recording of two hours then has hundreds of notes, not thousands. */
const longestPauseMs = 1500;
const longestNoteMs = 60_000;

/** Merges stretches of speech with only short pauses between them. */
export function joinSpeech(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const { startMs, endMs } of spans) {
    const last = joined.at(-1);
    const isNear =
      last !== undefined && startMs - last.endMs <= longestPauseMs && endMs - last.startMs <= longestNoteMs;
    if (isNear) joined[joined.length - 1] = { startMs: last.startMs, endMs };
    else joined.push({ startMs, endMs });
  }
  return joined;
}

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
