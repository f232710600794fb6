import { en } from './en/index.ts';
import { ru } from './ru/index.ts';
import { uz } from './uz/index.ts';

/** The same tree with any words at the leaves. A language may add plural forms (`files_few`), never miss a key. */
type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };

/** English is the shape; the others must have all of its keys. */
export type Catalogue = Words<typeof en>;

export const catalogues: { readonly en: Catalogue; readonly ru: Catalogue; readonly uz: Catalogue } = { en, ru, uz };
