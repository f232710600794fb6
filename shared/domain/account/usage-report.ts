import type { Usage, UsagePeriod } from '../ledger/usage-by-day.ts';

/** Usage of one feature, in credits with fractions; `product` is our name, or the service's own. */
export interface ProductSpend {
  readonly product: string;
  readonly credits: number;
  readonly requests: number;
  /** Requests whose cost the service did not report, which are not in `credits`; only this computer counts them. */
  readonly unreported?: number;
  readonly expected?: number;
  readonly audioMs: number | null;
  readonly characters: number | null;
}

/** One day: of this computer's calendar when counted here, of UTC when counted by the service. */
export interface SpendDay {
  readonly fromMs: number;
  readonly credits: number;
  readonly requests: number;
  readonly unreported?: number;
  readonly products: readonly Pick<ProductSpend, 'product' | 'credits' | 'unreported' | 'expected'>[];
}

export interface UsageReport {
  readonly source: 'service' | 'computer';
  readonly days: readonly SpendDay[];
  readonly products: readonly ProductSpend[];
  readonly credits: number;
  /** For the preceding period of the same length; null: not known. */
  readonly creditsBefore: number | null;
  readonly requests: number;
  /** Requests without a reported cost; the service knows all of them. */
  readonly unreported: number;
  /** Figures that only the service has; null when counted here. */
  readonly service: {
    /** 0 to 1; null: not reported. */
    readonly successRate: number | null;
    readonly failedRequests: number | null;
    readonly averageLatencyMs: number | null;
    readonly audioMs: number | null;
    readonly characters: number | null;
  } | null;
}

/** `about`: with what the rest will probably cost; `at-least`: without what has no known cost. */
export interface Spent {
  readonly credits: number;
  readonly is: 'exact' | 'about' | 'at-least' | 'unknown';
}

export function spentOf({
  credits,
  unreported = 0,
  expected = 0,
}: Partial<ProductSpend> & Pick<ProductSpend, 'credits'>): Spent {
  if (unreported === 0) return { credits, is: 'exact' };
  if (expected > 0) return { credits: credits + expected, is: 'about' };
  return { credits, is: credits > 0 ? 'at-least' : 'unknown' };
}

/** The sum of what is said of the features. */
export function spentInAll({
  products,
  credits,
  unreported = 0,
}: Pick<SpendDay, 'products' | 'credits' | 'unreported'>): Spent {
  if (unreported === 0) return { credits, is: 'exact' };
  const parts = products.map(spentOf);
  const hasGap = parts.some(({ is }) => is === 'at-least' || is === 'unknown');
  const all = sum(parts, (one) => one.credits);
  return { credits: all, is: !hasGap ? 'about' : all > 0 ? 'at-least' : 'unknown' };
}

export interface CountedEntry {
  readonly label: string;
  readonly at: string | null;
  readonly product: string | null;
  readonly values: Readonly<Record<string, number>>;
}

export interface CountedUsage {
  readonly summary: Readonly<Record<string, number>>;
  readonly series: readonly CountedEntry[];
  readonly products: readonly CountedEntry[];
}

const dayMs = 86_400_000;

/** Our screens' names for the products of the service (contract 2.5); newer products keep the service's name. */
const ownNames: Readonly<Record<string, string>> = {
  stt: 'transcribe',
  speech_to_text: 'transcribe',
  // The service does not tell dictation and parts that were transcribed again apart.
  stt_realtime: 'live',
  tts: 'speak',
  text_to_speech: 'speak',
  tts_realtime: 'speak',
  voice_enhancer: 'isolate',
  audio_isolation: 'isolate',
  voice_isolation: 'isolate',
  voice_cloning: 'clone',
  voice_clone: 'clone',
  llm: 'ask',
};

export const productName = (id: string): string => ownNames[id] ?? id;

const firstOf = (values: Readonly<Record<string, number>>, names: readonly string[]): number | null =>
  names.map((name) => values[name]).find((value) => value !== undefined) ?? null;

const creditsOf = ({ values }: CountedEntry): number => firstOf(values, ['total_credits', 'credits', 'value']) ?? 0;
const requestsOf = ({ values }: CountedEntry): number =>
  firstOf(values, ['total_requests', 'requests', 'request_count', 'count']) ?? 0;

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const sumKnown = (items: readonly CountedEntry[], names: readonly string[]): number | null => {
  const known = items.map(({ values }) => firstOf(values, names)).filter((value) => value !== null);
  return known.length === 0 ? null : sum(known, (value) => value);
};

/** Days of UTC from `period - 1` days ago to today, as Unix milliseconds of their beginnings. */
export function daysOfService(period: UsagePeriod, nowMs: number): readonly number[] {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return Array.from({ length: period }, (_, index) => today - (period - 1 - index) * dayMs);
}

/** A time on this calendar day of this computer, for dates as they are written: the service's days are those of UTC. */
export function dayToShow({ source }: Pick<UsageReport, 'source'>, fromMs: number): number {
  if (source === 'computer') return fromMs;
  const day = new Date(fromMs);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12).getTime();
}

