import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSpellChecker, type SpellingAnswer, type SpellingQuestion } from './spell-checker.ts';

/** A checker of English whose dictionary answers by hand. */
function checkerByHand() {
  const asked: SpellingQuestion[] = [];
  const thread = { answer: (given: SpellingAnswer) => expect.unreachable(String(given.number)), lose: () => {} };
  const failures: boolean[] = [];
  const checker = createSpellChecker(
    'en',
    () => {},
    (isFailed) => void failures.push(isFailed),
    (onAnswer, onLost) => {
      Object.assign(thread, { answer: onAnswer, lose: onLost });
      return { ask: (question) => void asked.push(question), close: () => {} };
    },
  );
  const misspelt = (text: string) => checker.misspelt(text).map(({ word }) => word);
  return { checker, asked, thread, misspelt, failures };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('words are asked about once, and again after a dictionary that could not be read', async () => {
  const { asked, thread, misspelt, failures } = checkerByHand();
  expect([misspelt('helo world'), misspelt('helo')]).toEqual([[], []]);
  await Promise.resolve();
  expect(asked).toMatchObject([{ kind: 'check', words: ['helo', 'world'] }]);
  thread.answer({ number: 1, words: [], isFailed: true });
  misspelt('helo');
  await Promise.resolve();
  expect(asked[1]).toMatchObject({ words: ['helo'] });
  thread.answer({ number: 2, words: ['helo'] });
  expect(misspelt('helo')).toEqual(['helo']);
  // Said while the dictionary can't be read, and no longer.
  expect(failures).toEqual([true, false]);
});
