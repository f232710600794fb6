import type { Secret } from './secret-store.ts';

/**
 * Secrets that the service tells once, by the id of what they belong to. They stay in the memory of main until they are
 * taken or dropped, and end with the process: pages learn that there is one, and how it ends.
 */
export function createShownOnce() {
  const held = new Map<string, Secret>();
  return {
    keep: (id: string, secret: Secret): void => void held.set(id, secret),
    get: (id: string): Secret | null => held.get(id) ?? null,
    drop: (id: string): void => void held.delete(id),
  };
}

export type ShownOnce = ReturnType<typeof createShownOnce>;
