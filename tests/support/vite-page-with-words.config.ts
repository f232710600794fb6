import { fileURLToPath } from 'node:url';
import { defineConfig, loadConfigFromFile, mergeConfig, type Plugin } from 'vite';

/** Lets a test replace the strings of the shipped page: its catalogues are available as `wordsUnderTest`. */
const openWords: Plugin = {
  name: 'open-words',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.endsWith('/renderer/app/words.ts')) return null;
    const opened = code.replace(
      'return words;',
      'return Object.assign(window, { wordsUnderTest: words }).wordsUnderTest;',
    );
    if (opened === code) throw new Error('the words of the page are no longer made where the tests look for them');
    return opened;
  },
};

export default defineConfig(async (env) => {
  const own = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  const loaded = await loadConfigFromFile(env, own);
  return mergeConfig(loaded?.config ?? {}, { plugins: [openWords] });
});
