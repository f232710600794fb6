import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { toUzbekCyrillic } from '../shared/domain/text/transliterate-uzbek.ts';
import { pathToFileURL } from 'node:url';

/** The few strings that react-aria announces itself in our screens, in Uzbek, which it does not support. */
const uzbek: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  overlays: { dismiss: 'Yopish' },
  menu: { longPressMessage: 'Menyuni ochish uchun bosib turing yoki Alt va pastga koʻrsatkichni bosing' },
  grid: {
    select: 'Tanlash',
    selectedAll: 'Hammasi tanlandi.',
    longPressToSelect: 'Tanlash rejimiga oʻtish uchun bosib turing.',
  },
};

/** Strings that the library words differently from us: its Russian word for closing means to skip. */
const better: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  overlays: { 'en-US': { dismiss: 'Close' }, 'ru-RU': { dismiss: 'Закрыть' } },
};

const wordList = /[\\/]react-aria[\\/]dist[\\/].*[\\/](\w+)[\\/]intlStrings[.]mjs$/;
const ours = /^import (\S+) from "(\S+)\/(en-US|ru-RU)[.]mjs";$/gm;

/** Keeps the languages of the interface of react-aria's thirty and adds Uzbek, which it lacks. */
export const reactAriaWords = (): Plugin => ({
  name: 'react-aria-words',
  enforce: 'pre',
  async load(id) {
    const part = wordList.exec(id)?.[1];
    if (part === undefined) return null;
    const kept = [...(await readFile(id, 'utf8')).matchAll(ours)];
    const english = kept.find(([, , , language]) => language === 'en-US')?.[1];
    if (english === undefined) throw new Error(`No English words of react-aria in ${id}`);
    const entries = kept.map(([, name, , language]) => {
      const changed = better[part]?.[String(language)] ?? {};
      return `${JSON.stringify(language)}: { ...${String(name)}, ...${JSON.stringify(changed)} }`;
    });
    const latin = uzbek[part] ?? {};
    const cyrillic = Object.fromEntries(Object.entries(latin).map(([key, text]) => [key, toUzbekCyrillic(text)]));
    const others = [
      `uz: { ...${english}, ...${JSON.stringify(latin)} }`,
      `"uz-Cyrl-UZ": { ...${english}, ...${JSON.stringify(cyrillic)} }`,
    ];
    return [...kept.map(([line]) => line), `export default { ${[...entries, ...others].join(', ')} };`].join('\n');
  },
});

/** Sonner's styles are imported as a file, because our policy refuses the element that it writes them to. */
export const sonnerStyles = (): Plugin => ({
  name: 'sonner-styles',
  transform: (code, id) =>
    /[\\/]sonner[\\/]dist[\\/]index[.]mjs$/.test(id) ? code.replace('\n__insertCSS(', '\nvoid (') : null,
});

const catalogueModule = /[\\/]shared[\\/]i18n[\\/]catalogues[.]ts$/;

/** Bundles each language as a JSON string that is parsed on first use: 300 KB, and most people use one. */
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

const refuses = (what: string) => `() => { throw new Error(${JSON.stringify(what)}); }`;
const checked = refuses('Settings are checked by their own schema; electron-store is given none.');
const moved = refuses('Settings are moved by their own migrations; electron-store is given none.');

const standIns: Readonly<Record<string, string>> = {
  'ajv/dist/2020.js': `export class Ajv2020 { constructor() { (${checked})(); } }\nexport default Ajv2020;`,
  'ajv-formats': `export default ${checked};`,
  semver: `export default new Proxy({}, { get: ${moved} });`,
};
const mark = '\0lean-settings-store:';

/** Leaves out what electron-store validates and migrates with: `ajv` makes code from text (S-03). */
export const leanSettingsStore = (): Plugin => ({
  name: 'lean-settings-store',
  enforce: 'pre',
  resolveId: (id) => (Object.hasOwn(standIns, id) ? mark + id : null),
  load: (id) => (id.startsWith(mark) ? standIns[id.slice(mark.length)] : null),
});

const onnxModule = /[\\/]onnxruntime-web[\\/]dist[\\/]ort[.]node[.]min[.]mjs$/;

/** Puts the engine of ONNX Runtime beside the chunk that loads it, where it looks for it. */
export const onnxEngine = (): Plugin => ({
  name: 'onnx-engine',
  async generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const runtime = chunk.type === 'chunk' ? chunk.moduleIds.find((id) => onnxModule.test(id)) : undefined;
      if (runtime === undefined) continue;
      for (const name of ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'])
        this.emitFile({
          type: 'asset',
          fileName: join(dirname(chunk.fileName), name),
          source: await readFile(join(dirname(runtime), name)),
        });
    }
  },
});
