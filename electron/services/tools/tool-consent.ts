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
  readonly ask: (request: ToolRequest) => Promise<ConsentAnswer>;
}

/** The user is always asked above the hourly limit; nothing inside a text can grant consent. */
export function createToolConsent({ settings, now, ask }: ToolConsentOptions) {
  let last: Promise<unknown> = Promise.resolve();

  const isAllowed = ({ action, estimate }: ToolRequest, session: ToolSession): boolean => {
    const { toolRights, spendLimitMinutes, spentLately } = settings().get();
    if (action === 'delete') return toolRights === 'act';
    if (toolRights !== 'act' && !session.maySpend) return false;
    return judgeSpend(spendLimitMinutes, spentLately, estimate, now()).tag === 'within';
  };
  const count = ({ action, estimate }: ToolRequest): void => {
    if (action === 'delete' || estimate.requests === 0) return;
    const store = settings();
    store.update({ spentLately: withSpent(store.get().spentLately, estimate, now()) });
  };

  const decide = async (request: ToolRequest, session: ToolSession): Promise<Result<null>> => {
    if (!isAllowed(request, session)) {
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
