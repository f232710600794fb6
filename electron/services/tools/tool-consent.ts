import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf, type ModeId } from '../../../shared/domain/modes.ts';
import { judgeSpend, withSpent, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

/** An action requested through the tool server that needs the user's consent. */
export interface ToolRequest {
  /** The program's own name; null: it gave none. */
  readonly client: string | null;
  readonly tool: string;
  readonly action: 'spend' | 'delete' | 'queue';
  readonly estimate: SpendEstimate;
  /** Names of files, or the id of what is deleted. */
  readonly items: readonly string[];
  readonly mode: ModeId;
}

/** One run of one program. */
export interface ToolSession {
  /** The user allowed spending until the session is closed. */
  maySpend: boolean;
}

export type ConsentAnswer = 'once' | 'session' | 'no' | 'nobody';

export interface ToolConsentOptions {
  /** Read again for each request, because another process may have written them. */
  readonly settings: () => Pick<SettingsStore, 'get' | 'update'>;
  readonly now: () => number;
  /** Asks the user where they are; `nobody` where no one can be asked. */
  readonly ask: (request: ToolRequest) => Promise<ConsentAnswer>;
}

/**
 * Decides whether a program may do what costs or deletes: the user is asked, unless they allowed it in the settings or
 * for the session, and always above the hourly limit. Nothing inside a text can grant consent.
 */
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
      if (answer === 'no') return err(makeFailure('E-241', { code: 'not_allowed', ...facts }));
      if (answer === 'nobody') return err(makeFailure('E-242', { code: 'nobody_to_ask', ...facts }));
      if (answer === 'session') session.maySpend = true;
    }
    count(request);
    return ok(null);
  };

  return {
    /** E-241: the user declined. E-242: nobody could be asked. One request at a time, each judged by the same hour. */
    allow(request: ToolRequest, session: ToolSession): Promise<Result<null>> {
      const { isFree, isPractice } = modeOf(request.mode);
      if (isPractice || (isFree && request.action !== 'delete')) return Promise.resolve(ok(null));
      const decided = last.then(() => decide(request, session));
      last = decided.catch(() => undefined);
      return decided;
    },
  };
}
