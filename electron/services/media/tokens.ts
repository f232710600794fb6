import { randomBytes } from 'node:crypto';

/** More than the largest drop needs (20,000 files, two tokens each); the oldest tokens are dropped for newer ones. */
const maxTokensPerWindow = 60_000;
const newToken = () => randomBytes(18).toString('base64url');

/** A page can't name a path, and can't use a token that its window did not get (S-14). */
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

/** A recording that a page may play, and its key in the peaks cache; under a key that is no hash nothing is kept. */
export interface PlayableMedia {
  readonly path: string;
  readonly sha256: string;
}

const identityOf = ({ path, sha256 }: PlayableMedia): string => `${sha256}\n${path}`;

/** The same recording keeps its token, so that a page does not load its audio twice. */
export function createMediaTokens() {
  const byToken = new Map<string, PlayableMedia>();
  const tokens = new Map<string, string>();
  return {
    issue(media: PlayableMedia): string {
      const identity = identityOf(media);
      const token = tokens.get(identity) ?? randomBytes(18).toString('base64url');
      tokens.set(identity, token);
      byToken.set(token, media);
      return token;
    },
    resolve: (token: string): PlayableMedia | null => byToken.get(token) ?? null,
    isIssued: (media: PlayableMedia): boolean => tokens.has(identityOf(media)),
    /** No page may play these contents any more, unless they are issued again. */
    forget(contents: readonly string[]): void {
      const gone = new Set(contents);
      for (const [token, media] of byToken) {
        if (!gone.has(media.sha256)) continue;
        byToken.delete(token);
        tokens.delete(identityOf(media));
      }
    },
  };
}

export type MediaTokens = ReturnType<typeof createMediaTokens>;
