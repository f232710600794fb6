import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { products, type PermissionMap } from '../../../shared/domain/permissions/permission-map.ts';

/** What is known of one key at one address. */
export interface KnownAccess {
  /** Identifies address and key; neither can be recovered from it. */
  readonly id: string;
  /** Unix ms of the last answered check. */
  readonly checkedAtMs: number;
  /** Results of the free reads. */
  readonly read: readonly AccessRow[];
  /** Grants that turned out to be missing during work; free reads can't reveal them. */
  readonly learned: readonly { readonly product: string; readonly permission: string }[];
}

export interface AccessRow {
  readonly product: keyof PermissionMap;
  readonly access: 'allowed' | 'denied' | 'unknown';
  readonly permission: string | null;
}

/** The storage between runs. Losing it costs one round of free reads. */
export interface AccessCacheStore {
  /** Null: nothing is stored or it can't be read. */
  read(): string | null;
  /** Replaces the stored text; write errors are ignored. */
  save(text: string): void;
}

/** How many keys are remembered, the most recently used ones. */
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

/** Reads a file of this or another version; empty when it is not ours. */
export function readKnownAccess(text: string | null): readonly KnownAccess[] {
  try {
    const parsed = file().safeParse(JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.data.known : [];
  } catch {
    return [];
  }
}

/** The text to store, most recent keys first. */
export const writeKnownAccess = (known: readonly KnownAccess[]): string =>
  JSON.stringify({ version: 1, known: known.slice(0, mostKeys) });
