import { randomBytes } from 'node:crypto';

/** More than the largest drop needs (20,000 files, two tokens each); the oldest tokens are dropped for newer ones. */
const maxTokensPerWindow = 60_000;
const newToken = () => randomBytes(18).toString('base64url');

/**
 * Opaque names for files that the user picked or dropped in one window. They exist only in memory and mean nothing in
 * another window, so that a page can't name a path and can't use a token it did not get (S-14).
 */
export function createFileTokens() {
  const pathsByWindow = new Map<number, Map<string, string>>();
  return {
    issue(this: void, windowId: number, path: string): string {
      const paths = pathsByWindow.get(windowId) ?? new Map<string, string>();
      pathsByWindow.set(windowId, paths);
      const [oldest] = paths.keys();
      if (paths.size >= maxTokensPerWindow && oldest !== undefined) paths.delete(oldest);
      const token = newToken();
      paths.set(token, path);
      return token;
    },
    resolve: (windowId: number, token: string): string | null => pathsByWindow.get(windowId)?.get(token) ?? null,
    releaseWindow: (windowId: number): void => void pathsByWindow.delete(windowId),
  };
}

export type FileTokens = ReturnType<typeof createFileTokens>;
