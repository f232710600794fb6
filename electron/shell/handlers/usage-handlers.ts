import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { dayOf, sumUsed } from '../../../shared/domain/ledger/used-today.ts';
import { ok } from '../../../shared/result/result.ts';
import { readCreditRate } from '../credit-rate.ts';
import type { HandlerServices } from './handler-services.ts';

type UsageHandlers = Pick<Handlers<Contract>, 'usage.today' | 'usage.rate'>;

export const usageHandlers = ({ workspaces }: HandlerServices): UsageHandlers => ({
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
});
