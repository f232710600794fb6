import { z } from 'zod';
import { toCostMicros, wholeCredits, type Charge } from './credits.ts';
import { json, pageOf, refuse, unkeyed, type Answer, type Exchange, type Route } from './http.ts';
import type { Services } from './services.ts';
import { get, type State } from './state.ts';

/** One request with a developer key: nothing of bodies, keys or addresses with secrets. */
export interface LoggedRequest {
  readonly seq: number;
  readonly requestId: string;
  readonly atMs: number;
  readonly method: string;
  /** The template of the route, never the address itself. */
  readonly route: string;
  readonly statusCode: number;
  readonly latencyMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly keyId: string;
  readonly keyPrefix: string;
}

/** The state is written as a whole, so it must not grow with every look at a list. */
const mostRequests = 2000;

/** Not saved at once: the next change of the state saves it too. */
export function logRequest(state: State, entry: Omit<LoggedRequest, 'seq'>): void {
  state.requests.push({ seq: (state.seq += 1), ...entry });
  if (state.requests.length > mostRequests) state.requests.shift();
  const key = get(state.keys, entry.keyId);
  if (key !== null) key.lastUsedAtMs = entry.atMs;
}

type Usage = Pick<Charge, 'product' | 'operation' | 'units'> & {
  readonly characters: number;
  readonly durationMs: number;
  readonly isBillable: boolean;
};
type LogEntry = LoggedRequest & { readonly usage: Usage | null };

/** The requests of a period with their charges; those of one request are added up. */
function entriesOf({ requests, charges }: State, { fromMs, toMs }: Period): readonly LogEntry[] {
  const byRequest = Map.groupBy(Object.values(charges), ({ requestId }) => requestId);
  const total = (of: readonly Charge[], value: (charge: Charge) => number): number =>
    of.reduce((sum, charge) => sum + value(charge), 0);
  return requests
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map((request) => {
      const own = byRequest.get(request.requestId);
      const [first] = own ?? [];
      if (own === undefined || first === undefined) return { ...request, usage: null };
      const { product, operation } = first;
      const usage = {
        product,
        operation,
        characters: total(own, ({ characters = 0 }) => characters),
        durationMs: total(own, ({ durationMs = 0 }) => durationMs),
        units: total(own, ({ state, units }) => (state === 'settled' ? units : 0)),
        isBillable: own.every(({ state }) => state === 'settled'),
      };
      return { ...request, usage };
    });
}

type Granularity = 'day' | 'hour';

const dayMs = 86_400_000;
const stepMs: Readonly<Record<Granularity, number>> = { day: dayMs, hour: 3_600_000 };
const mostDays: Readonly<Record<Granularity, number>> = { day: 90, hour: 31 };

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

const refuseWindow = (message: string): never => refuse(400, 'invalid_analytics_window', message);

/** RFC 3339 or YYYY-MM-DD, in UTC; NaN for anything else. */
function parseTime(text: string): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
}

/** The last seven days unless the query names a period; the end is exclusive. */
function readPeriod(query: URLSearchParams, nowMs: number, granularity: Granularity): Period {
  const to = query.get('to');
  // The request itself is part of the period, as far as it is logged.
  const toMs = to === null ? nowMs + 1 : parseTime(to);
  const from = query.get('from');
  const fromMs = from === null ? toMs - 7 * dayMs : parseTime(from);
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) refuseWindow('from and to are dates or RFC 3339 times.');
  if (fromMs >= toMs) refuseWindow('from lies before to.');
  if (toMs - fromMs > mostDays[granularity] * dayMs)
    refuseWindow(`A window by ${granularity} has at most ${mostDays[granularity]} days.`);
  return { fromMs, toMs };
}

const written = ({ fromMs, toMs }: Period, granularity: Granularity) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  timezone: 'UTC',
  granularity,
});

const sum = (entries: readonly LogEntry[], of: (entry: LogEntry) => number): number =>
  entries.reduce((total, entry) => total + of(entry), 0);

