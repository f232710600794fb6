import type { Contract } from '../../shared/ipc/contract.ts';
import type { RequestInput } from '../../shared/ipc/derive.ts';
import type { Settings } from '../../shared/ipc/schemas.ts';

export type SettingsChange = RequestInput<Contract, 'settings.update'>;

/** What main holds, and changes that are on their way to it, in the order in which they were asked for. */
export interface OptimisticSettings {
  readonly told: Settings;
  readonly waiting: readonly SettingsChange[];
}

/** What is shown: a switch follows the finger, not main's disk. */
export const shownSettings = ({ told, waiting }: OptimisticSettings): Settings =>
  waiting.reduce<Settings>((settings, change) => {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    return { ...settings, ...Object.fromEntries(given) };
  }, told);

export const withChange = (ahead: OptimisticSettings, change: SettingsChange): OptimisticSettings => ({
  ...ahead,
  waiting: [...ahead.waiting, change],
});

/** After main's answer to `change`; a refusal gives no settings, and what main held is shown again. */
export const withAnswer = (
  ahead: OptimisticSettings,
  change: SettingsChange,
  answer: Settings | null,
): OptimisticSettings => ({
  told: answer ?? ahead.told,
  waiting: ahead.waiting.filter((other) => other !== change),
});
