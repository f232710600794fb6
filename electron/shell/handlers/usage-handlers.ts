import { basename } from 'node:path';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { dayOf, sumUsed } from '../../../shared/domain/ledger/used-today.ts';
import {
  usageByDay,
  usageCsv,
  usageFrom,
  type Usage,
  type UsagePeriod,
} from '../../../shared/domain/ledger/usage-by-day.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { dialogWords } from '../words.ts';
import { readCreditRate } from '../credit-rate.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type UsageHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `usage.${string}`>>;

export const usageHandlers = ({
  workspaces,
  settings,
  saveText,
  window: { windowOf },
}: HandlerServices): UsageHandlers => {
  const usageOf = async (days: UsagePeriod): Promise<Result<Usage>> => {
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    const nowMs = Date.now();
    const actions = workspace.value.ledger.list({ fromMs: usageFrom(days, nowMs), toMs: dayOf(nowMs).toMs });
    return actions.ok ? ok(usageByDay(actions.value, days, nowMs)) : actions;
  };
  return {
    'usage.days': ({ days }) => usageOf(days),
    'usage.saveCsv': async ({ days }, { windowId }) => {
      const usage = await usageOf(days);
      if (!usage.ok) return usage;
      const path = await chooseSavePath(windowOf(windowId), {
        title: dialogWords(settings.get().interfaceLanguage)('files.saveUsage'),
        defaultPath: `ovoz-usage-${String(days)}.csv`,
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      });
      if (path === null) return ok({ savedAs: null });
      const saved = await saveText(path, usageCsv(usage.value));
      return saved.ok ? ok({ savedAs: basename(path) }) : saved;
    },
    'usage.today': async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const actions = library.value.ledger.list(dayOf(Date.now()));
      return actions.ok ? ok(sumUsed(actions.value)) : actions;
    },
    'usage.rate': async () => {
      const library = await workspaces.opened();
      return library.ok ? ok(readCreditRate(library.value, Date.now())) : library;
    },
  };
};
