import { en } from './en/index.ts';
import { ru } from './ru/index.ts';
import { uz } from './uz/index.ts';

/** The same tree with any words at the leaves. A language may add plural forms (`files_few`), never miss a key. */
type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };

/** English is the shape; the others must have all of its keys. */
export type Catalogue = Words<typeof en>;

export const catalogues: { readonly en: Catalogue; readonly ru: Catalogue; readonly uz: Catalogue } = { en, ru, uz };

type Path<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : Path<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

type WithoutPlural<K extends string> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : K;

/** Every key a screen may ask for, plural endings taken off. */
export type TextKey = WithoutPlural<Path<typeof en>>;
