import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { products, type PermissionMap } from '../../../shared/domain/permissions/permission-map.ts';

/** What is known of one key at one address. */
export interface KnownAccess {
  /** Stands for address and key; neither can be read from it. */
  readonly id: string;
  /** Unix ms of the last answered check. */
  readonly checkedAtMs: number;
  /** As free reads told. */
  readonly read: readonly AccessRow[];
  /** Grants that were missing in the course of work; free reads can't see them. */
  readonly learned: readonly { readonly product: string; readonly permission: string }[];
}

export interface AccessRow {
  readonly product: keyof PermissionMap;
  readonly access: 'allowed' | 'denied' | 'unknown';
  readonly permission: string | null;
}

/** Where it is kept between runs. Losing it costs one round of free reads. */
export interface AccessCacheStore {
  /** Null: nothing is kept or it can't be read. */
  read(): string | null;
  /** Replaces what is kept; a disk that refuses is passed over. */
  save(text: string): void;
}

/** So many keys are remembered, the last used ones. */
const mostKeys = 8;
const permission = lazySchema(() => z.string().max(64));
const file = lazySchema(() =>
  z.object({
    version: z.literal(1),
    known: z
      .array(
        z.object({
          id: z.string().regex(/^[0-9a-f]{32}$/),
          checkedAtMs: z.number(),
          read: z.array(
            z.object({
              product: z.enum(products),
              access: z.enum(['allowed', 'denied', 'unknown']),
              permission: permission().nullable(),
            }),
          ),
          learned: z.array(z.object({ product: z.string().max(32), permission: permission() })),
        }),
      )
      .max(mostKeys),
  }),
);

/** What a file of this or another version holds for us; nothing when it is none of ours. */
export function readKnownAccess(text: string | null): readonly KnownAccess[] {
  try {
    const parsed = file().safeParse(JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.data.known : [];
  } catch {
    return [];
  }
}

/** The text to keep, the newest keys first. */
export const writeKnownAccess = (known: readonly KnownAccess[]): string =>
  JSON.stringify({ version: 1, known: known.slice(0, mostKeys) });
