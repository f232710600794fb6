import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { problem, serialise, type Answer, type WireAnswer } from './http.ts';
import { shapeNames, shapeVariants, type ShapeVariant } from './transcription-shapes.ts';

const when = z.enum(['before', 'after']).default('before');
const status = z.int().min(200).max(599);

/** One planned fault. `before`: nothing was accepted; `after`: the work is accepted and only the answer suffers. */
const fault = z.discriminatedUnion('fault', [
  z.object({ fault: z.literal('reset-before-read') }),
  z.object({ fault: z.literal('drop-answer-after-acceptance') }),
  z.object({ fault: z.literal('cut-answer'), bytes: z.int().min(0) }),
  z.object({ fault: z.literal('never-answer'), when }),
  z.object({ fault: z.literal('delay'), ms: z.int().min(0), when }),
  z.object({
    fault: z.literal('status'),
    status,
    code: z.string().default('practice_fault'),
    headers: z.record(z.string(), z.string()).default({}),
    when,
  }),
  z.object({ fault: z.literal('402'), code: z.string().default('insufficient_credits') }),
  /** `retryAfter` is sent unchanged; absent, the header is missing. */
  z.object({ fault: z.literal('429'), code: z.string().default('rate_limited'), retryAfter: z.string().optional() }),
  z.object({ fault: z.literal('html-page'), status: status.default(200), when }),
  /** The work on an accepted recording ends as failed. Its route is a queue, because no request is involved. */
  z.object({ fault: z.literal('fail-processing'), code: z.string().default('processing_failed') }),
  /** What happens to a committed utterance (`realtime-commit`) or to a piece of live speech (`realtime-piece`). */
  z.object({ fault: z.literal('commit-error'), code: z.string() }),
  z.object({ fault: z.literal('commit-close'), closeCode: z.int().min(1000).max(4999) }),
  z.object({ fault: z.literal('commit-delay'), ms: z.int().min(0) }),
  z.object({ fault: z.literal('commit-silent') }),
  z.object({ fault: z.literal('commit-twice') }),
  z.object({ fault: z.literal('shape'), shape: z.enum(shapeNames) }),
]);
type Fault = z.output<typeof fault>;

/** What happens apart from requests, and can fail like them. */
type FaultyEvent = 'queue' | 'isolation-queue' | 'realtime-commit' | 'realtime-piece';

const selector = z.object({
  /** A path of the route table, * for all requests, or the name of an event. */
  route: z.string(),
  method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']).optional(),
  /** The n-th request that matches route and method, counted from 1. */
  nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().default(1),
});
const plan = z.strictObject({ rules: z.array(selector.and(fault)) });
type Rule = z.output<typeof plan>['rules'][number];

/** The fault of a rule, when a request or an event meets it. */
function countRule({ nth, probability, ...rule }: Rule): (method: string, route: string) => readonly Fault[] {
  const random = seededRandom(rule.seed);
  let seen = 0;
  return (method, route) => {
    // A star matches paths only, and not what happens in the background.
    if (rule.route !== route && (rule.route !== '*' || !route.startsWith('/'))) return [];
    if (rule.method !== undefined && rule.method !== method) return [];
    seen += 1;
    if (nth !== undefined) return [nth].flat().includes(seen) ? [rule] : [];
    return probability === undefined || random() < probability ? [rule] : [];
  };
}

/** The faults of this run. It counts requests, so one plan belongs to one server. */
export class FaultPlan {
  readonly #rules: readonly ReturnType<typeof countRule>[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map(countRule);
  }

  /** All faults for one request to a path of the route table. */
  meet(method: string, path: string): readonly Fault[] {
    return this.#rules.flatMap((meet) => meet(method, path));
  }

  meetEvent(event: FaultyEvent): readonly Fault[] {
    return this.meet('', event);
  }

  /** The code with which work in a queue is to fail; null: it is not. */
  failureOf(queue: FaultyEvent): string | null {
    return this.meetEvent(queue).find((one) => one.fault === 'fail-processing')?.code ?? null;
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

/** How a request ends: after `cutAt` bytes of the body, with `drop` without a byte, with `hold` in silence. */
export type Ending =
  | { readonly kind: 'send'; readonly wire: WireAnswer; readonly cutAt?: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'hold' };

const htmlPage = Buffer.from(
  '<!doctype html>\n<html><head><title>Sign in to the network</title></head><body><h1>Welcome</h1></body></html>\n',
);

/** The answer with which a fault replaces the real one; null when the fault is of another kind. */
function replacement(fault: Fault, requestId: string): WireAnswer | null {
  const refuse = (code: number, name: string, headers = {}): WireAnswer =>
    serialise(problem(code, name, `Practice fault: ${name}.`, undefined, headers), requestId);
  if (fault.fault === 'status') return refuse(fault.status, fault.code, fault.headers);
  if (fault.fault === '402') return refuse(402, fault.code);
  if (fault.fault === '429')
    return refuse(429, fault.code, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter });
  if (fault.fault !== 'html-page') return null;
  return { status: fault.status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: htmlPage };
}

const isLate = (fault: Fault): boolean => 'when' in fault && fault.when === 'after';

async function endBy(fault: Fault, requestId: string): Promise<Ending | null> {
  if (fault.fault === 'delay') await wait(fault.ms);
  if (fault.fault === 'never-answer') return { kind: 'hold' };
  const wire = replacement(fault, requestId);
  return wire === null ? null : { kind: 'send', wire };
}

/** Before the handler: the first fault that ends the request wins. Null: the handler gets its turn. */
export async function endBefore(faults: readonly Fault[], requestId: string): Promise<Ending | null> {
  for (const fault of faults) {
    if (isLate(fault)) continue;
    if (fault.fault === 'reset-before-read') return { kind: 'drop' };
    const ending = await endBy(fault, requestId);
    if (ending !== null) return ending;
  }
  return null;
}

/** After the handler: its work is done and stored, but the answer may still fail on its way. */
export async function endAfter(faults: readonly Fault[], answer: Answer, requestId: string): Promise<Ending> {
  let cutAt: number | undefined;
  for (const fault of faults) {
    if (fault.fault === 'drop-answer-after-acceptance') return { kind: 'drop' };
    if (fault.fault === 'cut-answer') cutAt = fault.bytes;
    const ending = isLate(fault) ? await endBy(fault, requestId) : null;
    if (ending !== null) return ending;
  }
  return { kind: 'send', wire: serialise(answer, requestId), ...(cutAt === undefined ? {} : { cutAt }) };
}
