import {
  joinSpellings,
  readSpelling,
  type SpelledLanguage,
  type Spelling,
} from '../../../../shared/domain/text/spelling.ts';
import type { SpellingAnswer, SpellingQuestion } from './spell-checker.ts';
import { workerScope } from '../../../lib/worker-scope.ts';

const worker = workerScope<SpellingQuestion, SpellingAnswer>();

const files = {
  ru: [
    [
      new URL('../../../../node_modules/dictionary-ru/index.aff', import.meta.url),
      new URL('../../../../node_modules/dictionary-ru/index.dic', import.meta.url),
    ],
  ],
  en: [
    [
      new URL('../../../../node_modules/dictionary-en/index.aff', import.meta.url),
      new URL('../../../../node_modules/dictionary-en/index.dic', import.meta.url),
    ],
    [
      new URL('../../../../node_modules/dictionary-en-gb/index.aff', import.meta.url),
      new URL('../../../../node_modules/dictionary-en-gb/index.dic', import.meta.url),
    ],
  ],
} as const satisfies Readonly<Record<SpelledLanguage, readonly (readonly [rules: URL, words: URL])[]>>;

async function read(file: URL): Promise<string> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`The dictionary can't be read: ${String(answer.status)}`);
  return answer.text();
}

let spelling: Promise<Spelling> | null = null;
const readAll = async (language: SpelledLanguage): Promise<Spelling> =>
  joinSpellings(
    await Promise.all(
      files[language].map(async ([rules, words]) => readSpelling(...(await Promise.all([read(rules), read(words)])))),
    ),
  );

worker.addEventListener('message', ({ data: { kind, number, language, words } }) => {
  spelling ??= readAll(language);
  spelling.then(
    (dictionary) =>
      worker.postMessage({
        number,
        words:
          kind === 'check'
            ? words.filter((word) => !dictionary.isKnown(word))
            : words.flatMap((word) => dictionary.suggest(word)),
      }),
    () => {
      spelling = null;
      worker.postMessage({ number, words: [], isFailed: true });
    },
  );
});
