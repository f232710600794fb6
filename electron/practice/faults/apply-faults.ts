import { Transform, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { problem, serialise, type Answer, type WireAnswer } from '../http/answer.ts';
import type { Fault } from './fault-plan.ts';

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
  switch (fault.fault) {
    case 'status':
      return fault.body === undefined
        ? refuse(fault.status, fault.code ?? 'practice_fault', fault.headers)
        : page(fault.status, fault.headers, fault.body, 'application/json');
    case '401':
    case '402':
      return refuse(Number(fault.fault), fault.code);
    case '429':
      return refuse(429, fault.code, {
        ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
        ...(fault.date === undefined ? {} : { date: fault.date }),
      });
    case 'poll-404':
      return refuse(404, 'not_found');
    case 'html-page':
      return page(fault.status, {}, htmlPage, 'text/html; charset=utf-8');
    case 'redirect':
      return page(fault.status, { location: fault.location }, '', 'text/plain');
    case 'reset-before-read':
    case 'drop-answer-after-acceptance':
    case 'cut-answer':
    case 'never-answer':
    case 'delay':
    case 'slow-read':
    case '202-without-id':
    case 'fail-processing':
    case 'stream':
    case 'usage-pending':
    case 'commit-error':
    case 'commit-close':
    case 'commit-delay':
    case 'commit-silent':
    case 'commit-twice':
    case 'pass-time':
    case 'shape':
      return null;
  }
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
    if (fault.fault === '202-without-id' && said.kind === 'json' && said.status === 202)
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