function totals(entries: readonly LogEntry[]) {
  const successful = entries.filter(({ statusCode }) => statusCode < 400).length;
  const billable = entries.filter(({ usage }) => usage?.isBillable === true);
  const units = sum(billable, ({ usage }) => usage?.units ?? 0);
  return {
    total_requests: entries.length,
    successful_requests: successful,
    failed_requests: entries.length - successful,
    success_rate: entries.length === 0 ? 0 : successful / entries.length,
    average_latency_ms: entries.length === 0 ? 0 : Math.round(sum(entries, (one) => one.latencyMs) / entries.length),
    total_characters: sum(billable, ({ usage }) => usage?.characters ?? 0),
    total_duration_ms: sum(billable, ({ usage }) => usage?.durationMs ?? 0),
    total_credits: wholeCredits(units),
    billable_requests: billable.length,
    total_cost_micros: toCostMicros(units),
  };
}

const counted = (entries: readonly LogEntry[], of: (entry: LogEntry) => string) =>
  [...Map.groupBy(entries, of)]
    .map(([key, group]) => ({ key, value: group.length }))
    .toSorted((left, right) => right.value - left.value);

/** Contract 2.4: sums, a series, and the parts by product, route and status. */
function readAnalytics({ query }: Exchange, { state, now }: Services): Answer {
  const granularity = z.enum(['day', 'hour']).safeParse(query.get('granularity') ?? 'day').data;
  if (granularity === undefined) return refuse(400, 'invalid_filter', 'granularity is day or hour.');
  const period = readPeriod(query, now(), granularity);
  const entries = entriesOf(state, period);
  const step = stepMs[granularity];
  const charged = entries.filter(({ usage }) => usage !== null);
  return json(200, {
    period: written(period, granularity),
    summary: { ...totals(entries), currency: 'USD' },
    series: [...Map.groupBy(entries, ({ atMs }) => Math.floor(atMs / step) * step)]
      .toSorted(([left], [right]) => left - right)
      .map(([ms, group]) => ({ timestamp: new Date(ms).toISOString(), ...totals(group) })),
    status_codes: counted(entries, ({ statusCode }) => String(statusCode)),
    top_routes: counted(entries, ({ method, route }) => `${method} ${route}`).slice(0, 10),
    product_usage: [...Map.groupBy(charged, ({ usage }) => `${usage?.product} ${usage?.operation}`).values()].map(
      (group) => ({ product: group[0]?.usage?.product, operation: group[0]?.usage?.operation, ...totals(group) }),
    ),
  });
}

const asItem = ({ usage, ...entry }: LogEntry) => ({
  request_id: entry.requestId,
  timestamp: new Date(entry.atMs).toISOString(),
  method: entry.method,
  route: entry.route,
  status_code: entry.statusCode,
  latency_ms: entry.latencyMs,
  request_bytes: entry.requestBytes,
  response_bytes: entry.responseBytes,
  api_key_id: entry.keyId,
  api_key_prefix: entry.keyPrefix,
  ...(usage === null
    ? {}
    : {
        usage: {
          product: usage.product,
          operation: usage.operation,
          characters: usage.characters,
          duration_ms: usage.durationMs,
          credits: wholeCredits(usage.units),
          billable: usage.isBillable,
          cost_micros: toCostMicros(usage.units),
          currency: 'USD',
        },
      }),
});

const filters = z.object({
  status: z.coerce.number().int().min(100).max(599).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  route: z.string().min(1).max(200).optional(),
  api_key_id: z.string().min(1).max(128).optional(),
});

function listRequests({ query }: Exchange, { state, now }: Services): Answer {
  const period = readPeriod(query, now(), 'day');
  const limits = { usual: 50, most: 100 };
  pageOf([], query, limits);
  const given = Object.fromEntries([...query].map(([name, value]) => [name === 'code' ? 'status' : name, value]));
  const filter = filters.safeParse(given).data;
  if (filter === undefined) return refuse(400, 'invalid_filter', 'A filter is not right.');
  const is = <T>(wanted: T | undefined, value: T): boolean => wanted === undefined || wanted === value;
  const entries = entriesOf(state, period).filter(
    ({ statusCode, method, route, keyId }) =>
      is(filter.status, statusCode) &&
      is<string>(filter.method, method) &&
      is(filter.route, route) &&
      is(filter.api_key_id, keyId),
  );
  const { items, nextCursor } = pageOf(entries, query, limits);
  return json(200, { items: items.map(asItem), next_cursor: nextCursor, period: written(period, 'day') });
}

export const usageRoutes: readonly Route[] = [
  unkeyed('access-token', 'GET', '/api/v1/account/analytics', readAnalytics),
  unkeyed('access-token', 'GET', '/api/v1/account/request-logs', listRequests),
];
