import { addAmounts, type PaidReport, type PaidState } from './paid-action.ts';
import { dayOf, sumUsed, type UsedCredits } from './used-today.ts';

/** How many days can be looked at. */
export const usagePeriods = [7, 30, 90] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** The part of a paid action that sums need. */
export interface DatedAction {
  readonly beganAtMs: number;
  readonly product: string;
  readonly state: PaidState;
  /** The probable cost, as decimal text; null: unknown. */
  readonly estimate: string | null;
  readonly report: PaidReport | null;
}

export interface ProductUse extends UsedCredits {
  readonly product: string;
  /** The probable cost of what has no reported one, as far as known, as decimal text. */
  readonly expectedCredits: string;
}

/** One day of this computer's calendar. */
export interface UsageDay extends UsedCredits {
  readonly fromMs: number;
  readonly products: readonly ProductUse[];
}

export interface Usage extends UsedCredits {
  /** Oldest first, including days without usage. */
  readonly days: readonly UsageDay[];
  /** Those that were used, most expensive first. */
  readonly products: readonly ProductUse[];
}

const expectedOf = (actions: readonly DatedAction[]): string =>
  addAmounts(
    actions
      .filter(({ state, report }) => state !== 'refused' && state !== 'not-sent' && (report?.credits ?? null) === null)
      .map(({ estimate }) => estimate ?? '0'),
  );

const perProduct = (actions: readonly DatedAction[]): readonly ProductUse[] =>
  [...Map.groupBy(actions, ({ product }) => product)]
    .map(([product, own]) => ({ product, ...sumUsed(own), expectedCredits: expectedOf(own) }))
    .filter(({ actionCount }) => actionCount > 0)
    .toSorted((one, other) => Number(other.credits) - Number(one.credits) || one.product.localeCompare(other.product));

/** The start of a period of days that ends today, Unix milliseconds. */
export function usageFrom(period: UsagePeriod, nowMs: number): number {
  const day = new Date(nowMs);
  day.setHours(12, 0, 0, 0);
  day.setDate(day.getDate() - (period - 1));
  return dayOf(day.getTime()).fromMs;
}

/** The usage of this computer, by day and product, as far as the service reported it. */
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

/** For spreadsheets: one line for each product of each day with usage. */
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
