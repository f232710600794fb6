import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { seededRandom } from '../../../shared/domain/random/seeded-random.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { shapeNames, shapeVariants, type ShapeVariant } from '../shapes/shape-variants.ts';

const when = z.enum(['before', 'after']).default('before');
const headers = z.record(z.string(), z.string()).default({});

/** One planned fault. `before`: nothing was accepted; `after`: the work is accepted and only the answer suffers. */
const fault = z.discriminatedUnion('fault', [
  z.object({ fault: z.literal('reset-before-read') }),
  z.object({ fault: z.literal('drop-answer-after-acceptance') }),
  z.object({ fault: z.literal('cut-answer'), bytes: z.int().min(0) }),
  z.object({ fault: z.literal('never-answer'), when }),
  z.object({ fault: z.literal('delay'), ms: z.int().min(0), when }),
  z.object({ fault: z.literal('slow-read'), bytesPerSecond: z.int().min(1) }),
  z.object({
    fault: z.literal('status'),
    status: z.int().min(200).max(599),
    code: z.string().optional(),
    body: z.string().optional(),
    headers,
    when,
  }),
  z.object({ fault: z.literal('402'), code: z.string().default('insufficient_credits') }),
  z.object({ fault: z.literal('401'), code: z.string().default('invalid_api_key') }),
  /** `retryAfter` is sent unchanged: seconds or a date; absent, the header is missing. */
  z.object({
    fault: z.literal('429'),
    code: z.string().default('rate_limited'),
    retryAfter: z.string().optional(),
    date: z.string().optional(),
  }),
  z.object({ fault: z.literal('html-page'), status: z.int().min(200).max(599).default(200), when }),
  z.object({
    fault: z.literal('redirect'),
    status: z.int().min(300).max(399).default(302),
    location: z.string(),
    when,
  }),
  /** The first polls of every transcription find nothing. */
  z.object({ fault: z.literal('poll-404'), times: z.int().min(1) }),
  z.object({ fault: z.literal('202-without-id') }),
  /** The work on an accepted recording ends as failed. Its route is a queue, because no request is involved. */
  z.object({ fault: z.literal('fail-processing'), code: z.string().default('processing_failed') }),
  /** How an event stream fails; `afterEvents` counts the good ones before that. */
  z.object({
    fault: z.literal('stream'),
    how: z.enum(['cut', 'no-done', 'error-event', 'junk', 'crlf', 'single-bytes']),
    afterEvents: z.int().min(0).default(2),
    code: z.string().default('model_unavailable'),
  }),
  /** The answer is given, but its usage is not known yet. */
  z.object({ fault: z.literal('usage-pending') }),
  /**
   * The fate of an utterance that was committed on a live connection; the route is `realtime-commit`, for a piece of
   * live speech `realtime-piece`.
   */
  z.object({ fault: z.literal('commit-error'), code: z.string() }),
  z.object({ fault: z.literal('commit-close'), closeCode: z.int().min(1000).max(4999) }),
  z.object({ fault: z.literal('commit-delay'), ms: z.int().min(0) }),
  z.object({ fault: z.literal('commit-silent') }),
  z.object({ fault: z.literal('commit-twice') }),
  /** The clock of the service jumps forward before this request, so that minutes pass in no time. */
  z.object({ fault: z.literal('pass-time'), ms: z.int().min(1) }),
  z.object({ fault: z.literal('shape'), shape: z.enum(shapeNames) }),
]);
export type Fault = z.output<typeof fault>;

const selector = z.object({
  /**
   * A path of the route table, * for all requests, or `queue`, `isolation-queue`, `realtime-commit` and
   * `realtime-piece` for events that are no requests.
   */
  route: z.string(),
  method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).optional(),
  /** The n-th request that matches route and method, counted from 1. */
  nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
  every: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().default(1),
});
const plan = z.strictObject({ rules: z.array(selector.and(fault)) });
type Rule = z.output<typeof plan>['rules'][number];

/** Used in place of a path by background work that asks for its faults. */
export type QueueRoute = 'queue' | 'isolation-queue';
/** Only paths begin with a slash, and a star matches only paths. */
const isInBackground = (route: string): boolean => !route.startsWith('/');

class CountedRule {
  readonly #rule: Rule;
  readonly #random: () => number;
  readonly #missesLeft = new Map<string, number>();
  #seen = 0;

  constructor(rule: Rule) {
    this.#rule = rule;
    this.#random = seededRandom(rule.seed);
  }

  #isChosen(): boolean {
    const { nth, every, probability } = this.#rule;
    if (nth !== undefined) return (Array.isArray(nth) ? nth : [nth]).includes(this.#seen);
    if (every !== undefined) return this.#seen % every === 0;
    return probability === undefined || this.#random() < probability;
  }

  meet(method: string, route: string, subject: string): Fault | null {
    const rule = this.#rule;
    if (rule.route !== route && (rule.route !== '*' || isInBackground(route))) return null;
    if (rule.method !== undefined && rule.method !== method) return null;
    this.#seen += 1;
    if (!this.#isChosen()) return null;
    if (rule.fault === 'poll-404') {
      const left = this.#missesLeft.get(subject) ?? rule.times;
      this.#missesLeft.set(subject, left - 1);
      if (left <= 0) return null;
    }
    return rule;
  }
}

/** The faults of this run. It counts requests, so one plan belongs to one server. */
export class FaultPlan {
  readonly #rules: readonly CountedRule[];
  #passedMs = 0;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => new CountedRule(rule));
  }

  /** How far the clock of the service has been put forward. */
  get passedMs(): number {
    return this.#passedMs;
  }

  /**
   * All faults for one request. `route` is the path of the route table, `subject` the identifier in the path, if any.
   */
  meet(method: string, route: string, subject: string): readonly Fault[] {
    const met = this.#rules.map((rule) => rule.meet(method, route, subject)).filter((found) => found !== null);
    for (const fault of met) if (fault.fault === 'pass-time') this.#passedMs += fault.ms;
    return met;
  }
}

/** The error code with which the work on this thing should fail, if it should. */
export function plannedFailure(faults: FaultPlan, id: string, queue: QueueRoute): string | null {
  const fault = faults.meet('', queue, id).find((one) => one.fault === 'fail-processing');
  return fault?.code ?? null;
}

export const noFaults = new FaultPlan([]);

/** Reads a plan from parsed JSON; the failure explains what is wrong with it. */
export function parseFaultPlan(value: unknown): Result<FaultPlan, string> {
  const parsed = plan.safeParse(value);
  return parsed.success ? ok(new FaultPlan(parsed.data.rules)) : err(z.prettifyError(parsed.error));
}

export async function readFaultPlan(path: string): Promise<Result<FaultPlan, string>> {
  try {
    return parseFaultPlan(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    return err(error instanceof Error ? error.message : 'cannot be read');
  }
}

/** The shape in which this answer is written. */
export function shapeFor(faults: readonly Fault[]): ShapeVariant {
  const chosen = faults.find((one) => one.fault === 'shape');
  return shapeVariants[chosen?.shape ?? 'plain'];
}
