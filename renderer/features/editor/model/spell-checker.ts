import { spellingKey, wordsToSpell, type SpelledLanguage } from '../../../../shared/domain/text/spelling.ts';

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
  /** Suggestions, the likeliest first; empty if the answer takes too long for a menu. */
  readonly suggest: (word: string) => Promise<readonly string[]>;
  /** Words that count as correct besides those of the dictionary: the user's own, and the names of speakers. */
  readonly accept: (words: readonly string[]) => void;
  readonly close: () => void;
}

const menuWaitsMs = 600;

export function createSpellChecker(
  language: SpelledLanguage,
  onNews: () => void,
  open: (answer: (answer: SpellingAnswer) => void) => SpellingThread = openThread,
): SpellChecker {
  /** The verdicts of the dictionary; a word that is being checked counts as correct meanwhile. */
  const isUnknown = new Map<string, boolean>();
  const waiting = new Map<number, (words: readonly string[]) => void>();
  let accepted: ReadonlySet<string> = new Set();
  let wanted: string[] = [];
  let lastNumber = 0;
  const thread = open(({ number, words }) => {
    waiting.get(number)?.(words);
    waiting.delete(number);
  });
  const ask = (kind: SpellingQuestion['kind'], words: readonly string[], told: (words: readonly string[]) => void) => {
    lastNumber += 1;
    waiting.set(lastNumber, told);
    thread.ask({ kind, number: lastNumber, language, words });
  };
  const send = () => {
    const words = wanted;
    wanted = [];
    ask('check', words, (unknown) => {
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
    suggest: (word) =>
      new Promise((resolve) => {
        ask('suggest', [word], resolve);
        setTimeout(() => {
          resolve([]);
        }, menuWaitsMs);
      }),
    accept(words) {
      accepted = new Set(words.flatMap((one) => spellingKey(one).toLowerCase().split(/\s+/u)));
      onNews();
    },
    close: thread.close,
  };
}

function openThread(answer: (answer: SpellingAnswer) => void): SpellingThread {
  const worker = new Worker(new URL('./spelling-worker.ts', import.meta.url), { type: 'module', name: 'spelling' });
  worker.addEventListener('message', ({ data }: MessageEvent<SpellingAnswer>) => {
    answer(data);
  });
  return {
    ask: (question) => {
      worker.postMessage(question);
    },
    close: () => {
      worker.terminate();
    },
  };
}
