import { makeFailure } from '../failures/make-failure.ts';
import type { Failure } from '../../result/failure.ts';
import { assertNever } from '../../result/result.ts';

/** The products that a key may be allowed to use, by our screens' names. */
export const products = ['transcribe', 'dictate', 'speak', 'isolate', 'voices', 'ask'] as const;
export type Product = (typeof products)[number];

/** What is known about one product. `permission` is the missing grant, for example `llm: read`. */
export type Access =
  | { readonly tag: 'allowed' }
  | { readonly tag: 'denied'; readonly permission: string }
  | { readonly tag: 'unknown' };

/** What one key may use at one address. */
export type PermissionMap = Readonly<Record<Product, Access>>;

/** How a free read of a product ended. */
export interface FreeReadEnd {
  readonly product: Product;
  /** The grant that the read needs. */
  readonly permission: string | null;
  /** Null: it was answered. */
  readonly failure: Failure | null;
}

/** Nothing was asked yet. */
export const nothingKnown: PermissionMap = mapOf(() => ({ tag: 'unknown' }));

/** The result of free reads: an answer allows, a missing grant denies, anything else leaves it open. */
export function readPermissions(ends: readonly FreeReadEnd[]): PermissionMap {
  const found = new Map(ends.map((end) => [end.product, accessOf(end)]));
  return mapOf((product) => found.get(product) ?? { tag: 'unknown' });
}

function accessOf({ permission, failure }: FreeReadEnd): Access {
  if (failure === null) return { tag: 'allowed' };
  return failure.row === 'E-037' && permission !== null ? { tag: 'denied', permission } : { tag: 'unknown' };
}

/**
 * Adds what a refusal during work shows: free reads can't reveal whether a key may also create, so the first refused
 * creation denies the product until the key changes. Anything other than a missing grant changes nothing.
 */
export function learnRefusal(map: PermissionMap, product: string, failure: Failure): PermissionMap {
  const permission = failure.params?.['permission'];
  const isGrant = failure.row === 'E-037' && typeof permission === 'string';
  return isGrant && isProduct(product) ? { ...map, [product]: { tag: 'denied', permission } } : map;
}

/**
 * Why work of this product should not be sent with this key, or null. A key without read access could start the work
 * but not fetch it (E-083); one that may not create would be refused (E-037).
 */
export function explainBeforeSending(map: PermissionMap, product: Product): Failure | null {
  const access = map[product];
  switch (access.tag) {
    case 'allowed':
    case 'unknown':
      return null;
    case 'denied': {
      const isRead = access.permission.endsWith(': read');
      return makeFailure(isRead ? 'E-083' : 'E-037', {
        code: 'insufficient_scope',
        outcome: 'not_sent',
        params: { permission: access.permission },
      });
    }
    default:
      return assertNever(access);
  }
}

/** The map as a list in the order of the products, for the IPC contract. */
export const listAccess = (
  map: PermissionMap,
): { product: Product; access: Access['tag']; permission: string | null }[] =>
  products.map((product) => {
    const access = map[product];
    return { product, access: access.tag, permission: access.tag === 'denied' ? access.permission : null };
  });

/** The map of such a list; missing products are unknown. */
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
