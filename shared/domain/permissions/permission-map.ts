import { makeFailure } from '../failures/make-failure.ts';
import type { Failure } from '../../result/failure.ts';

export const products = ['transcribe', 'dictate', 'speak', 'isolate', 'voices', 'ask'] as const;
export type Product = (typeof products)[number];

export type Access =
  | { readonly tag: 'allowed' }
  | { readonly tag: 'denied'; readonly permission: string }
  | { readonly tag: 'unknown' };

export type PermissionMap = Readonly<Record<Product, Access>>;

export interface FreeReadEnd {
  readonly product: Product;
  readonly permission: string | null;
  readonly failure: Failure | null;
}

export const nothingKnown: PermissionMap = mapOf(() => ({ tag: 'unknown' }));

export function readPermissions(ends: readonly FreeReadEnd[]): PermissionMap {
  const found = new Map(ends.map((end) => [end.product, accessOf(end)]));
  return mapOf((product) => found.get(product) ?? { tag: 'unknown' });
}

function accessOf({ permission, failure }: FreeReadEnd): Access {
  if (failure === null) return { tag: 'allowed' };
  return failure.kind === 'permission-missing' && permission !== null
    ? { tag: 'denied', permission }
    : { tag: 'unknown' };
}

/** Free reads can't show whether a key may create: the first refused creation denies until the key changes. */
export function learnRefusal(map: PermissionMap, product: string, failure: Failure): PermissionMap {
  const permission = failure.params?.['permission'];
  const isGrant = failure.kind === 'permission-missing' && typeof permission === 'string';
  return isGrant && isProduct(product) ? { ...map, [product]: { tag: 'denied', permission } } : map;
}

/** Null when work may be sent; without read access its result could not be fetched (key-cannot-collect). */
export function explainBeforeSending(map: PermissionMap, product: Product): Failure | null {
  const access = map[product];
  if (access.tag !== 'denied') return null;
  const { permission } = access;
  const row = permission.endsWith(': read') ? 'key-cannot-collect' : 'permission-missing';
  return makeFailure(row, { code: 'insufficient_scope', outcome: 'not_sent', params: { permission } });
}

export const listAccess = (
  map: PermissionMap,
): { product: Product; access: Access['tag']; permission: string | null }[] =>
  products.map((product) => {
    const access = map[product];
    return { product, access: access.tag, permission: access.tag === 'denied' ? access.permission : null };
  });

export function mapOfList(
  list: readonly { readonly product: string; readonly access: Access['tag']; readonly permission: string | null }[],
): PermissionMap {
  const found = new Map(list.map((one) => [one.product, one]));
  return mapOf((product) => {
    const one = found.get(product);
    if (one === undefined || one.access === 'unknown') return { tag: 'unknown' };
    return one.access === 'denied' ? { tag: 'denied', permission: one.permission ?? '' } : { tag: 'allowed' };
  });
}

const isProduct = (name: string): name is Product => products.some((product) => product === name);

function mapOf(accessTo: (product: Product) => Access): PermissionMap {
  return Object.fromEntries(products.map((product) => [product, accessTo(product)])) as Record<Product, Access>;
}
