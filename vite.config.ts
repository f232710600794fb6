import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { notePackages } from './scripts/licences.ts';
import { leanSettingsStore, lazyCatalogues, onnxEngine, reactAriaWords, sonnerStyles } from './scripts/vite-plugins.ts';

/**
 * One file with one build per process, selected by `--mode`: `renderer`, `main` and `cli` (ES modules for Node 24) and
 * `preload` (one CommonJS file per preload, because sandboxed preloads cannot import). `scripts/build.ts` runs them
 * all.
 */
const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// gRPC needs this only for introspection services, which we don't have; it makes code from text, so it is never
// shipped.
const unusedByGrpc = '@grpc/proto-loader';
const nodeExternals = [
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
  'electron',
  'keytar',
  unusedByGrpc,
];

const renderer: UserConfig = {
  root: fromRoot('renderer'),
  base: './',
  plugins: [react(), reactAriaWords(), sonnerStyles(), lazyCatalogues(), notePackages()],
  worker: { format: 'es', plugins: () => [notePackages()] },
  build: {
    outDir: fromRoot('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome150',
    assetsInlineLimit: 0,
    // Every browser that the page is built for supports modulepreload.
    modulePreload: { polyfill: false },
    // The page is loaded from disk, so one file of a megabyte needs no download.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: {
        studio: fromRoot('renderer/index.html'),
        key: fromRoot('renderer/key.html'),
        overlay: fromRoot('renderer/overlay.html'),
      },
    },
  },
};

/** Entries for Node 24 as ES modules, with shared code in chunks beside them. */
const forNode = (outDir: string, entries: Readonly<Record<string, string>>): UserConfig => ({
  plugins: [leanSettingsStore(), lazyCatalogues(), onnxEngine(), notePackages()],
  ssr: { noExternal: true, external: ['electron', 'keytar', unusedByGrpc], target: 'node' },
  build: {
    ssr: true,
    outDir: fromRoot(outDir),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, fromRoot(entry)])),
      external: nodeExternals,
      output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

const threads = {
  practice: 'electron/entries/practice.ts',
  'audio-worker': 'electron/entries/audio-worker.ts',
  'library-worker': 'electron/entries/library-worker.ts',
};

const preloadOf = (name: string, entry: string): UserConfig => ({
  build: {
    outDir: fromRoot('dist/preload'),
    emptyOutDir: false,
    target: 'chrome150',
    minify: false,
    lib: { entry: fromRoot(entry), formats: ['cjs'], fileName: () => `${name}.cjs` },
    rolldownOptions: { external: ['electron'], output: { codeSplitting: false } },
  },
});

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'main':
      return forNode('dist/main', {
        index: 'electron/entries/main.ts',
        'decoder-worker': 'electron/entries/decoder-worker.ts',
        ...threads,
      });
    // Users run from source; the tests start it a hundred times and build it once.
    case 'cli':
      return forNode('dist/cli', { cli: 'electron/entries/cli.ts', ...threads });
    case 'preload':
      return preloadOf('index', 'electron/entries/preload.ts');
    case 'preload-key':
      return preloadOf('key', 'electron/entries/preload-key.ts');
    case 'preload-overlay':
      return preloadOf('overlay', 'electron/entries/preload-overlay.ts');
    default:
      return renderer;
  }
});
