import { toCostMicros, wholeCredits } from '../billing/units.ts';
import type { LogEntry } from './request-log.ts';

export type Granularity = 'day' | 'hour';

const stepMs: Readonly<Record<Granularity, number>> = { day: 86_400_000, hour: 3_600_000 };

const isGood = ({ status_code }: LogEntry): boolean => status_code < 400;
const isBillable = ({ state }: LogEntry): boolean => state === 'settled';

const sum = (entries: readonly LogEntry[], of: (entry: LogEntry) => number): number =>
  entries.reduce((total, entry) => total + of(entry), 0);

function totals(entries: readonly LogEntry[]) {
  const successful = entries.filter(isGood).length;
  const billable = entries.filter(isBillable);
  const units = sum(billable, (entry) => entry.units ?? 0);
  return {
    total_requests: entries.length,
    successful_requests: successful,
    failed_requests: entries.length - successful,
    success_rate: entries.length === 0 ? 0 : successful / entries.length,
    average_latency_ms: entries.length === 0 ? 0 : Math.round(sum(entries, (one) => one.latency_ms) / entries.length),
    total_characters: sum(billable, (entry) => entry.characters ?? 0),
    total_duration_ms: sum(billable, (entry) => entry.duration_ms ?? 0),
    total_credits: wholeCredits(units),
    billable_requests: billable.length,
    total_cost_micros: toCostMicros(units),
  };
}

const counted = (entries: readonly LogEntry[], of: (entry: LogEntry) => string) =>
  [...Map.groupBy(entries, of)]
    .map(([key, group]) => ({ key, value: group.length }))
    .toSorted((left, right) => right.value - left.value);

/** The analytics of a period (contract 2.4): sums, a series, and the parts by product, route and status. */
export function summarise(entries: readonly LogEntry[], granularity: Granularity) {
  const step = stepMs[granularity];
  const steps = Map.groupBy(entries, ({ at_ms }) => Math.floor(at_ms / step) * step);
  const products = Map.groupBy(
    entries.filter(({ product }) => product !== null),
    ({ product, operation }) => `${product} ${operation}`,
  );
  return {
    summary: { ...totals(entries), currency: 'USD' },
    series: [...steps]
      .toSorted(([left], [right]) => left - right)
      .map(([ms, group]) => ({ timestamp: new Date(ms).toISOString(), ...totals(group) })),
    status_codes: counted(entries, ({ status_code }) => String(status_code)),
    top_routes: counted(entries, ({ method, route }) => `${method} ${route}`).slice(0, 10),
    product_usage: [...products.values()].map((group) => ({
      product: group[0]?.product,
      operation: group[0]?.operation,
      ...totals(group),
    })),
  };
}
