import { commentInPlaceOf } from './comments.ts';
import { matchWords } from '../text/match-words.ts';
import { wordsOf } from './spoken-text.ts';
import {
  commonMark,
  isCut,
  isRedacted,
  markInPlaceOf,
  markOf,
  withComment,
  withMark,
  type TimeSpan,
  type Word,
  type WordMark,
} from './transcript.ts';

/** Kept or replaced words keep their times, others share their gap; what replaces a redacted word is redacted. */
export function realignWords(old: readonly Word[], text: string, bounds: TimeSpan): readonly Word[] {
  const texts = wordsOf(text);
  const before = old.map((word) => coreOf(word.text));
  const after = texts.map(coreOf);
  const pairs = matchWords(before, after);
  const secrets = old.some(isRedacted) ? secretsOf(withoutKept(old, pairs)) : [];
  const result: Word[] = [];
  let from = 0;
  let at = 0;
  for (const [kept, place] of [...pairs, [old.length, texts.length] as const]) {
    const gap = {
      startMs: result.at(-1)?.endMs ?? bounds.startMs,
      endMs: old[kept]?.startMs ?? bounds.endMs,
    };
    const around = [old[from - 1], old[kept]];
    const replaced = old.slice(from, kept);
    const filled = fillSpan(replaced, texts.slice(at, place), gap, commonMark(around));
    const comment = commentInPlaceOf(replaced, around);
    result.push(...filled.map((word) => withComment(redactedAgain(word, secrets), comment)));
    const same = old[kept];
    const written = texts[place];
    if (same !== undefined && written !== undefined)
      result.push(same.text === written ? same : { ...same, text: written });
    from = kept + 1;
    at = place + 1;
  }
  return result.some(isUntimedGuess) ? guessAgain(result) : result;
}

const withoutKept = (old: readonly Word[], pairs: readonly (readonly [number, number])[]): readonly Word[] => {
  const kept = new Set(pairs.map(([place]) => place));
  return old.filter((_, place) => !kept.has(place));
};

export const secretsOf = (words: readonly Word[]): readonly string[] =>
  words.filter(isRedacted).map(({ text }) => coreOf(text));

export const redactedAgain = (word: Word, secrets: readonly string[]): Word => {
  if (isRedacted(word) || !secrets.some((secret) => coreOf(word.text).includes(secret))) return word;
  return withMark(word, markOf(isCut(word), true));
};

const isUntimedGuess = ({ startMs, endMs, isEstimated }: Word): boolean => isEstimated === true && endMs <= startMs;

/** Divides the time of estimated words anew wherever one among them has none. Marked words keep theirs. */
function guessAgain(words: readonly Word[]): readonly Word[] {
  const again = [...words];
  const isJoined = (word: Word | undefined, next: Word | undefined): boolean =>
    word?.isEstimated === true &&
    word.mark === undefined &&
    next?.isEstimated === true &&
    next.mark === undefined &&
    word.endMs === next.startMs;
  for (let from = 0, to = 1; from < words.length; from = to, to += 1) {
    while (isJoined(words[to - 1], words[to])) to += 1;
    const run = words.slice(from, to);
    const [first] = run;
    if (first === undefined || first.mark !== undefined || !run.some(isUntimedGuess)) continue;
    const span = { startMs: first.startMs, endMs: run.at(-1)?.endMs ?? first.endMs };
    again.splice(
      from,
      run.length,
      ...spreadWords(
        run.map(({ text }) => text),
        span,
      ).map((word, place) =>
        withComment(run[place]?.isItalic === true ? { ...word, isItalic: true as const } : word, run[place]?.comment),
      ),
    );
  }
  return again;
}

/** Letters and digits only, so that "Salom," and "salom" are one word; a word of signs stands for itself. */
export const coreOf = (text: string): string => {
  const core = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return core === '' ? text : core;
};

function fillSpan(
  replaced: readonly Word[],
  texts: readonly string[],
  gap: TimeSpan,
  around: WordMark | undefined,
): readonly Word[] {
  // One for one, or in other letters, as where a letter is replaced everywhere, they are still said then.
  const areSame = texts.every((text, at) => text.length === replaced[at]?.text.length);
  if (texts.length === replaced.length && (replaced.length === 1 || areSame))
    return replaced.map((word, at) => ({ ...word, text: texts[at] ?? '' }));
  const [first, last] = [replaced[0], replaced.at(-1)];
  const inside = first === undefined || last === undefined ? gap : { startMs: first.startMs, endMs: last.endMs };
  // New words inside a struck run are struck too.
  const mark = first === undefined ? around : markInPlaceOf(replaced);
  return spreadWords(texts, inside).map((word) => withMark(word, mark));
}

export function spreadWords(texts: readonly string[], { startMs, endMs }: TimeSpan): readonly Word[] {
  const total = texts.reduce((sum, { length }) => sum + length, 0);
  const length = Math.max(0, endMs - startMs);
  let spent = 0;
  return texts.map((text) => {
    const from = startMs + Math.round((length * spent) / total);
    spent += text.length;
    return { text, startMs: from, endMs: startMs + Math.round((length * spent) / total), isEstimated: true };
  });
}

/** The same words within other bounds: times outside are moved in, in order, and marked as estimated. */
export function clampWords(words: readonly Word[], { startMs, endMs }: TimeSpan): readonly Word[] {
  let clock = startMs;
  return words.map((word) => {
    const from = Math.min(endMs, Math.max(clock, word.startMs));
    const to = Math.min(endMs, Math.max(from, word.endMs));
    clock = to;
    return from === word.startMs && to === word.endMs ? word : { ...word, startMs: from, endMs: to, isEstimated: true };
  });
}

/** Whether nothing is known of these words but their order: none was heard, even in part, and nobody marked one. */
export const areAllGuesses = (words: readonly Word[]): boolean =>
  words.every(({ isEstimated, mark, wholeWord }) => isEstimated === true && mark === undefined && !wholeWord);

/** The same words within other bounds: divided anew where all of them are guesses, and else only moved in. */
export function fitWords(words: readonly Word[], bounds: TimeSpan): readonly Word[] {
  if (!areAllGuesses(words)) return clampWords(words, bounds);
  const texts = words.map(({ text }) => text);
  const spread = spreadWords(texts, bounds);
  return words.map((word, at) => ({ ...word, ...spread[at] }));
}
