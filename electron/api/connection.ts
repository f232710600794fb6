import type { ModeId } from '../../shared/domain/modes.ts';
import type { Secret } from '../secret/secret.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { assertNever } from '../../shared/result/result.ts';
import type { CredentialClass } from '../../shared/wire/endpoints.ts';

/** A service on this computer may be reached over plain http; any other only when the app runs from source. */
export interface Connection {
  readonly kind: ModeId;
  readonly baseUrl: string;
  readonly key: Secret;
  readonly accessToken?: Secret;
  readonly legacyKey?: Secret;
  /** Where live streams are, when they are not at the address of the service: `wss://host`. */
  readonly streamUrl?: string;
  readonly grpcHost?: string;
}

/** Called before each attempt, so that a replaced key is used at once. `null`: there is no key. */
export type ConnectionSource = () => Connection | null;

/**
 * The only place that reads the key. A credential goes to the exact origin of the connection and to the class of routes
 * it is for; nothing else gets one (reliability S-32). A ticket is part of the address that the service gave, so
 * sockets get nothing here.
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
      return isOwnOrigin && connection.accessToken !== undefined
        ? { authorization: `Bearer ${connection.accessToken.reveal()}` }
        : {};
    case 'legacy-key':
      return isOwnOrigin && connection.legacyKey !== undefined ? { 'x-api-key': connection.legacyKey.reveal() } : {};
    case 'ticket':
    case 'none':
      return {};
    default:
      return assertNever(credential);
  }
}

/**
 * Removes the secrets from a text that came back, so that a server which echoes them can't put them into a log or a
 * file.
 */
export const withoutKey = (text: string, { key, accessToken, legacyKey }: Connection): string =>
  withoutSecrets(
    text,
    [key, accessToken, legacyKey].filter((secret) => secret !== undefined),
  );

/** The same for any secrets; strings too short to be a secret are left alone. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  let clean = text;
  for (const secret of secrets) {
    const value = secret.reveal();
    if (value.length >= 8 && clean.includes(value)) clean = clean.replaceAll(value, '[secret]');
  }
  return clean;
}

/** The failure of a route whose credential is not set; null when nothing is missing. */
export function missingCredential(connection: Connection, credential: CredentialClass): Failure | null {
  if (credential === 'access-token' && connection.accessToken === undefined)
    return makeFailure('token-refused', { code: 'no_access_token', outcome: 'not_sent', layer: 'local' });
  if (credential === 'legacy-key' && connection.legacyKey === undefined)
    return makeFailure('key-refused', { code: 'no_legacy_key', outcome: 'not_sent', layer: 'local' });
  return null;
}
