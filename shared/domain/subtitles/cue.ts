import { cleanLine } from '../exports/format-text.ts';
import { areAllGuesses, fitWords } from '../transcript/realign-words.ts';
import type { Segment } from '../transcript/transcript.ts';

export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
  readonly speakerId: string | null;
}

export interface CueWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Set when its time is an estimate, which may be moved. */
  readonly isEstimated?: true;
  readonly isItalic?: true;
  /** When it is really said, of a word that was moved to give a typed sentence time. */
  readonly saidMs?: number;
}

/** `rows`: the words of each line without the speaker's name; `segmentIds`: where they are from. */
export interface TimedCue extends Cue {
  readonly rows: readonly (readonly CueWord[])[];
  readonly prefix: string;
  readonly segmentIds: readonly string[];
  /** The words in the lines of the segment, where a line break of it is lost or it became several captions. */
  readonly ownRows?: readonly (readonly CueWord[])[];
}

/** Whether a line is what somebody answers in a dialogue. A hyphen before a digit is a minus. */
export const hasTurnDash = (line: string): boolean => /^(?:[—–]|-(?!\p{N}))/u.test(line);

export const lettersOf = ({ lines }: Pick<Cue, 'lines'>): number =>
  lines.reduce((sum, line) => sum + line.length, Math.max(0, lines.length - 1));

export const readingSpeedOf = (cue: Omit<Cue, 'speakerId'>): number =>
  (lettersOf(cue) * 1000) / Math.max(1, cue.endMs - cue.startMs);

export function wordsOf(segment: Segment): readonly CueWord[] {
  return segment.words.length === 0 ? untimedWords(segment) : segment.words.flatMap(cleanWords);
}

/** Slower than anybody speaks: what takes longer has silence in it, which nobody knows the place of. */
const slowestLetterMs = 400;

/** The words of a segment, closer to the first one where little was said in a long time that is only guessed. */
export function pacedWords(segment: Segment): readonly CueWord[] {
  const { words } = segment;
  const [first] = words;
  if (first === undefined) return untimedWords(segment);
  if (!areAllGuesses(words)) return words;
  const { startMs } = first;
  const letters = words.reduce((sum, { text }) => sum + text.length + 1, 0);
  const endMs = startMs + letters * slowestLetterMs;
  return endMs < (words.at(-1)?.endMs ?? 0) ? fitWords(words, { startMs, endMs }) : words;
}

export function cleanWords(word: CueWord): readonly CueWord[] {
  const text = cleanLine(word.text);
  if (!text.includes(' ')) return text === '' ? [] : [{ ...word, text }];
  return untimedWords({ ...word, text });
}

function untimedWords({ text: said, startMs, endMs }: Pick<Segment, 'text' | 'startMs' | 'endMs'>): readonly CueWord[] {
  const texts = cleanLine(said)
    .split(' ')
    .filter((text) => text !== '');
  const stepMs = (endMs - startMs) / Math.max(1, texts.length);
  return texts.map((text, at) => ({
    text,
    startMs: Math.round(startMs + at * stepMs),
    endMs: Math.round(startMs + (at + 1) * stepMs),
    isEstimated: true,
  }));
}
