import { cleanLine } from '../exports/format-text.ts';
import { areAllGuesses, fitWords } from '../transcript/realign-words.ts';
import type { Segment } from '../transcript/transcript.ts';
import type { CueWord } from './cue.ts';

/** The words of a segment for cues; without times they share its duration. */
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

/** A word as it is shown: none where nothing of it is, and several where a space is in it. */
export function cleanWords(word: CueWord): readonly CueWord[] {
  const text = cleanLine(word.text);
  if (!text.includes(' ')) return text === '' ? [] : [{ ...word, text }];
  return untimedWords({ ...word, text });
}

/** Words of a text that share its time. */
export function untimedWords({
  text: said,
  startMs,
  endMs,
}: Pick<Segment, 'text' | 'startMs' | 'endMs'>): readonly CueWord[] {
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
