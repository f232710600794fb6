import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Session {
  /** A signed token like the one issued at sign-in; created here when the service starts. */
  readonly token: string;
  check(token: string): 'valid' | 'expired' | 'unknown';
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The one signed-in user of practice mode. Times in milliseconds. */
export function openSession(lifeMs: number, now: () => number): Session {
  const secret = randomBytes(32);
  const expiresAtMs = now() + lifeMs;
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({
    sub: 'practice',
    iat: Math.floor(now() / 1000),
    exp: Math.floor(expiresAtMs / 1000),
    jti: randomBytes(16).toString('base64url'),
  })}`;
  const signatureOf = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return {
    token: `${content}.${signatureOf(content).toString('base64url')}`,
    check: (token) => {
      const cut = token.lastIndexOf('.');
      const given = Buffer.from(token.slice(cut + 1), 'base64url');
      const expected = signatureOf(token.slice(0, cut));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'unknown';
      return now() < expiresAtMs ? 'valid' : 'expired';
    },
  };
}
