import { expect, it } from 'vitest';
import { usageByDay, usageCsv, usagePeriods, type DatedAction } from './usage-by-day.ts';

const noon = new Date(2026, 10, 22, 12).getTime();
const daysAgo = (days: number) => new Date(2026, 10, 22 - days, 23, 59).getTime();
const action = (
  days: number,
  product: string,
  credits: string | null,
  more: Partial<DatedAction> = {},
): DatedAction => ({
  beganAtMs: daysAgo(days),
  product,
  state: 'accepted',
  estimate: null,
  report: { credits, characters: null, durationMs: null, inputTokens: null, outputTokens: null },
  ...more,
});

it.each(usagePeriods)('%i days end today, each once, and hold what was used in them to the last digit', (period) => {
  const actions = [
    action(0, 'ask', '0.1'),
    action(0, 'ask', '0.2'),
    action(0, 'transcribe', '5'),
    action(period - 1, 'speak', null),
    action(period - 1, 'speak', '9', { state: 'refused' }),
    action(period, 'isolate', '100'),
  ];
  const usage = usageByDay(actions, period, noon);
  expect(new Set(usage.days.map(({ fromMs }) => fromMs)).size).toBe(period);
  expect(usage).toMatchObject({ credits: '5.3', actionCount: 4, unreportedCount: 1 });
  expect(usage.products.map(({ product, credits }) => [product, credits])).toEqual([
    ['transcribe', '5'],
    ['ask', '0.3'],
    ['speak', '0'],
  ]);
  expect(usage.days.at(-1)).toMatchObject({ credits: '5.3', actionCount: 3 });
  expect(usage.days[0]).toMatchObject({ credits: '0', actionCount: 1, unreportedCount: 1 });
});

it('goes to spreadsheets as a line for each product of a day', () => {
  const { days } = usageByDay([action(1, 'ask', '0.25'), action(1, 'ask', null)], 7, noon);
  expect(usageCsv({ days })).toBe('day,product,credits,requests,requests_without_cost\r\n2026-11-21,ask,0.25,2,1\r\n');
});
