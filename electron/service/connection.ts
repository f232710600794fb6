import { type ModeId, modeOf } from '../../shared/domain/modes.ts';
import { Secret } from '../secret/secret.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { assertNever, err, ok, type Result } from '../../shared/result/result.ts';
import type { CredentialClass, Endpoint } from './endpoints.ts';
import { judgeStreamAddress } from '../../shared/domain/urls/judge-address.ts';
import type { Caller } from './caller.ts';
import { fieldsOf, readNamed } from './values.ts';

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

const noLegacyKey = makeFailure('key-refused', { code: 'no_legacy_key', outcome: 'not_sent', layer: 'local' });

/** The connection in use, or key-missing. */
export function connectionOf(source: ConnectionSource): Result<Connection> {
  const connection = source();
  return connection === null
    ? err(makeFailure('key-missing', { code: 'no_key', outcome: 'not_sent', layer: 'local' }))
    : ok(connection);
}

/** The failure of a route whose credential is not set; null when nothing is missing. */
export function missingCredential(connection: Connection, credential: CredentialClass): Failure | null {
  if (credential === 'access-token' && connection.accessToken === undefined)
    return makeFailure('token-refused', { code: 'no_access_token', outcome: 'not_sent', layer: 'local' });
  return credential === 'legacy-key' && connection.legacyKey === undefined ? noLegacyKey : null;
}

/** Why an address could not be built: a mistake of ours or in the settings, found before anything is sent. */
export type BadAddress = 'base-not-an-address' | 'base-not-secure' | 'value-missing' | 'value-unsafe';

export interface AddressParts {
  readonly baseUrl: string;
  readonly allowsLoopbackHttp: boolean;
  readonly path: string;
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
}

const loopbackHosts = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/u;

/**
 * The address of a request. Values are encoded whole, so an identifier with any content stays one part of the path; `.`
 * and `..` can't be encoded and are refused. https only, except http on loopback where allowed.
 */
