import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { toUzbekCyrillic } from '../shared/domain/text/transliterate-uzbek.ts';

/** The few words that react-aria speaks by itself in our screens, in the language that it does not know. */
const uzbek: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  overlays: { dismiss: 'Yopish' },
  menu: { longPressMessage: 'Menyuni ochish uchun bosib turing yoki Alt va pastga koʻrsatkichni bosing' },
  grid: {
    select: 'Tanlash',
    selectedAll: 'Hammasi tanlandi.',
    longPressToSelect: 'Tanlash rejimiga oʻtish uchun bosib turing.',
  },
  toast: { close: 'Yopish' },
};

/** Where its own words say something else than ours for the same: its Russian for closing means skipping. */
const better: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  overlays: { 'en-US': { dismiss: 'Close' }, 'ru-RU': { dismiss: 'Закрыть' } },
};

/** A list of the words of one part of react-aria, one import for each of its languages. */
const wordList = /[\\/]react-aria[\\/]dist[\\/].*[\\/](\w+)[\\/]intlStrings[.]mjs$/;
const ours = /^import (\S+) from "(\S+)\/(en-US|ru-RU)[.]mjs";$/gm;

/** Keeps the languages of the interface out of the thirty of react-aria, and adds Uzbek, which it would speak English. */
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
