import type { Product } from '../domain/permissions/permission-map.ts';
import type { AssumptionName } from './assumptions.ts';
import type { PermissionId } from './grants.ts';

/** Which secret a route takes; chosen by the transport, never by a caller (contract 5). */
export type CredentialClass = 'api-key' | 'access-token' | 'legacy-key' | 'ticket' | 'none';

/** Whether the same request may be repeated after a lost answer. */
export type RetryClass = 'safe' | 'with-idempotency-key' | 'never';

/** A product, or a part of the service that is not sold by itself. */
export type ServiceArea = Product | 'clone' | 'webhooks' | 'account' | 'usage';

/** One route of the service as data, for the client, the practice service and the tools alike. */
export interface Endpoint {
  readonly transport: 'http' | 'websocket' | 'grpc';
  /** For sockets the method of the upgrade, for gRPC that of the call. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Template; `{name}` is filled with an encoded value. Also what logs name a request by. */
  readonly path: `/${string}`;
  readonly credential: CredentialClass;
  readonly product: ServiceArea;
  /** The grant it needs, as section 2.2 of the service's document writes it; null where grants do not apply. */
  readonly permission: `${PermissionId}: ${'read' | 'write' | 'access'}` | null;
  readonly retry: RetryClass;
  /** Longest wait for the first byte of an answer after the last byte of the request, milliseconds. */
  readonly firstByteMs: number;
  /** What a success carries; `events` is a stream of server-sent events or, if it was not asked for, JSON. */
  readonly answer: 'json' | 'text' | 'audio' | 'events' | 'messages' | 'none';
  /** Section of the service's document. */
  readonly section: `4.${number}`;
  /** Whether the document shows the route itself. An assumed one may be overridden by the settings. */
  readonly evidence: 'documented' | 'assumed';
  /** What the sending and the reading rest on beyond the document. */
  readonly assumes: readonly AssumptionName[];
}