export function buildUrl(parts: AddressParts): Result<URL, BadAddress> {
  const base = URL.parse(parts.baseUrl);
  if (base === null || base.username !== '' || base.password !== '') return err('base-not-an-address');
  if (base.search !== '' || base.hash !== '') return err('base-not-an-address');
  const isLoopback = base.protocol === 'http:' && loopbackHosts.test(base.hostname);
  if (base.protocol !== 'https:' && !(isLoopback && parts.allowsLoopbackHttp)) return err('base-not-secure');

  const path = fillPath(parts.path, parts.values ?? {});
  if (!path.ok) return path;
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/u, '')}${path.value}`);
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return ok(url);
}

function fillPath(path: string, values: Readonly<Record<string, string>>): Result<string, BadAddress> {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    const name = /^\{(\w+)\}$/u.exec(step)?.[1];
    if (name === undefined) {
      steps.push(step);
      continue;
    }
    const value = values[name];
    if (value === undefined || value === '') return err('value-missing');
    if (value === '.' || value === '..' || !value.isWellFormed()) return err('value-unsafe');
    steps.push(encodeURIComponent(value));
  }
  return ok(steps.join('/'));
}

export interface StreamTarget {
  /** Contains a ticket or a key: for the socket only. */
  readonly url: URL;
  readonly route: Endpoint['path'];
  /** Headers of the handshake; their values are secrets too. */
  readonly headers?: Readonly<Record<string, Secret>>;
  /** Secrets that must never appear in a message, whatever the other side echoes. */
  readonly secrets: readonly Secret[];
}

const refused = (
  kind: 'live-ticket-expired' | 'address-invalid' | 'live-speech-refused',
  code: string,
): Result<never> => err(makeFailure(kind, { code, outcome: 'not_sent', layer: 'local' }));

/** The origin of streams: the pinned one of the settings, else that of the service, as https or loopback http. */
function streamBase(connection: Connection): string {
  return connection.streamUrl === undefined
    ? connection.baseUrl
    : connection.streamUrl.replace(/^ws(s?):/iu, 'http$1:');
}

const asSocket = (url: URL): URL => new URL(url.href.replace(/^http/u, 'ws'));

const practicePortOf = (connection: Connection, allowsLoopbackHttp: boolean): number | null => {
  if (!modeOf(connection.kind).isOnThisComputer && !allowsLoopbackHttp) return null;
  const base = URL.parse(streamBase(connection));
  return base?.protocol === 'http:' && base.hostname === '127.0.0.1' && base.port !== '' ? Number(base.port) : null;
};

function ownAddress(connection: Connection, endpoint: Endpoint, allowsLoopbackHttp: boolean): Result<URL> {
  const built = buildUrl({
    baseUrl: streamBase(connection),
    allowsLoopbackHttp: modeOf(connection.kind).isOnThisComputer || allowsLoopbackHttp,
    path: endpoint.path,
  });
  return built.ok ? ok(asSocket(built.value)) : refused('address-invalid', built.error.replaceAll('-', '_'));
}

/**
 * The address that a ticket opens: the one that came with it if it belongs to the service or is pinned in the settings;
 * for any other address nothing is opened and the ticket is not sent (reliability F-26). Without an address, the
 * documented route. A ticket that has expired counts as refused (live-ticket-expired), so another one is requested.
 */
export function ticketTarget(
  connection: Connection,
  endpoint: Endpoint,
  given: { readonly ticket: Secret; readonly hasExpired: boolean; readonly websocketUrl: string | null },
  allowsLoopbackHttp: boolean,
): Result<StreamTarget> {
  if (given.hasExpired) return refused('live-ticket-expired', 'ticket_expired');
  const own = ownAddress(connection, endpoint, allowsLoopbackHttp);
  if (!own.ok) return own;
  let url = own.value;
  if (given.websocketUrl !== null) {
    const hosts = [connection.baseUrl, streamBase(connection)].flatMap((text) => URL.parse(text)?.host ?? []);
    const practicePort = practicePortOf(connection, allowsLoopbackHttp);
    const judged = judgeStreamAddress(given.websocketUrl, { hosts, practicePort });
    if (!judged.ok || judged.value.hash !== '') {
      const name = URL.parse(given.websocketUrl)?.host ?? '';
      const facts = { code: 'unsafe_stream_address', outcome: 'not_sent', layer: 'local' } as const;
      return err(makeFailure('live-host-differs', { ...facts, ...(name === '' ? {} : { params: { name } }) }));
    }
    url = new URL(judged.value);
  }
  url.searchParams.set('ticket', given.ticket.reveal());
  return ok({ url, route: endpoint.path, secrets: [given.ticket] });
}

/**
 * The same stream with the key in a header of the handshake, as servers open it (contract 4.5), for a service that
 * issues no tickets. The key goes only to the service's own origin or to the pinned one of the settings.
 */
export function keyTarget(
  connection: Connection,
  endpoint: Endpoint,
  allowsLoopbackHttp: boolean,
): Result<StreamTarget> {
  const own = ownAddress(connection, endpoint, allowsLoopbackHttp);
  if (!own.ok) return own;
  const { key } = connection;
  return ok({ url: own.value, route: endpoint.path, headers: { 'x-service-api-key': key }, secrets: [key] });
}

/**
 * The legacy live stream, whose key is part of the address because the service accepts it nowhere else (contract 4.15).
 * It goes only to the service's own origin or to the pinned one of the settings.
 */
export function legacyStreamTarget(
  connection: Connection,
  endpoint: Endpoint,
  allowsLoopbackHttp: boolean,
): Result<StreamTarget> {
  const { legacyKey } = connection;
  if (legacyKey === undefined) return err(noLegacyKey);
  const own = ownAddress(connection, endpoint, allowsLoopbackHttp);
  if (!own.ok) return own;
  own.value.searchParams.set('token', legacyKey.reveal());
  return ok({ url: own.value, route: endpoint.path, secrets: [legacyKey] });
}

/** Where the legacy gRPC call goes: `isPlain` on this computer only. */
export interface CallTarget {
  readonly host: string;
  readonly isPlain: boolean;
  /** The metadata of a call; read for each call, so that a replaced key is used at once. */
  readonly key: Secret;
}

const hostPattern = /^(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|localhost|127\.0\.0\.1)(?::\d{1,5})?$/u;

/** The gRPC host of the settings with its port (443 by default); without one the legacy call is not offered. */
export function callTarget(connection: Connection, allowsLoopbackHttp: boolean): Result<CallTarget> {
  const { grpcHost, legacyKey } = connection;
  if (legacyKey === undefined) return err(noLegacyKey);
  if (grpcHost === undefined || !hostPattern.test(grpcHost)) return refused('live-speech-refused', 'no_call_host');
  const [name = '', port = '443'] = grpcHost.split(':');
  const isLoopback = name === '127.0.0.1' || name === 'localhost';
  const isPlain = isLoopback && (modeOf(connection.kind).isOnThisComputer || allowsLoopbackHttp);
  if (isLoopback && !isPlain) return refused('live-speech-refused', 'no_call_host');
  return ok({ host: `${name}:${port}`, isPlain, key: legacyKey });
}

/** Opens one stream once; requested just before use and never used again. */
export interface Ticket {
  readonly ticket: Secret;
  readonly expiresAt: string | null;
  /** By the clock of the service: nobody accepts it any more, for example because a proxy answered from its cache. */
  readonly hasExpired: boolean;
  /** Judged before use, like every address from the service; null: the documented route. */
  readonly websocketUrl: string | null;
}

export interface TicketApi {
  ticket(service: 'stt' | 'tts', signal?: AbortSignal): Promise<Result<Ticket>>;
}

/** The `Date` of an answer has whole seconds. */
const slackMs = 2000;

/** `clockOffsetMs`: the clock of the service minus ours, milliseconds; null: not known. */
export function createTicketApi(caller: Caller, now: () => number, clockOffsetMs: () => number | null): TicketApi {
  const isOver = (expiresAt: string | null): boolean => {
    const offsetMs = clockOffsetMs();
    return expiresAt !== null && offsetMs !== null && Date.parse(expiresAt) + slackMs < now() + offsetMs;
  };
  return {
    async ticket(service, signal) {
      const read = await caller.read('realtime.ticket', {
        json: { transport: 'websocket', service },
        ...(service === 'tts' ? { permission: 'tts_realtime: access' } : {}),
        signal,
      });
      if (!read.ok) return read;
      const { ticket, expiresAt, websocketUrl } = read.value;
      return {
        ok: true,
        value: { ticket: new Secret(ticket), expiresAt, hasExpired: isOver(expiresAt), websocketUrl },
      };
    },
  };
}

/** A ticket (contract 2.6). The address comes without the ticket in it. */
export function readTicket(body: unknown) {
  const source = readNamed(body, ['realtime_ticket'], ['ticket']);
  if (source === null) return null;
  const { text, moment } = fieldsOf(source);
  const ticket = text('ticket');
  return ticket === null
    ? null
    : { ticket, service: text('service'), expiresAt: moment('expires_at'), websocketUrl: text('websocket_url') };
}
