import { wordsToSpell, type SpelledLanguage } from '../../../../shared/domain/text/spelling.ts';

/** `check`: which words are unknown; `suggest`: what the one word may have meant. */
export interface SpellingQuestion {
  readonly kind: 'check' | 'suggest';
  readonly number: number;
  readonly language: SpelledLanguage;
  readonly words: readonly string[];
}
export interface SpellingAnswer {
  readonly number: number;
  readonly words: readonly string[];
  /** The dictionary could not be read: the question stays open. */
  readonly isFailed?: boolean;
}

/** The part of a worker that is used. */
export interface SpellingThread {
  readonly ask: (question: SpellingQuestion) => void;
  readonly close: () => void;
}

export interface MisspeltWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** Finds misspelt words in texts; words it has not checked yet are checked in the background and reported by `onNews`. */
export interface SpellChecker {
  readonly misspelt: (text: string) => readonly MisspeltWord[];
  /** Suggestions for a word as it is written, the likeliest first; empty if the answer takes too long for a menu. */
  readonly suggest: (written: string) => Promise<readonly string[]>;
  /** Words that count as correct besides those of the dictionary: the user's own, and the names of speakers. */
  readonly accept: (words: readonly string[]) => void;
  readonly close: () => void;
}

const menuWaitsMs = 600;

export function createSpellChecker(
  language: SpelledLanguage,
  onNews: () => void,
  onFailed: (isFailed: boolean) => void,
  open: (onAnswer: (answer: SpellingAnswer) => void, onLost: () => void) => SpellingThread = openThread,
): SpellChecker {
  /** The verdicts of the dictionary; a word that is being checked counts as correct meanwhile. */
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
    misspelt: (text) =>
      wordsToSpell(text, language).filter(({ word }) => {
        const unknown = isUnknown.get(word);
        if (unknown === undefined) {
          isUnknown.set(word, false);
          if (wanted.length === 0) queueMicrotask(send);
          wanted.push(word);
        }
        return unknown === true && !accepted.has(word.toLowerCase());
      }),
    suggest: (written) =>
      new Promise((resolve) => {
        ask('suggest', [written], ({ words }) => {
          resolve(words);
        });
        setTimeout(() => {
          resolve([]);
        }, menuWaitsMs);
      }),
    accept(words) {
      // Without its capitals an abbreviation counts as a word too.
      accepted = new Set(words.flatMap((one) => wordsToSpell(one.toLowerCase(), language).map(({ word }) => word)));
      onNews();
    },
    close: thread.close,
  };
}

function openThread(onAnswer: (answer: SpellingAnswer) => void, onLost: () => void): SpellingThread {
  const worker = new Worker(new URL('./spelling-worker.ts', import.meta.url), { type: 'module', name: 'spelling' });
  worker.addEventListener('message', ({ data }: MessageEvent<SpellingAnswer>) => {
    onAnswer(data);
  });
  worker.addEventListener('error', onLost);
  return {
    ask: (question) => {
      worker.postMessage(question);
    },
    close: () => {
      worker.terminate();
    },
  };
}
