import type { Plugin } from 'vite';

/** The page's first script imports this one after main has answered. */
const firstScreen = 'renderer/app/render.tsx';

/**
 * Preloads the files of the first screen from the page itself, so that they are read and compiled while main answers.
 * Vite does this for static imports; these files are imported dynamically on purpose.
 */
export const firstScreenFiles = (): Plugin => ({
  name: 'first-screen-files',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle, chunk }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
      const drawn = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(firstScreen) === true);
      if (bundle === undefined || chunk?.dynamicImports.includes(drawn?.fileName ?? '') !== true) return [];
      if (drawn === undefined) throw new Error(`${firstScreen} has no file of its own any more`);
      const known = new Set([chunk.fileName, ...chunk.imports]);
      const scripts = [drawn.fileName, ...drawn.imports].filter((file) => !known.has(file));
      const styles = chunks
        .filter(({ fileName }) => scripts.includes(fileName))
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      const link = (attrs: Record<string, string>) => ({ tag: 'link', injectTo: 'head' as const, attrs });
      return [
        ...scripts.map((file) => link({ rel: 'modulepreload', crossorigin: '', href: `./${file}` })),
        ...[...new Set(styles)].map((file) => link({ rel: 'stylesheet', crossorigin: '', href: `./${file}` })),
      ];
    },
  },
});
