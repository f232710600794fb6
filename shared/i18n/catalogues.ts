import * as en from './en/index.ts';
import * as ru from './ru/index.ts';
import * as uz from './uz/index.ts';

/** The same keys with any text at the leaves. A language may add plural forms (`files_few`), never miss a key. */
type SameKeys<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends string[] ? readonly string[] : SameKeys<T[K]>;
};

/** The texts of one language by area. English has the keys that all of them must have. */
export type Catalogue = SameKeys<typeof en>;

/** The languages with texts of their own. In the built app each is parsed when first used (`scripts/vite-plugins.ts`). */
export const catalogues: { readonly en: Catalogue; readonly ru: Catalogue; readonly uz: Catalogue } = { en, ru, uz };
