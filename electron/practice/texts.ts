import type { SpeechLanguage } from '../../shared/domain/languages.ts';

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
