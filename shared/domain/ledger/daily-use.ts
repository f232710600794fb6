import { addAmounts, type PaidAsked, type PaidReport, type PaidState } from './paid-action.ts';

/** What a day's line is made from. */
export interface PaidFact {
  readonly product: string;
  readonly beganAtMs: number;
  readonly state: PaidState;
  readonly estimate: string | null;
  readonly report: PaidReport | null;
  /** What was requested, where the service reported less. */
  readonly asked?: Pick<PaidAsked, 'characters' | 'audioMs'>;
}

/** What one product cost on one day. */
export interface DayOfUse {
  /** `2026-11-21`, in the local time of the user. */
  readonly day: string;
  readonly product: string;
  /** Taken by the service. */
  readonly accepted: number;
  /** Refused or never sent: cost nothing. */
  readonly free: number;
  /** No answer came, or not yet: may have been charged. */
  readonly uncertain: number;
  /** Exact sum of what the service reported, credits as decimal text. */
  readonly credits: string;
  /** Accepted or uncertain without a reported cost, and their probable cost as far as known. */
  readonly unreported: number;
  readonly expectedCredits: string;
  /** What was accepted or may have been: as the service reported it, otherwise as requested. */
  readonly characters: number;
  readonly audioMs: number;
  readonly tokens: number;
}

/**
 * Sums paid actions by day and product, newest day first. `offsetMinutes`: how far local time is ahead of UTC at a
 * moment (Unix ms), so that days are the user's.
 */
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
    expectedCredits: addAmounts(unreported.map(({ estimate }) => estimate ?? '0')),
    characters: total([...accepted, ...uncertain], ({ report, asked }) => report?.characters ?? asked?.characters),
    audioMs: total([...accepted, ...uncertain], ({ report, asked }) => report?.durationMs ?? asked?.audioMs),
    tokens: total(accepted, ({ report }) => (report?.inputTokens ?? 0) + (report?.outputTokens ?? 0)),
  };
}

const total = (facts: readonly PaidFact[], amountOf: (fact: PaidFact) => number | null | undefined): number =>
  facts.reduce((sum, fact) => sum + (amountOf(fact) ?? 0), 0);
