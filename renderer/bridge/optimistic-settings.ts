import type { Contract } from '../../shared/ipc/contract.ts';
import type { RequestInput } from '../../shared/ipc/derive.ts';
import type { Settings } from '../../shared/ipc/schemas.ts';

export type SettingsChange = RequestInput<Contract, 'settings.update'>;

/** Main's settings, and changes on their way to it, in order. */
export interface OptimisticSettings {
  readonly stored: Settings;
  readonly waiting: readonly SettingsChange[];
}

/** The displayed settings: a switch reacts at once, without waiting for main's disk. */
export const shownSettings = ({ stored, waiting }: OptimisticSettings): Settings =>
  waiting.reduce<Settings>((settings, change) => {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    return { ...settings, ...Object.fromEntries(given) };
  }, stored);

export const withChange = (ahead: OptimisticSettings, change: SettingsChange): OptimisticSettings => ({
  ...ahead,
  waiting: [...ahead.waiting, change],
});

/** The state after main's answer to `change`; a refusal has no settings, so main's earlier ones are shown again. */
export const withAnswer = (
  ahead: OptimisticSettings,
  change: SettingsChange,
  answer: Settings | null,
): OptimisticSettings => ({
  stored: answer ?? ahead.stored,
  waiting: ahead.waiting.filter((other) => other !== change),
});
