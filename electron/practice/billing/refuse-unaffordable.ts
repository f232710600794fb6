import { problem, type Answer } from '../http/answer.ts';
import type { Unaffordable } from './credits.ts';

const words: Readonly<Record<Unaffordable, string>> = {
  insufficient_credits: 'The account has not enough credits for this.',
  api_key_credit_limit: 'The credit limit of this key does not allow this.',
};

/** The answer to work that can't be paid for; null when it can. */
export const refuseUnaffordable = (reason: Unaffordable | null): Answer | null =>
  reason === null ? null : problem(402, reason, words[reason]);
