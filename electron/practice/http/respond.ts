import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Session } from '../access/session-token.ts';
import type { ApiKey } from '../account/api-keys.ts';
import { endAfter, endBefore, slowed, type Ending } from '../faults/apply-faults.ts';
import { shapeFor, type FaultPlan } from '../faults/fault-plan.ts';
import type { Services } from '../services.ts';
import { problem, serialise, type Answer } from './answer.ts';
import { documentedPath, matchRoute, type Match, type Route } from './route.ts';
import { authenticateKey, refuseUngranted, refuseUnknownPerson } from './authenticate.ts';
import { legacyCaller } from '../legacy/key.ts';
import { legacyProblem } from '../legacy/words.ts';
import { type RateLimit, refuseForeign, singleHeader } from './guard.ts';

/** Everything between a socket and a handler. */
export interface Reception {
  readonly routes: readonly Route[];
  readonly port: () => number;
  readonly session: Session;
  readonly rateLimit: RateLimit;
  readonly faultPlan: FaultPlan;
  readonly services: Services;
}

export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** The credential that an address requires; only callers with a valid one learn that an address does not exist. */
const credentialFor = (match: Match, path: string): Route['credential'] =>
  match.kind === 'found'
    ? match.route.credential
    : path.startsWith('/api/v1/account/')
      ? 'access-token'
      : path.startsWith('/api/')
        ? 'legacy-key'
        : 'api-key';

/** Null: the key of the legacy API is valid and within its rate. */
function refuseLegacyKey(request: IncomingMessage, { services, rateLimit }: Reception, nowMs: number): Answer | null {
  const sent = singleHeader(request, 'x-api-key');
  if (sent === null || !services.legacyKey.isMine(sent)) return legacyProblem(request, 401, 'invalid_key');
  const waitSeconds = rateLimit.take(legacyCaller.id, nowMs);
  return waitSeconds === null
    ? null
    : legacyProblem(request, 429, 'rate_limited', { 'retry-after': String(waitSeconds) });
}

function refuseAddress(match: Exclude<Match, { kind: 'found' }>): Answer {
  if (match.kind === 'none') return problem(404, 'not_found', 'There is nothing at this address.');
  const headers = { allow: match.allowed.join(', ') };
  return problem(405, 'method_not_allowed', 'This address does not take this method.', undefined, headers);
}

async function handle(
  match: Extract<Match, { kind: 'found' }>,
  caller: ApiKey | null,
  request: IncomingMessage,
  query: URLSearchParams,
  requestId: string,
  { faultPlan, services }: Reception,
): Promise<Ending | null> {
  const { route, params } = match;
  const faults = faultPlan.meet(route.method, route.path, Object.values(params)[0] ?? '');
  const early = await endBefore(faults, requestId);
  if (early !== null) return early;
  const exchange = {
    request,
    requestId,
    body: slowed(request, faults),
    query,
    params,
    shape: shapeFor(faults),
    faults,
  };
  const say = (answer: Answer): Ending => ({ kind: 'send', wire: serialise(answer, requestId) });
  try {
    let answer: Answer | null;
    if (route.credential === 'api-key') {
      if (caller === null) return say(problem(401, 'invalid_api_key', 'No key.'));
      const refusal = refuseUngranted(caller, route);
      if (refusal !== null) return say(refusal);
      answer = await route.handle({ ...exchange, caller }, services);
    } else {
      answer = await route.handle(exchange, services);
    }
    return answer === null ? null : await endAfter(faults, answer, requestId);
  } catch {
    return say(problem(500, 'internal_error', 'The practice service made a mistake.'));
  }
}

/** Decides how a request ends. Null: the client is gone. Requests with keys are written to the request log. */
export async function respond(request: IncomingMessage, reception: Reception): Promise<Ending | null> {
  const { attempts, now } = reception.services;
  const attempt = attempts.begin(request, now());
  const ending = await decide(request, reception);
  if (attempt !== null) attempts.end(attempt, ending, now());
  return ending;
}

async function decide(request: IncomingMessage, reception: Reception): Promise<Ending | null> {
  const { routes, port, session, rateLimit, services } = reception;
  const requestId = newRequestId();
  const startedMs = services.now();
  const say = (answer: Answer): Ending => ({ kind: 'send', wire: serialise(answer, requestId) });
  const foreign = refuseForeign(request, port());
  if (foreign !== null) return say(foreign);
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  if (url === null) return say(problem(400, 'invalid_request', 'This is not an address.'));

  const match = matchRoute(routes, request.method ?? '', url.pathname);
  let caller: ApiKey | null = null;
  const credential = credentialFor(match, url.pathname);
  if (credential === 'api-key') {
    const known = authenticateKey(request, services.keys, startedMs);
    if (!known.ok) return say(known.error);
    caller = known.value;
    const waitSeconds = rateLimit.take(caller.id, startedMs);
    if (waitSeconds !== null) {
      const headers = { 'retry-after': String(waitSeconds) };
      return say(problem(429, 'rate_limited', 'Too many requests in one second.', undefined, headers));
    }
  }
  if (credential === 'access-token') {
    const refusal = refuseUnknownPerson(request, session);
    if (refusal !== null) return say(refusal);
  }
  if (credential === 'legacy-key') {
    const refusal = refuseLegacyKey(request, reception, startedMs);
    if (refusal !== null) return say(refusal);
  }
  if (match.kind !== 'found') return say(refuseAddress(match));
  const ending = await handle(match, caller, request, url.searchParams, requestId, reception);
  if (caller !== null) note(request, match.route, caller, requestId, startedMs, ending, reception);
  return ending;
}

function note(
  request: IncomingMessage,
  { path }: Route,
  caller: ApiKey,
  requestId: string,
  startedMs: number,
  ending: Ending | null,
  { services }: Reception,
): void {
  // A client that left, or was meant to get no answer, has no status.
  if (ending?.kind !== 'send') return;
  const { status, headers } = ending.wire;
  services.log.add({
    requestId,
    atMs: startedMs,
    method: request.method ?? '',
    route: documentedPath(path),
    statusCode: status,
    latencyMs: Math.max(0, services.now() - startedMs),
    requestBytes: Number(request.headers['content-length'] ?? 0),
    responseBytes: Number(headers['content-length'] ?? 0),
    keyId: caller.id,
    keyPrefix: caller.prefix,
  });
}
