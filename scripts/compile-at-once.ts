import type { Plugin } from 'vite';

/**
 * Most functions of the studio's page run within its first second. Told so, the engine compiles them while the file is
 * read, off the page's thread, and keeps them among the compiled code of the next start; else it compiles some 1,500 of
 * them one by one while the first screen is drawn.
 */
export const compileAtOnce = (entry: string): Plugin => ({
  name: 'compile-at-once',
  apply: 'build',
  generateBundle: {
    // After vite has put its own first line there: the engine looks for the hint at the top only.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && file.isEntry && file.name === entry)
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
});
