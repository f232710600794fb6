import { assertNever } from '../../../shared/result/result.ts';
import type { CredentialClass } from '../../../shared/wire/endpoint.ts';
import type { Connection } from '../connection.ts';

/**
 * The only place that reads the key. A credential goes to the exact origin of the connection and to the class of route it
 * is for; everything else gets none (reliability S-32). This app holds developer keys only, so the other classes send
 * nothing.
 */
export function credentialHeaders(
  connection: Connection,
  url: URL,
  credential: CredentialClass,
): Readonly<Record<string, string>> {
  const isOwnOrigin = URL.parse(connection.baseUrl)?.origin === url.origin;
  switch (credential) {
    case 'api-key':
      return isOwnOrigin ? { authorization: `Bearer ${connection.key.reveal()}` } : {};
    case 'access-token':
    case 'legacy-key':
    case 'ticket':
    case 'none':
      return {};
    default:
      return assertNever(credential);
  }
}

/** Takes the key out of a text that came back, so that a server which repeats it can't put it into a log or a file. */
export function withoutKey(text: string, connection: Connection): string {
  const key = connection.key.reveal();
  return key.length >= 8 && text.includes(key) ? text.replaceAll(key, '[secret]') : text;
}
