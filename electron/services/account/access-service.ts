import { z } from 'zod';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import {
  learnRefusal,
  listAccess,
  mapOfList,
  nothingKnown,
  products,
  type PermissionMap,
} from '../../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ConnectionReport } from '../../service/connection-check.ts';

export interface KnownAccess {
  /** Identifies address and key; neither can be recovered from it. */
  readonly id: string;
  readonly checkedAtMs: number;
  readonly read: readonly AccessRow[];
  /** Grants that turned out to be missing during work; free reads can't reveal them. */
  readonly learned: readonly { readonly product: string; readonly permission: string }[];
}

export interface AccessRow {
  readonly product: keyof PermissionMap;
  readonly access: 'allowed' | 'denied' | 'unknown';
  readonly permission: string | null;
}

export interface AccessCacheStore {
  read(): string | null;
  save(text: string): void;
}

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

export function readKnownAccess(text: string | null): readonly KnownAccess[] {
  try {
    const parsed = file().safeParse(JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.data.known : [];
  } catch {
    return [];
  }
}

export const writeKnownAccess = (known: readonly KnownAccess[]): string =>
  JSON.stringify({ version: 1, known: known.slice(0, mostKeys) });

export interface AccessDescription {
  readonly products: ReturnType<typeof listAccess>;
  readonly checkedAtMs: number | null;
  /** The service did not accept this key when it was asked last; known since this start only. */
  readonly isKeyRefused?: boolean;
}

/** After a refusal the access is read again, but never more often than this. */
const refreshPauseMs = 60_000;

interface AccessServiceOptions {
  readonly identity: () => string | null;
  readonly mayAsk: () => boolean;
  readonly ask: () => Promise<ConnectionReport | null>;
  readonly memory: AccessCacheStore;
  readonly now: () => number;
}

export function createAccessService({ identity, mayAsk, ask, memory, now }: AccessServiceOptions) {
  const listeners = new Set<() => void>();
  let known: readonly KnownAccess[] = readKnownAccess(memory.read());
  let asking: {
    readonly id: string;
    forgetsLearned: boolean;
    readonly answer: Promise<ConnectionReport | null>;
  } | null = null;
  let askedAtMs = new Map<string, number>();
  let refusedId: string | null = null;

  const find = (id: string): KnownAccess | undefined => known.find((one) => one.id === id);
  const put = (changed: KnownAccess): void => {
    known = [changed, ...known.filter(({ id }) => id !== changed.id)];
    memory.save(writeKnownAccess(known));
    for (const listener of listeners) listener();
  };

  function map(): PermissionMap {
    const id = identity();
    const found = id === null ? undefined : find(id);
    if (found === undefined) return nothingKnown;
    return found.learned.reduce<PermissionMap>(
      (sum, { product, permission }) =>
        learnRefusal(sum, product, makeFailure('permission-missing', { params: { permission } })),
      mapOfList(found.read),
    );
  }

  /** What a network failure left open does not overwrite earlier knowledge. */
  function accept(id: string, report: ConnectionReport | null, forgetsLearned: boolean): ConnectionReport | null {
    if (report?.key === 'refused' && refusedId !== id) {
      refusedId = id;
      for (const listener of listeners) listener();
    }
    if (report?.key !== 'accepted') return report;
    refusedId = null;
    const before = find(id);
    const read = report.products.map((row): AccessRow => {
      const earlier = before?.read.find(({ product }) => product === row.product);
      return row.access === 'unknown' && earlier !== undefined ? earlier : row;
    });
    put({ id, checkedAtMs: now(), read, learned: forgetsLearned ? [] : (before?.learned ?? []) });
    return { ...report, products: read };
  }

  function askOnce(id: string, forgetsLearned: boolean): Promise<ConnectionReport | null> {
    if (asking?.id === id) {
      // A user who joins an automatic check has still asked for it.
      asking.forgetsLearned ||= forgetsLearned;
      return asking.answer;
    }
    askedAtMs = new Map([[id, now()]]);
    const question = { id, forgetsLearned, answer: ask().then(take) };
    function take(report: ConnectionReport | null): ConnectionReport | null {
      if (asking === question) asking = null;
      // If the key changed meanwhile, the new key gets a check of its own.
      return identity() === id ? accept(id, report, question.forgetsLearned) : report;
    }
    asking = question;
    return question.answer;
  }

  return {
    describe(): AccessDescription {
      const id = identity();
      return {
        products: listAccess(map()),
        checkedAtMs: (id === null ? undefined : find(id))?.checkedAtMs ?? null,
        isKeyRefused: id !== null && id === refusedId,
      };
    },

    onChanged(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** The user asks. Earlier refusals no longer count, because somebody may have changed the key's grants. */
    recheck(): Promise<ConnectionReport | null> {
      const id = identity();
      return id === null ? ask() : askOnce(id, true);
    },

    refresh(): void {
      const id = identity();
      if (id !== null && mayAsk() && !askedAtMs.has(id)) void askOnce(id, false);
    },

    noteRefusal(product: string, failure: Failure): void {
      const id = identity();
      const permission = failure.params?.['permission'];
      if (id === null || failure.kind !== 'permission-missing' || typeof permission !== 'string') return;
      const before = find(id) ?? { id, checkedAtMs: now(), read: listAccess(nothingKnown), learned: [] };
      const others = before.learned.filter((one) => one.product !== product);
      put({ ...before, learned: [...others, { product, permission }] });
      if (mayAsk() && now() - (askedAtMs.get(id) ?? -Infinity) >= refreshPauseMs) void askOnce(id, false);
    },

    noteUse(product: string): void {
      const id = identity();
      if (id !== null && id === refusedId) {
        refusedId = null;
        for (const listener of listeners) listener();
      }
      const before = id === null ? undefined : find(id);
      const shows = (one: AccessRow): boolean => one.product === product && one.access === 'unknown';
      if (before === undefined) return;
      if (!before.learned.some((one) => one.product === product) && !before.read.some(shows)) return;
      put({
        ...before,
        read: before.read.map((one) => (shows(one) ? { ...one, access: 'allowed' as const } : one)),
        learned: before.learned.filter((one) => one.product !== product),
      });
    },
  };
}

export type AccessService = ReturnType<typeof createAccessService>;
