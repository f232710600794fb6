import { randomBytes } from 'node:crypto';

/** Of one window; older ones were given up by it. */
const mostBatches = 8;

/**
 * One name for the tokens of many files, so that a page which adds ten thousands of them need not carry each to and
 * fro. Bound to the window, as the tokens are; good for one use.
 */
export function createFileBatches() {
  const batches = new Map<string, { readonly windowId: number; readonly tokens: readonly string[] }>();
  return {
    keep(windowId: number, tokens: readonly string[]): string {
      const [oldest] = batches.keys();
      if (batches.size >= mostBatches && oldest !== undefined) batches.delete(oldest);
      const name = randomBytes(18).toString('base64url');
      batches.set(name, { windowId, tokens });
      return name;
    },
    /** Null: of another window, used already, or never there. */
    take(windowId: number, name: string): readonly string[] | null {
      const batch = batches.get(name);
      if (batch === undefined || batch.windowId !== windowId) return null;
      batches.delete(name);
      return batch.tokens;
    },
  };
}

export type FileBatches = ReturnType<typeof createFileBatches>;
