import { wordsToSpell, type SpelledLanguage } from '../../../../shared/domain/text/spelling.ts';

export interface SpellingQuestion {
  readonly kind: 'check' | 'suggest';
  readonly number: number;
  readonly language: SpelledLanguage;
  readonly words: readonly string[];
}
export interface SpellingAnswer {
  readonly number: number;
  readonly words: readonly string[];
  readonly isFailed?: boolean;
}

interface SpellingThread {
  readonly ask: (question: SpellingQuestion) => void;
  readonly close: () => void;
}

export interface MisspeltWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

const menuWaitsMs = 600;

export type SpellChecker = ReturnType<typeof createSpellChecker>;

/** Finds misspelt words in texts; words it has not checked yet are checked in the background and reported by `onNews`. */
export function createSpellChecker(
  language: SpelledLanguage,
  onNews: () => void,
  onFailed: (isFailed: boolean) => void,
  open: (onAnswer: (answer: SpellingAnswer) => void, onLost: () => void) => SpellingThread = openThread,
) {
  const isUnknown = new Map<string, boolean>();
  const waiting = new Map<number, (answer: Omit<SpellingAnswer, 'number'>) => void>();
  let accepted: ReadonlySet<string> = new Set();
  let wanted: string[] = [];
  let lastNumber = 0;
  const settle = ({ number, ...answer }: SpellingAnswer) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
  };
  const thread = open(settle, () => {
    for (const number of waiting.keys()) settle({ number, words: [], isFailed: true });
  });
  const ask = (
    kind: SpellingQuestion['kind'],
    words: readonly string[],
    onAnswer: (answer: Omit<SpellingAnswer, 'number'>) => void,
  ) => {
    lastNumber += 1;
    waiting.set(lastNumber, onAnswer);
    thread.ask({ kind, number: lastNumber, language, words });
  };
  const send = () => {
    const words = wanted;
    wanted = [];
    ask('check', words, ({ words: unknown, isFailed = false }) => {
      onFailed(isFailed);
      // Asked again with the next look at the text.
      if (isFailed) for (const word of words) isUnknown.delete(word);
      for (const word of unknown) isUnknown.set(word, true);
      if (unknown.length > 0) onNews();
    });
  };
  return {
    misspelt: (text: string): readonly MisspeltWord[] =>
      wordsToSpell(text, language).filter(({ word }) => {
        const unknown = isUnknown.get(word);
        if (unknown === undefined) {
          isUnknown.set(word, false);
          if (wanted.length === 0) queueMicrotask(send);
          wanted.push(word);
        }
        return unknown === true && !accepted.has(word.toLowerCase());
      }),
    /** The likeliest first; empty if the answer takes too long for a menu. */
    suggest: (written: string) =>
      new Promise<readonly string[]>((resolve) => {
        ask('suggest', [written], ({ words }) => resolve(words));
        setTimeout(() => resolve([]), menuWaitsMs);
      }),
    /** Besides those of the dictionary: the user's own words, and the names of speakers. */
    accept(words: readonly string[]) {
      accepted = new Set(words.flatMap((one) => wordsToSpell(one.toLowerCase(), language).map(({ word }) => word)));
      onNews();
    },
    close: thread.close,
  };
}

function openThread(onAnswer: (answer: SpellingAnswer) => void, onLost: () => void): SpellingThread {
  const worker = new Worker(new URL('./spelling-worker.ts', import.meta.url), { type: 'module', name: 'spelling' });
  worker.addEventListener('message', ({ data }: MessageEvent<SpellingAnswer>) => onAnswer(data));
  worker.addEventListener('error', onLost);
  return { ask: (question) => worker.postMessage(question), close: () => worker.terminate() };
}
