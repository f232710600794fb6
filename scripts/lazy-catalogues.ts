import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const catalogueModule = /[\\/]shared[\\/]i18n[\\/]catalogues[.]ts$/;

/**
 * Bundles the texts of each language as one JSON string that is parsed when the language is first used: there are 300 KB
 * of them in each process, and most people read one language.
 */
export const lazyCatalogues = (): Plugin => ({
  name: 'lazy-catalogues',
  enforce: 'pre',
  async load(id) {
    if (!catalogueModule.test(id)) return null;
    const { catalogues } = (await import(pathToFileURL(id).href)) as {
      readonly catalogues: Readonly<Record<string, unknown>>;
    };
    const getters = Object.entries(catalogues).map(([language, texts]) => {
      const json = JSON.stringify(JSON.stringify(texts));
      return `get ${language}() { return (parsed.${language} ??= JSON.parse(${json})); },`;
    });
    return `const parsed = {};\nexport const catalogues = {\n${getters.join('\n')}\n};`;
  },
});
