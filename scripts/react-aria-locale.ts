import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const defaultLocale = /[\\/]react-aria[\\/]dist[\\/].*[\\/]useDefaultLocale[.]mjs$/;
const ours = `const told = { locale: navigator.language, direction: 'ltr' };
export const getDefaultLocale = () => told;
export const useDefaultLocale = () => told;`;

const direction = /[\\/]react-aria[\\/]dist[\\/].*[\\/]i18n[\\/]utils[.]mjs$/;
const leftToRight = 'export const isRTL = () => false;';

const numbers = /[\\/]@internationalized[\\/]number[\\/].*[\\/]NumberFormatter[.]mjs$/;
/** Asks whether the browser knows something that every browser of the page knows. */
const question =
  /new Intl\.NumberFormat\('de-DE', \{\s*signDisplay: 'exceptZero'\s*\}\)\.resolvedOptions\(\)\.signDisplay/;

/**
 * Every screen tells react-aria its locale. What it would find out by `Intl` while the page is read (which locale and
 * direction it would take without being told, and what the browser can write) takes the page's thread 20 to 30 ms of
 * the start. All languages of the interface are written from left to right.
 */
export const reactAriaLocale = (): Plugin => ({
  name: 'react-aria-locale',
  enforce: 'pre',
  async load(id) {
    if (defaultLocale.test(id)) return ours;
    if (direction.test(id)) return leftToRight;
    if (!numbers.test(id)) return null;
    const text = await readFile(id, 'utf8');
    if (!question.test(text)) throw new Error('react-aria asks for the numbers of the browser in another way now');
    return text.replace(question, "'exceptZero'");
  },
});
