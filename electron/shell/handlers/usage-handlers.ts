import { basename } from 'node:path';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { reportCsv, reportOfComputer, type UsageReport } from '../../../shared/domain/account/usage-report.ts';
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
  const countedHere = async (days: UsagePeriod): Promise<Result<Usage>> => {
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    void workspace.value.readCosts();
    const nowMs = Date.now();
    const actions = workspace.value.ledger.list({ fromMs: usageFrom(days, nowMs), toMs: dayOf(nowMs).toMs });
    return actions.ok ? ok(usageByDay(actions.value, days, nowMs)) : actions;
  };
  const countedByService = async (days: UsagePeriod): Promise<Result<UsageReport>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? workspace.value.account.usage(days) : workspace;
  };
  const csvOf = async (days: UsagePeriod, from: UsageReport['source']): Promise<Result<string>> => {
    if (from === 'service') {
      const report = await countedByService(days);
      return report.ok ? ok(reportCsv(report.value)) : report;
    }
    const usage = await countedHere(days);
    return usage.ok ? ok(usageCsv(usage.value)) : usage;
  };
  return {
    'usage.days': async ({ days, from }) => {
      if (from === 'service') return countedByService(days);
      const usage = await countedHere(days);
      return usage.ok ? ok(reportOfComputer(usage.value)) : usage;
    },
    'usage.saveCsv': async ({ days, from }, { windowId }) => {
      const text = await csvOf(days, from);
      if (!text.ok) return text;
      const path = await chooseSavePath(windowOf(windowId), {
        title: dialogWords(settings.get().interfaceLanguage)('files.saveUsage'),
        defaultPath: `ovoz-usage-${String(days)}.csv`,
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      });
      if (path === null) return ok({ savedAs: null });
      const saved = await saveText(path, text.value);
      return saved.ok ? ok({ savedAs: basename(path) }) : saved;
    },
    'usage.today': async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      // What is found is published, and read again then.
      void library.value.readCosts();
      const actions = library.value.ledger.list(dayOf(Date.now()));
      return actions.ok ? ok(sumUsed(actions.value)) : actions;
    },
    'usage.rate': async () => {
      const library = await workspaces.opened();
      return library.ok ? ok(readCreditRate(library.value, Date.now())) : library;
    },
    'usage.dictationRate': async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const rate = readCreditRate(library.value, Date.now(), 'dictate');
      return ok(rate.sampleCount === 0 ? readCreditRate(library.value, Date.now()) : rate);
    },
    'usage.isolationRate': async () => {
      const library = await workspaces.opened();
      return library.ok ? ok(readCreditRate(library.value, Date.now(), 'isolate')) : library;
    },
  };
};
