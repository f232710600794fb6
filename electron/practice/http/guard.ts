import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { problem, type Answer } from './answer.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Equal length for both sides whatever was sent, so neither the length nor a common beginning can be timed. */
const isSame = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));

/** A header sent twice must not slip through as a joined or first value. */
function singleHeader(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/**
 * Who may talk to this server: only a program on this computer that holds the key of this start. A web page can't,
 * because it always sends an Origin, a foreign Host (DNS rebinding) or a Sec-Fetch-Site. Null: let it pass.
 */
export function refuseForeign(request: IncomingMessage, port: number): Answer | null {
  if (singleHeader(request, 'host') !== `127.0.0.1:${port}`) {
    return problem(403, 'host_forbidden', 'This address is not served here.');
  }
  if (request.headers.origin !== undefined) {
    return problem(403, 'origin_forbidden', 'The practice service does not talk to web pages.');
  }
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none') {
    return problem(403, 'origin_forbidden', 'The practice service does not talk to web pages.');
  }
  return null;
}

/** A key of the real service ends here with a clear word: nothing is stored and nothing of it is repeated. */
export function refuseUnknownKey(request: IncomingMessage, token: string): Answer | null {
  const header = singleHeader(request, 'authorization');
  if (header === null) {
    return problem(401, 'invalid_api_key', 'Send the practice key as "Authorization: Bearer <key>".', undefined, {
      'www-authenticate': 'Bearer',
    });
  }
  const sent = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  if (isSame(sent, token)) return null;
  return problem(
    401,
    'invalid_api_key',
    'This is the practice service and it only knows the key that it made at its start. Keys of the real service do not belong here.',
    undefined,
    { 'www-authenticate': 'Bearer' },
  );
}