/** The query for the same days: UTC dates, the end exclusive (contract 4.2); never above 90 days. */
export function windowOfService(
  period: UsagePeriod,
  nowMs: number,
  periodsAgo = 0,
): { readonly from: string; readonly to: string } {
  const [first = 0] = daysOfService(period, nowMs);
  const fromMs = first - periodsAgo * period * dayMs;
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: dateOf(fromMs), to: dateOf(fromMs + period * dayMs) };
}

export function reportOfService(
  counted: CountedUsage,
  before: CountedUsage | null,
  period: UsagePeriod,
  nowMs: number,
): UsageReport {
  const { summary } = counted;
  const dayOfEntry = (entry: CountedEntry): number => {
    const ms = Date.parse(entry.at ?? entry.label);
    return Number.isNaN(ms) ? -1 : Math.floor(ms / dayMs) * dayMs;
  };
  const byDay = Map.groupBy(counted.series, dayOfEntry);
  const days = daysOfService(period, nowMs).map((fromMs): SpendDay => {
    const entries = byDay.get(fromMs) ?? [];
    return {
      fromMs,
      credits: sum(entries, creditsOf),
      requests: sum(entries, requestsOf),
      products: [...Map.groupBy(entries, ({ product }) => product)].flatMap(([product, own]) =>
        product === null ? [] : [{ product: productName(product), credits: sum(own, creditsOf) }],
      ),
    };
  });
  const products = [...Map.groupBy(counted.products, (entry) => productName(entry.product ?? entry.label))]
    .map(([product, own]) => ({
      product,
      credits: sum(own, creditsOf),
      requests: sum(own, requestsOf),
      audioMs: sumKnown(own, ['total_duration_ms', 'duration_ms']),
      characters: sumKnown(own, ['total_characters', 'characters']),
    }))
    .toSorted((one, other) => other.credits - one.credits || one.product.localeCompare(other.product));
  return {
    source: 'service',
    days,
    products,
    credits: summary['total_credits'] ?? sum(products, ({ credits }) => credits),
    creditsBefore: before === null ? null : (before.summary['total_credits'] ?? null),
    requests: summary['total_requests'] ?? sum(products, ({ requests }) => requests),
    unreported: 0,
    service: {
      successRate: summary['success_rate'] ?? null,
      failedRequests: summary['failed_requests'] ?? null,
      averageLatencyMs: summary['average_latency_ms'] ?? null,
      audioMs: summary['total_duration_ms'] ?? null,
      characters: summary['total_characters'] ?? null,
    },
  };
}

export const reportOfComputer = (usage: Usage): UsageReport => ({
  source: 'computer',
  days: usage.days.map(({ fromMs, credits, actionCount, unreportedCount, products }) => ({
    fromMs,
    credits: Number(credits),
    requests: actionCount,
    unreported: unreportedCount,
    products: products.map((one) => ({
      product: one.product,
      credits: Number(one.credits),
      unreported: one.unreportedCount,
      expected: Number(one.expectedCredits),
    })),
  })),
  products: usage.products.map(({ product, credits, actionCount, unreportedCount, expectedCredits }) => ({
    product,
    credits: Number(credits),
    requests: actionCount,
    unreported: unreportedCount,
    expected: Number(expectedCredits),
    audioMs: null,
    characters: null,
  })),
  credits: Number(usage.credits),
  creditsBefore: null,
  requests: usage.actionCount,
  unreported: usage.unreportedCount,
  service: null,
});

/** A cell that begins like a formula stays text, and one with commas or quotes stays one cell (P-09). */
const cell = (text: string): string => {
  const plain = /^[=+\-@\t\r＝＋－＠]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** For spreadsheets: a line for each UTC day, then one for each feature; what was not reported is empty. */
export function reportCsv({ days, products }: Pick<UsageReport, 'days' | 'products'>): string {
  const dateOf = (ms: number | undefined): string => (ms === undefined ? '' : new Date(ms).toISOString().slice(0, 10));
  const dayLines = days.map(({ fromMs, credits, requests }) => [
    dateOf(fromMs),
    dateOf(fromMs),
    'all',
    credits,
    requests,
    '',
    '',
  ]);
  const productLines = products.map(({ product, credits, requests, audioMs, characters }) => [
    dateOf(days[0]?.fromMs),
    dateOf(days.at(-1)?.fromMs),
    cell(product),
    credits,
    requests,
    audioMs === null ? '' : Math.round(audioMs / 1000),
    characters ?? '',
  ]);
  const names = ['from', 'to', 'product', 'credits', 'requests', 'audio_seconds', 'characters'];
  return `${[names, ...dayLines, ...productLines].map((line) => line.join(',')).join('\r\n')}\r\n`;
}

export function wholePercents(amounts: readonly number[]): readonly number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (total <= 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / total) * 100);
  const left = Math.round(100 - exact.reduce((sum, share) => sum + Math.floor(share), 0));
  // What rounding down left over goes to those that lost most by it.
  const byLoss = exact.map((share, at) => ({ at, loss: share % 1 })).toSorted((one, other) => other.loss - one.loss);
  const raised = new Set(byLoss.slice(0, left).map(({ at }) => at));
  return exact.map((share, at) => Math.floor(share) + (raised.has(at) ? 1 : 0));
}
