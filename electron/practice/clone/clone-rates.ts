import { problem, type Answer } from '../http/answer.ts';
import { RateLimit } from '../http/guard.ts';

/** How often each step may be taken (contract 8): per hour, and at once. */
const rates = {
  start: { perHour: 5, burst: 2 },
  approve: { perHour: 10, burst: 3 },
  challenge: { perHour: 10, burst: 3 },
  verify: { perHour: 10, burst: 3 },
} as const;

export type CloneStep = keyof typeof rates;

/** Counts the steps of the one account. */
export class CloneRates {
  readonly #limits: Readonly<Record<CloneStep, RateLimit>>;
  readonly #now: () => number;

  constructor(now: () => number) {
    const limitOf = ({ perHour, burst }: { perHour: number; burst: number }) => new RateLimit(perHour / 3600, burst);
    this.#limits = {
      start: limitOf(rates.start),
      approve: limitOf(rates.approve),
      challenge: limitOf(rates.challenge),
      verify: limitOf(rates.verify),
    };
    this.#now = now;
  }

  /** The answer to a step that is taken too often; null: go on. */
  refuse(step: CloneStep): Answer | null {
    const seconds = this.#limits[step].take('account', this.#now());
    if (seconds === null) return null;
    const headers = { 'retry-after': String(seconds) };
    return problem(429, 'voice_clone_rate_limited', 'This step was taken too often.', undefined, headers);
  }
}
