import type { Failure } from '../../result/failure.ts';
import { failureRows, isFailureKind } from './rows.ts';

/** Who is waiting: a user in front of a screen, or the queue. */
export type Patience = 'interactive' | 'background';

export interface RetryQuestion {
  readonly failure: Failure;
  /** Attempts already made, this one included; 1 after the first. */
  readonly attempt: number;
  /** Time since the first attempt began, milliseconds. */
  readonly elapsedMs: number;
  readonly patience: Patience;
  /** A repeat is harmless: a plain read, a state-replacing change, or a creation with a durable key. */
  readonly isRepeatable: boolean;
  /** In [0, 1). */
  readonly random: () => number;
}

export type RetryDecision = { readonly retry: true; readonly delayMs: number } | { readonly retry: false };

const no: RetryDecision = { retry: false };
/** These kinds are not retried automatically: the network, or the probe of the budget, decides when to continue. */
const waitingForNetwork = new Set(['offline', 'service-troubled']);
const interactiveAttempts = 4;
const interactiveWindowMs = 30_000;

/** The service refused it before processing (429, 503), so the same request may follow, whatever it was. */
export const wasRefusedUnseen = ({ status, outcome, retry }: Failure): boolean =>
  (status === 429 || status === 503) && outcome === 'refused' && retry === 'same_key';

/**
 * Whether the same request may be retried automatically, and when. Refused requests are never repeated, except for 429
 * and 503.
 */
export function decideRetry(question: RetryQuestion): RetryDecision {
  const { failure, attempt, elapsedMs, patience } = question;
  if (failure.retry !== 'same_key' || !question.isRepeatable || waitingForNetwork.has(failure.kind)) return no;
  const maxTries = isFailureKind(failure.kind) ? (failureRows[failure.kind].maxTries ?? Infinity) : 1;
  if (attempt > maxTries) return no;
  if (patience === 'interactive' && attempt >= interactiveAttempts) return no;

  const delayMs = delayFor(failure, attempt, patience, question.random);
  return patience === 'interactive' && elapsedMs + delayMs > interactiveWindowMs ? no : { retry: true, delayMs };
}

function delayFor(failure: Failure, attempt: number, patience: Patience, random: () => number): number {
  const asked = failure.retryAfterMs ?? 0;
  const isThrottle = failure.status === 429 || failure.status === 503;
  const backoff = backoffMs({ attempt, patience, isThrottle, random });
  // The service's time is a minimum: one that has already passed is no permission to retry without a pause.
  return Math.max(backoff, Math.ceil(asked + random() * Math.min(asked * 0.25, 5000)));
}

export interface BackoffInput {
  /** Attempts already made. */
  readonly attempt: number;
  readonly patience: Patience;
  /** The service asks for fewer requests (429 or 503 without a time): starts at two seconds. */
  readonly isThrottle: boolean;
  readonly random: () => number;
}

const floorMs = 250;
const capMs: Readonly<Record<Patience, number>> = { interactive: 8000, background: 60_000 };

/** Exponential backoff with full jitter, in milliseconds: 250 ms to the cap. */
export function backoffMs({ attempt, patience, isThrottle, random }: BackoffInput): number {
  const base = isThrottle ? 2000 : 500;
  const exponent = Math.min(30, Math.max(0, attempt - 1));
  const ceiling = Math.min(capMs[patience], base * 2 ** exponent);
  return Math.round(floorMs + random() * (ceiling - floorMs));
}
