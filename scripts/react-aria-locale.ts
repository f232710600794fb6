import type { Plugin } from 'vite';

const defaultLocale = /[\\/]react-aria[\\/]dist[\\/].*[\\/]useDefaultLocale[.]mjs$/;
const ours = `const told = { locale: navigator.language, direction: 'ltr' };
export const getDefaultLocale = () => told;
export const useDefaultLocale = () => told;`;

/**
 * Every screen tells react-aria its locale. What it would take without one is found out by `Intl` while the page is
 * read, and that alone takes the page's thread 10 to 20 ms of the start. All languages of the interface are written from
 * left to right.
 */
export const reactAriaLocale = (): Plugin => ({
  name: 'react-aria-locale',
  enforce: 'pre',
  load: (id) => (defaultLocale.test(id) ? ours : null),
});
