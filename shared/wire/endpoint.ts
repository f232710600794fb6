import type { Product } from '../domain/permissions/permission-map.ts';
import type { AssumptionName } from './assumptions.ts';
import type { PermissionId } from './grants.ts';

/** Which secret a route requires; chosen by the transport, never by a caller (contract 5). */
export type CredentialClass = 'api-key' | 'access-token' | 'legacy-key' | 'ticket' | 'none';

/** Whether the same request may be repeated after a lost answer. */
export type RetryClass = 'safe' | 'with-idempotency-key' | 'never';

/** A product, or a part of the service that is not sold separately. */
export type ServiceArea = Product | 'clone' | 'webhooks' | 'account' | 'usage';

/** One route of the service as data, for the client, the practice service and the tools. */
export interface Endpoint {
  readonly transport: 'http' | 'websocket' | 'grpc';
  /** For sockets the method of the upgrade, for gRPC that of the call. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Template; `{name}` is replaced by an encoded value. Logs use it as the name of a request. */
  readonly path: `/${string}`;
  readonly credential: CredentialClass;
  readonly product: ServiceArea;
  /** The required grant, as in section 2.2 of the service's document; null where grants do not apply. */
  readonly permission: `${PermissionId}: ${'read' | 'write' | 'access'}` | null;
  readonly retry: RetryClass;
  /** Longest wait for the first byte of an answer after the last byte of the request, milliseconds. */
  readonly firstByteMs: number;
  /** The content of a success; `events` is a stream of server-sent events or, if none was requested, JSON. */
  readonly answer: 'json' | 'text' | 'audio' | 'events' | 'messages' | 'none';
  /** Section of the service's document. */
  readonly section: `4.${number}`;
  /** Whether the document shows the route itself. The settings may override an assumed one. */
  readonly evidence: 'documented' | 'assumed';
  /** The assumptions beyond the document that sending and reading depend on. */
  readonly assumes: readonly AssumptionName[];
}
