import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Need, PermissionId } from '../access/permissions.ts';
import type { ApiKey } from '../account/api-keys.ts';
import type { Fault } from '../faults/fault-plan.ts';
import type { ShapeVariant } from '../shapes/shape-variants.ts';
import type { Services } from '../services.ts';
import type { Answer } from './answer.ts';

/** One request during its handling. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** The body to read: the request itself, or a slowed copy when a fault asks for that. */
  readonly body: Readable;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly shape: ShapeVariant;
  /** Faults that only the handler can have. */
  readonly faults: readonly Fault[];
}

/** A request with a developer key that is allowed to use the route. */
export interface KeyedExchange extends Exchange {
  readonly caller: ApiKey;
}

/** Null: the client is gone. */
type Handler<E> = (exchange: E, services: Services) => Promise<Answer | null> | Answer;

interface Place {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A segment that begins with a colon is a parameter. */
  readonly path: `/${string}`;
}

/** A product route for developer keys. */
export interface KeyedRoute extends Place {
  readonly credential: 'api-key';
  readonly permission: `${PermissionId}:${Need['level']}`;
  /** An alternative permission for this route; the handler decides which of them the request needs. */
  readonly orPermission?: KeyedRoute['permission'];
  readonly handle: Handler<KeyedExchange>;
}

/** A route for the signed-in user, for a key of the legacy API, or one whose address is itself the credential. */
export interface OtherRoute extends Place {
  readonly credential: 'access-token' | 'legacy-key' | 'signature';
  readonly handle: Handler<Exchange>;
}

export type Route = KeyedRoute | OtherRoute;

/** Both permissions of a route; one of them is enough to enter. */
export const needsOf = ({ permission, orPermission }: KeyedRoute): readonly Need[] =>
  [permission, ...(orPermission === undefined ? [] : [orPermission])].map((text) => {
    const [id, level] = text.split(':') as [PermissionId, Need['level']];
    return { permission: id, level };
  });

export type Match =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const given = path.split('/');
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of expected.entries()) {
    const value = given[at] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
      continue;
    }
    // Identifiers are opaque, but ours are plain; one that needs decoding is not ours.
    if (!/^[\w-]{1,128}$/.test(value)) return null;
    params[part.slice(1)] = value;
  }
  return params;
}

/** Finds the route of a request; the table is small, so a linear search is enough. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match {
  const allowed: string[] = [];
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params === null) continue;
    if (route.method === method) return { kind: 'found', route, params };
    allowed.push(route.method);
  }
  return allowed.length === 0 ? { kind: 'none' } : { kind: 'wrong-method', allowed };
}

/** `/v1/things/:thingId` as the service's document writes it: `/v1/things/{thing_id}`. */
export const documentedPath = (path: string): string =>
  path.replaceAll(
    /:(\w+)/g,
    (_whole, name: string) => `{${name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)}}`,
  );
