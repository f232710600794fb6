import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ShapeVariant } from '../shapes/shape-variants.ts';
import type { Services } from '../services.ts';
import type { Answer } from './answer.ts';

/** One request on its way through a handler. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** The body to read: the request itself, or a slowed copy of it when a fault says so. */
  readonly body: Readable;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly shape: ShapeVariant;
}

/** Null: the client is gone. */
export type Handler = (exchange: Exchange, services: Services) => Promise<Answer | null> | Answer;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A segment that begins with a colon is a parameter. */
  readonly path: `/${string}`;
  /** What the key must be allowed to do. The practice key may do all of speech to text and nothing else. */
  readonly permission: `${string}:${'read' | 'write' | 'access'}`;
  /** Absent: practice mode does not offer this product yet, and its key has no permission for it. */
  readonly handle?: Handler;
}

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
    // Identifiers are opaque but ours are plain; anything that needs decoding is not one of them.
    if (!/^[\w-]{1,128}$/.test(value)) return null;
    params[part.slice(1)] = value;
  }
  return params;
}

/** Finds the one route for a request; the table is small, so a walk is enough. */
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
