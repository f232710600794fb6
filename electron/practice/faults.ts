import { readFile } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { isJson, problem, serialise, type Answer, type WireAnswer } from './http.ts';
import { shapeNames, shapeVariants, type ShapeVariant } from './transcription-shapes.ts';

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
    // A star matches paths only, and not what happens in the background.
    if (rule.route !== route && (rule.route !== '*' || !route.startsWith('/'))) return null;
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
  /** How far the clock of the service has been put forward. */
  passedMs = 0;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => new CountedRule(rule));
  }

  /** All faults for one request to a path of the route table. `subject`: the identifier in the path, if any. */
  meet(method: string, route: string, subject: string): readonly Fault[] {
    const met = this.#rules.map((rule) => rule.meet(method, route, subject)).filter((found) => found !== null);
    for (const fault of met) if (fault.fault === 'pass-time') this.passedMs += fault.ms;
    return met;
  }
}

export const noFaults = new FaultPlan([]);

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

export function shapeFor(faults: readonly Fault[]): ShapeVariant {
  const chosen = faults.find((one) => one.fault === 'shape');
  return shapeVariants[chosen?.shape ?? 'plain'];
}

/**
 * How a request ends: `cutAt` bytes of the body and then nothing, `drop` closes without a byte, `hold` stays silent.
 */
export type Ending =
  | { readonly kind: 'send'; readonly wire: WireAnswer; readonly cutAt?: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'hold' };

const htmlPage =
  '<!doctype html>\n<html><head><title>Sign in to the network</title></head><body><h1>Welcome</h1><form action="/login"></form></body></html>\n';

const page = (
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  contentType: string,
): WireAnswer => {
  const body = Buffer.from(text);
  return { status, headers: { 'content-type': contentType, 'content-length': String(body.length), ...headers }, body };
};

/** The answer with which a fault replaces the real one; null when the fault is of another kind. */
function replacement(fault: Fault, requestId: string): WireAnswer | null {
  const refuse = (status: number, code: string, headers?: Readonly<Record<string, string>>): WireAnswer =>
    serialise(problem(status, code, `Practice fault: ${code}.`, undefined, headers), requestId);
  if (fault.fault === 'status')
    return fault.body === undefined
      ? refuse(fault.status, fault.code ?? 'practice_fault', fault.headers)
      : page(fault.status, fault.headers, fault.body, 'application/json');
  if (fault.fault === '401' || fault.fault === '402') return refuse(Number(fault.fault), fault.code);
  if (fault.fault === '429')
    return refuse(429, fault.code, {
      ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
      ...(fault.date === undefined ? {} : { date: fault.date }),
    });
  if (fault.fault === 'poll-404') return refuse(404, 'not_found');
  if (fault.fault === 'html-page') return page(fault.status, {}, htmlPage, 'text/html; charset=utf-8');
  return fault.fault === 'redirect' ? page(fault.status, { location: fault.location }, '', 'text/plain') : null;
}

const isLate = (fault: Fault): boolean => 'when' in fault && fault.when === 'after';

/** Before the handler: the first fault that ends the request wins. Null: the handler gets its turn. */
export async function endBefore(faults: readonly Fault[], requestId: string): Promise<Ending | null> {
  for (const fault of faults) {
    if (isLate(fault)) continue;
    if (fault.fault === 'delay') await wait(fault.ms);
    if (fault.fault === 'reset-before-read') return { kind: 'drop' };
    if (fault.fault === 'never-answer') return { kind: 'hold' };
    const wire = replacement(fault, requestId);
    if (wire !== null) return { kind: 'send', wire };
  }
  return null;
}

function withoutIds(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(body).filter(([name]) => !/^(?:\w+_)?id$/.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) =>
      (name === 'data' || name === 'transcription') &&
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value)
        ? [name, withoutIds(value as Record<string, unknown>)]
        : [name, value],
    ),
  );
}

/** After the handler: its work is done and stored, but the answer may still fail on its way. */
export async function endAfter(faults: readonly Fault[], answer: Answer, requestId: string): Promise<Ending> {
  let said = answer;
  let cutAt: number | null = null;
  for (const fault of faults) {
    if (fault.fault === 'drop-answer-after-acceptance') return { kind: 'drop' };
    if (fault.fault === 'cut-answer') cutAt = fault.bytes;
    if (fault.fault === '202-without-id' && said.status === 202 && isJson(said.body))
      said = { ...said, body: withoutIds(said.body) };
    if (!isLate(fault)) continue;
    if (fault.fault === 'delay') await wait(fault.ms);
    if (fault.fault === 'never-answer') return { kind: 'hold' };
    const wire = replacement(fault, requestId);
    if (wire !== null) return { kind: 'send', wire };
  }
  const wire = serialise(said, requestId);
  return cutAt === null ? { kind: 'send', wire } : { kind: 'send', wire, cutAt };
}

/** The body as a slow reader sees it; the client notices it as back pressure. */
export function slowed(body: Readable, faults: readonly Fault[]): Readable {
  const slow = faults.find((fault) => fault.fault === 'slow-read');
  if (slow === undefined) return body;
  const throttle = new Transform({
    highWaterMark: 1024,
    transform(chunk: Buffer, _encoding, done) {
      setTimeout(() => done(null, chunk), (chunk.length / slow.bytesPerSecond) * 1000);
    },
  });
  return body.pipe(throttle);
}
