import { randomBytes } from 'node:crypto';

/** A recording that a page may play, and its key in the peaks cache. */
export interface PlayableMedia {
  readonly path: string;
  readonly sha256: string;
  /** False: its peaks are computed each time. */
  readonly keepsPeaks?: false;
}

/**
 * Names under which the media scheme serves recordings. The same recording keeps its token for the session, so that a
 * page that opens a transcript twice does not load the audio twice.
 */
export function createMediaTokens() {
  const byToken = new Map<string, PlayableMedia>();
  const tokens = new Map<string, string>();
  return {
    issue(media: PlayableMedia): string {
      const identity = `${media.sha256}\n${media.path}`;
      const token = tokens.get(identity) ?? randomBytes(18).toString('base64url');
      tokens.set(identity, token);
      byToken.set(token, media);
      return token;
    },
    resolve: (token: string): PlayableMedia | null => byToken.get(token) ?? null,
  };
}

export type MediaTokens = ReturnType<typeof createMediaTokens>;
