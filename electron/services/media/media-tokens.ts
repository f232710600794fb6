import { randomBytes } from 'node:crypto';

/** A recording that a page may play, and its key in the peaks cache; under a key that is no hash nothing is kept. */
export interface PlayableMedia {
  readonly path: string;
  readonly sha256: string;
}

const identityOf = ({ path, sha256 }: PlayableMedia): string => `${sha256}\n${path}`;

/**
 * Names under which the media scheme serves recordings. The same recording keeps its token for the session, so that a
 * page that opens a transcript twice does not load the audio twice.
 */
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
