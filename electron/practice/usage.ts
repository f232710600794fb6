import { z } from 'zod';
import { toCostMicros, wholeCredits, type Charge } from './credits.ts';
import { json, pageOf, refuse, route, type Answer, type Exchange, type Route } from './http.ts';
import type { ApiKey } from './keys.ts';
import type { Services } from './services.ts';
import { time, wire, type State } from './state.ts';

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
export function logRequest(state: State, key: ApiKey, entry: Omit<LoggedRequest, 'seq' | 'keyId' | 'keyPrefix'>): void {
  state.requests.push({ seq: (state.seq += 1), ...entry, keyId: key.id, keyPrefix: key.prefix });
  if (state.requests.length > mostRequests) state.requests.shift();
  key.lastUsedAtMs = entry.atMs;
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
  const usageOf = ([first, ...others]: readonly Charge[]): Usage | null => {
    if (first === undefined) return null;
    const { product, operation } = first;
    const usage = { product, operation, characters: 0, durationMs: 0, units: 0, isBillable: true };
    for (const { characters = 0, durationMs = 0, units, state } of [first, ...others]) {
      usage.characters += characters;
      usage.durationMs += durationMs;
      if (state === 'settled') usage.units += units;
      else usage.isBillable = false;
    }
    return usage;
  };
  return requests
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map((request) => ({ ...request, usage: usageOf(byRequest.get(request.requestId) ?? []) }));
}

type Granularity = 'day' | 'hour';

const dayMs = 86_400_000;
const stepMs: Readonly<Record<Granularity, number>> = { day: dayMs, hour: 3_600_000 };
const mostDays: Readonly<Record<Granularity, number>> = { day: 90, hour: 31 };

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform(Date.parse);
const period = z.object({ from: moment.optional(), to: moment.optional() });

/** The last seven days unless the query names a period; the end is exclusive. */
function readPeriod(query: URLSearchParams, nowMs: number, granularity: Granularity): Period {
  const refuseWindow = (message: string): never => refuse(400, 'invalid_analytics_window', message);
  const given = period.safeParse(Object.fromEntries(query)).data;
  if (given === undefined) return refuseWindow('from and to are dates or RFC 3339 times.');
  // The request itself is part of the period, as far as it is logged.
  const { to: toMs = nowMs + 1, from: fromMs = toMs - 7 * dayMs } = given;
  if (fromMs >= toMs) refuseWindow('from lies before to.');
  if (toMs - fromMs > mostDays[granularity] * dayMs)
    refuseWindow(`A window by ${granularity} has at most ${mostDays[granularity]} days.`);
  return { fromMs, toMs };
}

const written = ({ fromMs, toMs }: Period, granularity: Granularity) => ({
  from: time(fromMs),
  to: time(toMs),
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
  const asked = readPeriod(query, now(), granularity);
  const entries = entriesOf(state, asked);
  const step = stepMs[granularity];
  const charged = entries.filter(({ usage }) => usage !== null);
  return json(200, {
    period: written(asked, granularity),
    summary: { ...totals(entries), currency: 'USD' },
    series: [...Map.groupBy(entries, ({ atMs }) => Math.floor(atMs / step) * step)]
      .toSorted(([left], [right]) => left - right)
      .map(([ms, group]) => ({ timestamp: time(ms), ...totals(group) })),
    status_codes: counted(entries, ({ statusCode }) => String(statusCode)),
    top_routes: counted(entries, ({ method, route }) => `${method} ${route}`).slice(0, 10),
    product_usage: [...Map.groupBy(charged, ({ usage }) => `${usage?.product} ${usage?.operation}`).values()].map(
      (group) => ({ product: group[0]?.usage?.product, operation: group[0]?.usage?.operation, ...totals(group) }),
    ),
  });
}

function asItem({ seq: _seq, atMs, keyId: apiKeyId, keyPrefix: apiKeyPrefix, usage, ...entry }: LogEntry) {
  const item = wire({ ...entry, apiKeyId, apiKeyPrefix, timestamp: time(atMs) });
  if (usage === null) return item;
  const { units, isBillable: billable, ...amounts } = usage;
  const costs = { credits: wholeCredits(units), billable, costMicros: toCostMicros(units), currency: 'USD' };
  return { ...item, usage: wire({ ...amounts, ...costs }) };
}

const filters = z.object({
  status: z.coerce.number().int().min(100).max(599).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  route: z.string().min(1).max(200).optional(),
  api_key_id: z.string().min(1).max(128).optional(),
});

function listRequests({ query }: Exchange, { state, now }: Services): Answer {
  const asked = readPeriod(query, now(), 'day');
  const given = Object.fromEntries([...query].map(([name, value]) => [name === 'code' ? 'status' : name, value]));
  const filter = filters.safeParse(given).data;
  if (filter === undefined) return refuse(400, 'invalid_filter', 'A filter is not right.');
  const wanted = { statusCode: filter.status, method: filter.method, route: filter.route, keyId: filter.api_key_id };
  const entries = entriesOf(state, asked).filter((entry) =>
    Object.entries(wanted).every(
      ([name, value]) => value === undefined || entry[name as keyof typeof wanted] === value,
    ),
  );
  const { items, nextCursor } = pageOf(entries, query, { usual: 50, most: 100 });
  return json(200, { items: items.map(asItem), next_cursor: nextCursor, period: written(asked, 'day') });
}

export const usageRoutes: readonly Route[] = [
  route('GET', '/api/v1/account/analytics', readAnalytics),
  route('GET', '/api/v1/account/request-logs', listRequests),
];
