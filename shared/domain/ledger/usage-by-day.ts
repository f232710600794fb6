import { addAmounts, type PaidReport, type PaidState, type PaidAsked } from './paid-action.ts';

interface SummedAction {
  readonly state: PaidState;
  readonly report: Pick<PaidReport, 'credits'> | null;
}

export interface UsedCredits {
  readonly credits: string;
  readonly actionCount: number;
  readonly unreportedCount: number;
}

/** Refused and unsent requests cost nothing. Other apps of the account are not included. */
export function sumUsed(actions: readonly SummedAction[]): UsedCredits {
  const charged = actions.filter(({ state }) => state !== 'refused' && state !== 'not-sent');
  const reported = charged.flatMap(({ report }) =>
    report === null || report.credits === null ? [] : [report.credits],
  );
  return {
    credits: addAmounts(reported),
    actionCount: charged.length,
    unreportedCount: charged.length - reported.length,
  };
}

export function dayOf(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const next = new Date(midnight);
  // Where clocks are put forward at midnight, a day begins at one, but the next one at midnight again.
  next.setDate(next.getDate() + 1);
  next.setHours(0, 0, 0, 0);
  return { fromMs: midnight.getTime(), toMs: next.getTime() };
}

export const usagePeriods = [7, 30, 90] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

export interface DatedAction {
  readonly beganAtMs: number;
  readonly product: string;
  readonly state: PaidState;
  readonly estimate: string | null;
  readonly report: PaidReport | null;
}

export interface ProductUse extends UsedCredits {
  readonly product: string;
  /** The probable cost of what has no reported one, as decimal text; 0 where it is not known of all. */
  readonly expectedCredits: string;
}

export interface UsageDay extends UsedCredits {
  readonly fromMs: number;
  readonly products: readonly ProductUse[];
}

export interface Usage extends UsedCredits {
  readonly days: readonly UsageDay[];
  readonly products: readonly ProductUse[];
}

/** Nothing where a part of it is not known: less than it will be is no expectation. */
const expectedOf = (actions: readonly Pick<DatedAction, 'state' | 'estimate' | 'report'>[]): string => {
  const estimates = actions
    .filter(({ state, report }) => state !== 'refused' && state !== 'not-sent' && (report?.credits ?? null) === null)
    .map(({ estimate }) => estimate);
  return estimates.includes(null) ? '0' : addAmounts(estimates.map((estimate) => estimate ?? '0'));
};

const perProduct = (actions: readonly DatedAction[]): readonly ProductUse[] =>
  [...Map.groupBy(actions, ({ product }) => product)]
    .map(([product, own]) => ({ product, ...sumUsed(own), expectedCredits: expectedOf(own) }))
    .filter(({ actionCount }) => actionCount > 0)
    .toSorted((one, other) => Number(other.credits) - Number(one.credits) || one.product.localeCompare(other.product));

export function usageFrom(period: UsagePeriod, nowMs: number): number {
  const day = new Date(nowMs);
  day.setHours(12, 0, 0, 0);
  day.setDate(day.getDate() - (period - 1));
  return dayOf(day.getTime()).fromMs;
}

export function usageByDay(actions: readonly DatedAction[], period: UsagePeriod, nowMs: number): Usage {
  const fromMs = usageFrom(period, nowMs);
  const inPeriod = actions.filter(({ beganAtMs }) => beganAtMs >= fromMs);
  const byDay = Map.groupBy(inPeriod, ({ beganAtMs }) => dayOf(beganAtMs).fromMs);
  const days: UsageDay[] = [];
  for (let day = dayOf(fromMs); days.length < period; day = dayOf(day.toMs)) {
    const own = byDay.get(day.fromMs) ?? [];
    days.push({ fromMs: day.fromMs, ...sumUsed(own), products: perProduct(own) });
  }
  return { days, products: perProduct(inPeriod), ...sumUsed(inPeriod) };
}

const two = (value: number): string => String(value).padStart(2, '0');

export function usageCsv({ days }: Pick<Usage, 'days'>): string {
  const lines = days.flatMap(({ fromMs, products }) => {
    const at = new Date(fromMs);
    const day = `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    return products.map(({ product, credits, actionCount, unreportedCount }) =>
      [day, product, credits, actionCount, unreportedCount].join(','),
    );
  });
  return `${['day,product,credits,requests,requests_without_cost', ...lines].join('\r\n')}\r\n`;
}

interface PaidFact {
  readonly product: string;
  readonly beganAtMs: number;
  readonly state: PaidState;
  readonly estimate: string | null;
  readonly report: PaidReport | null;
  readonly asked?: Pick<PaidAsked, 'characters' | 'audioMs'>;
}

export interface DayOfUse {
  readonly day: string;
  readonly product: string;
  readonly accepted: number;
  readonly free: number;
  /** No answer came, or not yet: may have been charged. */
  readonly uncertain: number;
  readonly credits: string;
  readonly unreported: number;
  readonly expectedCredits: string;
  readonly characters: number;
  readonly audioMs: number;
  readonly tokens: number;
}

/** Newest day first. `offsetMinutes`: how far local time is ahead of UTC at a moment (Unix ms). */
export function dailyUse(facts: readonly PaidFact[], offsetMinutes: (atMs: number) => number): readonly DayOfUse[] {
  const groups = new Map<string, { day: string; product: string; facts: PaidFact[] }>();
  for (const fact of facts) {
    const local = fact.beganAtMs + offsetMinutes(fact.beganAtMs) * 60_000;
    const day = new Date(local).toISOString().slice(0, 10);
    const name = `${day} ${fact.product}`;
    const group = groups.get(name) ?? { day, product: fact.product, facts: [] };
    group.facts.push(fact);
    groups.set(name, group);
  }
  return [...groups.values()]
    .map((group) => sum(group.day, group.product, group.facts))
    .toSorted((left, right) => right.day.localeCompare(left.day) || left.product.localeCompare(right.product));
}

function sum(day: string, product: string, facts: readonly PaidFact[]): DayOfUse {
  const accepted = facts.filter(({ state }) => state === 'accepted');
  const uncertain = facts.filter(({ state }) => state === 'unknown' || state === 'open');
  const unreported = [...accepted, ...uncertain].filter(({ report }) => (report?.credits ?? null) === null);
  return {
    day,
    product,
    accepted: accepted.length,
    free: facts.length - accepted.length - uncertain.length,
    uncertain: uncertain.length,
    credits: addAmounts(facts.map(({ report }) => report?.credits ?? '0')),
    unreported: unreported.length,
    expectedCredits: expectedOf(unreported),
    characters: total([...accepted, ...uncertain], ({ report, asked }) => report?.characters ?? asked?.characters),
    audioMs: total([...accepted, ...uncertain], ({ report, asked }) => report?.durationMs ?? asked?.audioMs),
    tokens: total(accepted, ({ report }) => (report?.inputTokens ?? 0) + (report?.outputTokens ?? 0)),
  };
}

const total = (facts: readonly PaidFact[], amountOf: (fact: PaidFact) => number | null | undefined): number =>
  facts.reduce((sum, fact) => sum + (amountOf(fact) ?? 0), 0);
