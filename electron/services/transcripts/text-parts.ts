import { randomBytes } from 'node:crypto';

interface Kept {
  readonly token: string;
  /** Null: it was taken. */
  readonly parts: (Uint8Array | null)[];
}

/**
 * Parts of a long text on their way to a window. Each is given once and then released; a window that opens another text
 * gets no more of the previous one.
 */
export function createTextParts() {
  const byWindow = new Map<number, Kept>();
  return {
    keep(windowId: number, parts: readonly Uint8Array[]): string {
      const token = randomBytes(18).toString('base64url');
      byWindow.set(windowId, { token, parts: [...parts] });
      return token;
    },
    /** The part with this number, from 0; null when it was taken before, or belongs to no text of this window. */
    take(windowId: number, token: string, number: number): Uint8Array | null {
      const kept = byWindow.get(windowId);
      if (kept === undefined || kept.token !== token) return null;
      const part = kept.parts[number] ?? null;
      if (part !== null) kept.parts[number] = null;
      if (kept.parts.every((left) => left === null)) byWindow.delete(windowId);
      return part;
    },
    releaseWindow: (windowId: number): void => void byWindow.delete(windowId),
  };
}

export type TextParts = ReturnType<typeof createTextParts>;
