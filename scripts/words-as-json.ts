import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const list = /[\\/]shared[\\/]i18n[\\/]catalogues[.]ts$/;

/** As text between single quotes: words hold few of these, and JSON many of the double ones. */
const quoted = (text: string): string =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)}'`;

/**
 * The words of each language as one text that is parsed when the language is first asked for. Engines read JSON several
 * times as fast as the same written as code, there are 300 KB of it in each process, and most people read one language.
 */
export const wordsAsJson = (): Plugin => ({
  name: 'words-as-json',
  enforce: 'pre',
  async load(id) {
    if (!list.test(id)) return null;
    const { catalogues } = (await import(pathToFileURL(id).href)) as {
      readonly catalogues: Readonly<Record<string, unknown>>;
    };
    const getters = Object.entries(catalogues).map(
      ([language, words]) =>
        `get ${language}() { return (made.${language} ??= JSON.parse(${quoted(JSON.stringify(words))})); },`,
    );
    return `const made = {};\nexport const catalogues = {\n${getters.join('\n')}\n};`;
  },
});
