import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf, type ModeId } from '../../../shared/domain/modes.ts';
import { judgeSpend, withSpent, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SettingsStore } from '../settings/stored-settings.ts';

export interface ToolRequest {
  readonly client: string | null;
  readonly tool: string;
  readonly action: 'spend' | 'delete' | 'queue';
  readonly estimate: SpendEstimate;
  readonly items: readonly string[];
  readonly mode: ModeId;
}

export interface ToolSession {
  maySpend: boolean;
}

export type ConsentAnswer = 'once' | 'session' | 'no' | 'nobody';

interface ToolConsentOptions {
  /** Read again for each request, because another process may have written them. */
  readonly settings: () => Pick<SettingsStore, 'get' | 'update'>;
  readonly now: () => number;
  readonly isUnpriced: (request: ToolRequest) => boolean | Promise<boolean>;
  readonly ask: (request: ToolRequest) => Promise<ConsentAnswer>;
}

/** The user is always asked above the hourly limit, and at an unknown price; nothing inside a text can grant consent. */
export function createToolConsent({ settings, now, isUnpriced, ask }: ToolConsentOptions) {
  let last: Promise<unknown> = Promise.resolve();

  const isAllowed = async (request: ToolRequest, session: ToolSession): Promise<boolean> => {
    const { toolRights } = settings().get();
    if (request.action === 'delete') return toolRights === 'act';
    if (toolRights !== 'act' && !session.maySpend) return false;
    // Who allows it for a session has seen what is to be sent; a right given once for all has seen no price.
    const isPriced = session.maySpend || !(await isUnpriced(request));
    const { spendLimitMinutes, spentLately } = settings().get();
    return judgeSpend(spendLimitMinutes, spentLately, request.estimate, now(), isPriced).tag === 'within';
  };
  const count = ({ action, estimate }: ToolRequest): void => {
    if (action === 'delete' || estimate.requests === 0) return;
    const store = settings();
    store.update({ spentLately: withSpent(store.get().spentLately, estimate, now()) });
  };

  const decide = async (request: ToolRequest, session: ToolSession): Promise<Result<null>> => {
    if (!(await isAllowed(request, session))) {
      const answer = await ask(request);
      const facts = { outcome: 'not_sent', layer: 'local' } as const;
      if (answer === 'no') return err(makeFailure('consent-refused', { code: 'not_allowed', ...facts }));
      if (answer === 'nobody') return err(makeFailure('consent-unavailable', { code: 'nobody_to_ask', ...facts }));
      if (answer === 'session') session.maySpend = true;
    }
    count(request);
    return ok(null);
  };

  return {
    /** One request at a time, each judged by the same hour. consent-unavailable: nobody could be asked. */
    allow(request: ToolRequest, session: ToolSession): Promise<Result<null>> {
      const { isFree, isPractice } = modeOf(request.mode);
      if (isPractice || (isFree && request.action !== 'delete')) return Promise.resolve(ok(null));
      const decided = last.then(() => decide(request, session));
      last = decided.catch(() => undefined);
      return decided;
    },
  };
}
