import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { judgeSpend, withSpent, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

/** Something that a program wants done through the tool server, and that a person has to allow. */
export interface ToolRequest {
  /** What the program calls itself; null: it did not say. */
  readonly client: string | null;
  readonly tool: string;
  readonly action: 'spend' | 'delete' | 'queue';
  readonly estimate: SpendEstimate;
  /** Names of files, or the id of what is deleted. */
  readonly items: readonly string[];
  readonly isPractice: boolean;
}

/** One run of one program. */
export interface ToolSession {
  /** The person allowed it to spend until it is closed. */
  maySpend: boolean;
}

export type ConsentAnswer = 'once' | 'session' | 'no' | 'nobody';

export interface ToolConsentOptions {
  /** Read anew for each request: another process may have written them. */
  readonly settings: () => Pick<SettingsStore, 'get' | 'update'>;
  readonly now: () => number;
  /** Asks the person where they are; `nobody` where no one can be asked. */
  readonly ask: (request: ToolRequest) => Promise<ConsentAnswer>;
}

/**
 * Whether a program may do what costs or deletes: the person is asked, unless they allowed it in the settings or
 * for the session, and never above the limit of an hour without a question. What is in a text allows nothing.
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
    /** E-241: the person said no. E-242: nobody could be asked. One request at a time, each judged by the same hour. */
    allow(request: ToolRequest, session: ToolSession): Promise<Result<null>> {
      if (request.isPractice) return Promise.resolve(ok(null));
      const decided = last.then(() => decide(request, session));
      last = decided.catch(() => undefined);
      return decided;
    },
  };
}
