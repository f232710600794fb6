import type { SpeechLanguage } from '../languages.ts';
import { capital } from '../text/fold-text.ts';
import { cutSpans, withoutStruckWords, mutedSpans } from '../transcript/edit-marks.ts';
import { inScript, type TranscriptScript } from '../transcript/in-script.ts';
import { joinInLines } from '../transcript/spoken-text.ts';
import { covers, type OptionValue } from './exporter.ts';
import { isRedacted, type Segment, type TimeSpan, type Transcript, type Word } from '../transcript/transcript.ts';

const fillers: Readonly<Record<SpeechLanguage, RegExp>> = {
  uz: /^(?:e{2,}|m{2,}|a{3,}|hm+|э{2,}|м{2,}|ҳм+)$/iu,
  ru: /^(?:э+|э-+э+|эм+|м{2,}|м-+м+|хм+|а{3,}|гм+)$/iu,
  en: /^(?:u+h+|u+m+|e+r+|e+r+m+|h+m+|m{2,}|a+h+)$/iu,
};

export interface PreparingOptions {
  readonly script: TranscriptScript;
  readonly omitsFillers: boolean;
  /** Times of the exported audio. */
  readonly followsCuts: boolean;
  readonly redactedAudio?: OptionValue | undefined;
}

/** What the exported audio is shorter by: what is covered keeps its length. */
export const leftOut = (transcript: Transcript, redactedAudio: OptionValue | undefined): readonly TimeSpan[] =>
  covers.some((cover) => cover === redactedAudio) ? cutSpans(transcript) : mutedSpans(transcript);

/** Only words that may leave the app: struck ones are removed and redacted ones masked here, for every format. */
export function prepareTranscript(
  transcript: Transcript,
  { script, omitsFillers, followsCuts, redactedAudio }: PreparingOptions,
  cuts = followsCuts ? leftOut(transcript, redactedAudio) : cutSpans(transcript),
): Transcript {
  let shown = inScript(withoutStruckWords(transcript), script);
  if (omitsFillers)
    shown = { ...shown, segments: shown.segments.map((segment) => withoutFillers(segment, fillers[shown.language])) };
  if (cuts.length === 0) return shown;
  return followsCuts ? closeCuts(shown, cuts) : { ...shown, cuts };
}

export function keptSpans(durationMs: number, cuts: readonly TimeSpan[]): readonly TimeSpan[] {
  const kept: TimeSpan[] = [];
  let from = 0;
  for (const { startMs, endMs } of cuts) {
    if (startMs > from) kept.push({ startMs: from, endMs: startMs });
    from = Math.max(from, endMs);
  }
  if (durationMs > from) kept.push({ startMs: from, endMs: durationMs });
  return kept;
}

const bare = (word: string): string => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

function withoutFillers(segment: Segment, filler: RegExp): Segment {
  const words: Word[] = [];
  const places: number[] = [];
  let beginsSentence = false;
  for (const [place, word] of segment.words.entries()) {
    if (filler.test(bare(word.text))) {
      // "Um, we left" becomes "We left"; the full stop of "left, um." is kept.
      if (/^\p{Lu}/u.test(bare(word.text))) beginsSentence = true;
      const end = /[.!?…]+$/u.exec(word.text)?.[0];
      const last = words.at(-1);
      if (end !== undefined && last !== undefined)
        words[words.length - 1] = { ...last, text: last.text.replace(/[,;:—–.!?…-]+$/u, '') + end };
      continue;
    }
    words.push(beginsSentence ? { ...word, text: capital(word.text) } : word);
    places.push(place);
    beginsSentence = false;
  }
  if (words.length === segment.words.length) return segment;
  const texts = words.map(({ text }) => text);
  return { ...segment, words, text: joinInLines(segment.text, texts, places) };
}

export function timeWithoutCuts(cuts: readonly TimeSpan[]): (ms: number) => number {
  const removedBefore: number[] = [0];
  for (const { startMs, endMs } of cuts) removedBefore.push((removedBefore.at(-1) ?? 0) + endMs - startMs);
  return (ms) => {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cuts[middle]?.startMs ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    const cut = cuts[low - 1];
    return ms - (removedBefore[low] ?? 0) + (cut === undefined ? 0 : Math.max(0, cut.endMs - ms));
  };
}

/** The opposite; where a cut was, the moment after it. */
export const timeWithCuts =
  (cuts: readonly TimeSpan[]) =>
  (ms: number): number =>
    cuts.reduce((at, { startMs, endMs }) => (startMs <= at ? at + endMs - startMs : at), ms);

/** Masks stay between words that are heard; a segment of nothing else that takes no time is gone. */
function closeCuts(transcript: Transcript, cuts: readonly TimeSpan[]): Transcript {
  const moved = timeWithoutCuts(cuts);
  const place = <T extends TimeSpan>(part: T): T => ({
    ...part,
    startMs: moved(part.startMs),
    endMs: moved(part.endMs),
  });
  const { cuts: _closed, ...rest } = transcript;
  return {
    ...rest,
    durationMs: moved(transcript.durationMs),
    segments: transcript.segments.flatMap((segment) => {
      const words = segment.words.map(place);
      const isHeard = (word: Word) => !isRedacted(word) || word.endMs > word.startMs;
      return words.length > 0 && !words.some(isHeard) ? [] : [{ ...place(segment), words }];
    }),
  };
}
