import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { dayOf, sumUsed } from '../../../shared/domain/ledger/used-today.ts';
import { ok } from '../../../shared/result/result.ts';
import type { HandlerServices } from './handler-services.ts';

type UsageHandlers = Pick<Handlers<Contract>, 'usage.today'>;

export const usageHandlers = ({ libraries }: HandlerServices): UsageHandlers => ({
  'usage.today': async () => {
    const library = await libraries.opened();
    if (!library.ok) return library;
    const actions = library.value.ledger.list(dayOf(Date.now()));
    return actions.ok ? ok(sumUsed(actions.value)) : actions;
  },
});
