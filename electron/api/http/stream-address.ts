import { modeOf } from '../../../shared/domain/modes.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { judgeStreamAddress } from '../../../shared/domain/urls/judge-address.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { buildUrl } from '../../../shared/wire/build-url.ts';
import type { Endpoint } from '../../../shared/wire/endpoints.ts';
import type { Connection } from '../connection.ts';
import { Secret } from '../../secret/secret.ts';
import type { Caller } from './resource-call.ts';

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
  if (connection.legacyKey === undefined)
    return err(makeFailure('key-refused', { code: 'no_legacy_key', outcome: 'not_sent', layer: 'local' }));
  const own = ownAddress(connection, endpoint, allowsLoopbackHttp);
  if (!own.ok) return own;
  own.value.searchParams.set('token', connection.legacyKey.reveal());
  return ok({ url: own.value, route: endpoint.path, secrets: [connection.legacyKey] });
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
  if (legacyKey === undefined)
    return err(makeFailure('key-refused', { code: 'no_legacy_key', outcome: 'not_sent', layer: 'local' }));
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
