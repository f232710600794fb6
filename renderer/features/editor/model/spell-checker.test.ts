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

it('a lost thread leaves nothing waiting', async () => {
  const { checker, asked, thread, misspelt } = checkerByHand();
  misspelt('helo');
  await Promise.resolve();
  const suggested = checker.suggest('helo');
  thread.lose();
  expect(await suggested).toEqual([]);
  misspelt('helo');
  await Promise.resolve();
  expect(asked.at(-1)).toMatchObject({ kind: 'check', words: ['helo'] });
});

it('accepted names count word by word, without the marks around them', async () => {
  const { checker, thread, misspelt } = checkerByHand();
  misspelt('Ovozz Inc and Bbc');
  await Promise.resolve();
  thread.answer({ number: 1, words: ['Ovozz', 'Inc', 'Bbc'] });
  expect(misspelt('Ovozz Inc. and Bbc')).toEqual(['Ovozz', 'Inc', 'Bbc']);
  checker.accept(['Ovozz Inc.', '(BBC)']);
  expect(misspelt('Ovozz Inc. and Bbc')).toEqual([]);
});

it('the thread answers that it could not read its dictionary, and reads it for the next question', async () => {
  const answers: SpellingAnswer[] = [];
  let ask: (event: { readonly data: SpellingQuestion }) => void = () => {};
  vi.stubGlobal('addEventListener', (_: string, listener: typeof ask) => (ask = listener));
  vi.stubGlobal('postMessage', (answer: SpellingAnswer) => answers.push(answer));
  let isThere = false;
  vi.stubGlobal('fetch', async (file: URL) =>
    isThere ? new Response(file.pathname.endsWith('.dic') ? 'hello\n' : 'TRY l') : Response.error(),
  );
  await import('./spelling-worker.ts');
  const question = { kind: 'check', language: 'en', words: ['hello', 'helo'] } as const;
  ask({ data: { ...question, number: 1 } });
  await vi.waitFor(() => expect(answers).toEqual([{ number: 1, words: [], isFailed: true }]));
  isThere = true;
  ask({ data: { ...question, number: 2 } });
  await vi.waitFor(() => expect(answers[1]).toEqual({ number: 2, words: ['helo'] }));
  vi.unstubAllGlobals();
});
