import { expect, it, vi } from 'vitest';
import { audioOf, type SpendQuestion } from '../../electron/services/spend/spend-guard.ts';
import { askSpend } from '../../electron/shell/ask-user.ts';
import type { CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import { addEstimates, estimateAudio, type AudioWork } from '../../shared/domain/spend/spend-limit.ts';

const { shown, dialog } = vi.hoisted(() => {
  const all: {
    message: string;
    detail: string;
    buttons: string[];
    checkboxLabel?: string;
    checkboxChecked?: boolean;
  }[] = [];
  return {
    shown: all,
    dialog: {
      showMessageBox: async (question: (typeof all)[number]) => (all.push(question), { response: 0 }),
    },
  };
});
vi.mock('electron', () => ({ dialog }));

const perMinute: CreditRate = { sampleCount: 1, creditsPerHour: '5400', creditsPerGigabyte: null, stepMs: 60_000 };
const perSecond: CreditRate = { sampleCount: 1, creditsPerHour: '3600', creditsPerGigabyte: null };
const unknown: CreditRate = { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null };

async function ask(
  audioMs: number,
  rate: CreditRate | ((work: AudioWork) => CreditRate),
  question: Partial<SpendQuestion> = {},
) {
  const rateOf = typeof rate === 'function' ? rate : () => rate;
  const estimate = estimateAudio('transcribe', [audioMs]);
  await askSpend(undefined, { tag: 'ask', estimate, spentMs: 0, limitMs: 0, ...question }, 'en', rateOf);
  return shown.at(-1)!;
}

it('the question names seconds, the cost that is charged, and a started minute only where that is billed', async () => {
  const short = await ask(29_000, perMinute);
  expect(short.detail).toContain('29 seconds of audio');
  expect(short.detail).toContain('about 90 credits');
  expect(short.detail).toContain('A started minute counts as a whole one.');
  const isolated = await ask(16_400, perSecond);
  expect(isolated.detail).toContain('about 17 credits');
  expect(isolated.detail).not.toContain('minute');
});

it('each of several recordings is charged by its own started minutes', async () => {
  const estimate = addEstimates(
    [6000, 6000, 61_000].map((durationMs) => audioOf({ sizeBytes: 1, durationMs }, 'transcribe')),
  );
  expect((await ask(0, perMinute, { estimate })).detail).toContain('about 360 credits');
});

it('with speakers a recording costs what such recordings cost, also among others', async () => {
  const estimate = addEstimates([estimateAudio('speakers', [30_000]), estimateAudio('transcribe', [30_000])]);
  const rateOf = (work: AudioWork) => ({ ...perMinute, creditsPerHour: work === 'speakers' ? '5400' : '3600' });
  expect((await ask(0, rateOf, { estimate })).detail).toContain('about 150 credits');
  const isHalfKnown = (work: AudioWork) => (work === 'speakers' ? unknown : perMinute);
  expect((await ask(0, isHalfKnown, { estimate })).detail).toContain('The cost is unknown');
});

it('a length is told as it is, beside the minutes that are charged', async () => {
  const { detail } = await ask(70_000, perMinute);
  expect(detail).toContain('1 minute 10 seconds of audio in total.');
  expect(detail).toContain('about 180 credits');
  const hours = { estimate: estimateAudio('isolate', [2 * 3_600_000 + 61_000]) };
  expect((await ask(0, perSecond, hours)).detail).toContain('2 hours 2 minutes of audio');
});

it('of an unknown price nothing is promised, and consent for later is never ticked beforehand', async () => {
  const asked = await ask(29_000, unknown, { limitMs: 3_600_000, isUnpriced: true, waits: true });
  expect(asked.detail).toContain('The cost is unknown');
  expect(asked.detail).not.toContain('A started minute');
  expect(asked).toMatchObject({ message: 'Send this now?', checkboxChecked: false });
  expect(asked.buttons).toEqual(['Send', 'Send later']);
  expect((await ask(29_000, unknown, { isUnpriced: true })).buttons).toEqual(['Send', 'Don’t send']);
});
