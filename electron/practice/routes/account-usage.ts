import { z } from 'zod';
import { summarise, type Granularity } from '../account/analytics.ts';
import type { LogEntry } from '../account/request-log.ts';
import { toCostMicros, wholeCredits } from '../billing/units.ts';
import { json, problem, type Answer } from '../http/answer.ts';
import { cutPage, readPageQuery } from '../http/page-query.ts';
import type { Exchange } from '../http/route.ts';
import type { Services } from '../services.ts';

const dayMs = 86_400_000;
const mostDays = { day: 90, hour: 31 } as const;

const wrongWindow = (message: string): Answer => problem(400, 'invalid_analytics_window', message);

/** RFC 3339 or YYYY-MM-DD, in UTC; NaN for anything else. */
function parseTime(text: string): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
}

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The last seven days unless the query names a period; the end is exclusive. */
function readPeriod(query: URLSearchParams, nowMs: number, granularity: Granularity): Period | Answer {
  const to = query.get('to');
  // The request itself is part of the period, as far as it is logged.
  const toMs = to === null ? nowMs + 1 : parseTime(to);
  const from = query.get('from');
  const fromMs = from === null ? toMs - 7 * dayMs : parseTime(from);
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return wrongWindow('from and to are dates or RFC 3339 times.');
  if (fromMs >= toMs) return wrongWindow('from lies before to.');
  if (toMs - fromMs > mostDays[granularity] * dayMs)
    return wrongWindow(`A window by ${granularity} has at most ${mostDays[granularity]} days.`);
  return { fromMs, toMs };
}

const isAnswer = (period: Period | Answer): period is Answer => 'kind' in period;

const written = ({ fromMs, toMs }: Period, granularity: Granularity) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  timezone: 'UTC',
  granularity,
});

/** GET /api/v1/account/analytics */
export function readAnalytics({ query }: Exchange, { log, now }: Services): Answer {
  const granularity = z.enum(['day', 'hour']).safeParse(query.get('granularity') ?? 'day');
  if (!granularity.success) return problem(400, 'invalid_filter', 'granularity is day or hour.');
  const period = readPeriod(query, now(), granularity.data);
  if (isAnswer(period)) return period;
  return json(200, {
    period: written(period, granularity.data),
    ...summarise(log.entries(period), granularity.data),
  });
}

const isBillable = ({ state }: LogEntry): boolean => state === 'settled';

const asItem = (entry: LogEntry) => ({
  request_id: entry.request_id,
  timestamp: new Date(entry.at_ms).toISOString(),
  method: entry.method,
  route: entry.route,
  status_code: entry.status_code,
  latency_ms: entry.latency_ms,
  request_bytes: entry.request_bytes,
  response_bytes: entry.response_bytes,
  api_key_id: entry.key_id,
  api_key_prefix: entry.key_prefix,
  ...(entry.product === null
    ? {}
    : {
        usage: {
          product: entry.product,
          operation: entry.operation,
          characters: entry.characters,
          duration_ms: entry.duration_ms,
          credits: wholeCredits(entry.units ?? 0),
          billable: isBillable(entry),
          cost_micros: toCostMicros(entry.units ?? 0),
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

/** GET /api/v1/account/request-logs, newest first */
export function listRequests({ query }: Exchange, { log, now }: Services): Answer {
  const period = readPeriod(query, now(), 'day');
  if (isAnswer(period)) return period;
  const page = readPageQuery(query, { usual: 50, most: 100 });
  if (!page.ok) return page.error;
  const given = Object.fromEntries([...query].map(([name, value]) => [name === 'code' ? 'status' : name, value]));
  const filter = filters.safeParse(given);
  if (!filter.success) return problem(400, 'invalid_filter', 'A filter is not right.');
  const { status, method, route, api_key_id: keyId } = filter.data;
  const found = log.entries(
    {
      ...period,
      ...(page.value.beforeSeq === null ? {} : { beforeSeq: page.value.beforeSeq }),
      ...(status === undefined ? {} : { status }),
      ...(method === undefined ? {} : { method }),
      ...(route === undefined ? {} : { route }),
      ...(keyId === undefined ? {} : { keyId }),
    },
    page.value.limit + 1,
  );
  const { items, nextCursor } = cutPage(found, page.value.limit);
  return json(200, { items: items.map(asItem), next_cursor: nextCursor, period: written(period, 'day') });
}
