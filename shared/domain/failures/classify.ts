import type { Failure, FailureLayer, FailureOutcome, FailureParams } from '../../result/failure.ts';
import { areaRow, lostRow, type FailureArea } from './area-rows.ts';
import { codeRows, rowOfStatus, type RequestKind, type RequestTarget } from './code-rows.ts';
import { cleanCode, cleanId } from './clean-text.ts';
import { readEnvelope, type ReadEnvelope } from './envelope.ts';
import { makeFailure } from './make-failure.ts';
import { faultCode, networkRow, type NetworkFault } from './network-fault.ts';
import { failureRows, type KnownRow } from './rows.ts';
import { retryAfterMs } from './retry-after.ts';

/** An answer with a status. Header names are in lower case; `body` is decoded text, already capped. */
export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** Fewer bytes arrived than announced, or the stream broke. */
  readonly isTruncated?: boolean;
  /** Reading was given up at the cap. */
  readonly isOversize?: boolean;
}

/** The facts about a request that change the meaning of a failure. */
export interface RequestContext {
  readonly request: RequestKind;
  readonly target: RequestTarget;
  /** The part of the service that was called, where it has rows of its own. */
  readonly area?: FailureArea | undefined;
  /** The grant that this route needs (`speech_to_text: write`), for the text of a missing grant. */
  readonly permission?: string | null;
  /** The called host, to distinguish a sign-in page of the network from a moved address. */
  readonly host?: string;
  /** Size of the sent body, for the text of a body that is too large. */
  readonly sentBytes?: number;
  /** Current server time, Unix milliseconds; used only when an answer has no `Date` of its own. */
  readonly serverNowMs: number;
}

/**
 * Turns everything that is not a readable success into one value. Total: every status, header set, body and network
 * fault gives a row of the table, and nothing is thrown. A code with a row of its own wins over the status (rule 6).
 */
export function classify(seen: HttpAnswer | NetworkFault, context: RequestContext): Failure {
  return seen.kind === 'network' ? classifyFault(seen, context) : classifyAnswer(seen, context);
}

function classifyFault(fault: NetworkFault, context: RequestContext): Failure {
  const general = networkRow(fault, context.request);
  const row = fault.phase === 'connecting' ? general : (lostRow(context.area, context.request) ?? general);
  const layer: FailureLayer = fault.phase === 'connecting' ? failureRows[row].layer : 'http';
  return makeFailure(row, {
    code: cleanCode(faultCode(fault.code)) ?? 'network_error',
    layer,
    ...(fault.phase === 'receiving' ? { envelope: 'truncated' as const } : {}),
  });
}

function classifyAnswer(answer: HttpAnswer, context: RequestContext): Failure {
  const read = readEnvelope(answer.body, answer.isTruncated === true);
  const row = rowOfAnswer(answer, read, context);
  const wait = retryAfterMs(answer.headers['retry-after'], answer.headers['date'], context.serverNowMs);
  const params = paramsOf(row, read, context, wait);
  return makeFailure(row, {
    code: codeOf(answer, read),
    envelope: read.envelope,
    status: answer.status,
    outcome: outcomeOf(row, answer, context, read),
    ...(wait === null ? {} : { retryAfterMs: wait }),
    requestId: read.requestId ?? cleanId(answer.headers['x-request-id']) ?? cleanId(answer.headers['x-llm-request-id']),
    llmRequestId: cleanId(answer.headers['x-llm-request-id']),
    fields: read.fields,
    params,
    details: read.message,
  });
}

function rowOfAnswer(answer: HttpAnswer, read: ReadEnvelope, context: RequestContext): KnownRow {
  const { status } = answer;
  if (answer.isOversize === true) return 'E-017';
  if (read.envelope === 'truncated') return 'E-015';
  if (status >= 300 && status < 400 && status !== 304) return redirectRow(answer, context);
  if (status >= 200 && status < 300) return read.envelope === 'html' ? 'E-009' : rowOfStatus(status, context.target);
  const { certain, bare } = areaRow(context.area, { ...read, status, request: context.request });
  if (certain !== undefined) return certain;
  if (read.code === 'not_found' && status >= 400) return bare ?? rowOfStatus(404, context.target);
  if (status === 400 && isAboutIdempotency(read)) return 'E-031';
  const known = status >= 400 ? codeRows.get(read.code ?? '') : undefined;
  const row = known ?? bare ?? rowOfStatus(status, context.target);
  return row === 'E-053' && answer.headers['retry-after'] !== undefined && hasWait(answer, context) ? 'E-052' : row;
}

/**
 * Sign-in pages use a temporary redirect to another host; a permanent one, or one within the host, means a wrong
 * address.
 */
function redirectRow(answer: HttpAnswer, context: RequestContext): KnownRow {
  const location = answer.headers['location'] ?? '';
  const host = /^(?:https?:)?\/\/([^/?#\s]+)/iu.exec(location)?.[1]?.toLowerCase();
  const isElsewhere = host !== undefined && context.host !== undefined && host !== context.host.toLowerCase();
  return isElsewhere && (answer.status === 302 || answer.status === 303 || answer.status === 307) ? 'E-009' : 'E-016';
}

const isAboutIdempotency = (read: ReadEnvelope): boolean =>
  (read.code?.includes('idempotency') ?? false) ||
  Object.keys(read.fields ?? {}).some((name) => /^idempotency[_-]?key$/iu.test(name));

const hasWait = (answer: HttpAnswer, context: RequestContext): boolean =>
  retryAfterMs(answer.headers['retry-after'], answer.headers['date'], context.serverNowMs) !== null;

function codeOf(answer: HttpAnswer, read: ReadEnvelope): string {
  if (answer.isOversize === true) return 'response_too_large';
  if (read.envelope === 'truncated') return 'response_truncated';
  if (answer.status >= 300 && answer.status < 400) return 'unexpected_redirect';
  return read.code ?? `http_${answer.status}`;
}

/**
 * A complete 2xx to a creation means that the work was accepted, readable or not. An HTML page is not from the service:
 * a proxy may have put it in place of the answer to accepted work.
 */
function outcomeOf(row: KnownRow, answer: HttpAnswer, context: RequestContext, read: ReadEnvelope): FailureOutcome {
  const isCharged = context.request === 'create-with-key';
  if (isCharged && read.envelope === 'html' && failureRows[row].outcome === 'refused') return 'unknown';
  const isTaken = answer.status >= 200 && answer.status < 300 && context.request !== 'read';
  return row === 'E-024' && isTaken && answer.isTruncated !== true ? 'accepted' : failureRows[row].outcome;
}

function paramsOf(
  row: KnownRow,
  read: ReadEnvelope,
  context: RequestContext,
  waitMs: number | null,
): FailureParams | undefined {
  if (row === 'E-037' && context.permission) return { permission: context.permission };
  if (row === 'E-048' && context.sentBytes !== undefined) return { size: context.sentBytes };
  if ((row === 'E-052' || row === 'E-096') && waitMs !== null) return { wait: waitMs };
  if (row === 'E-050' && read.fields) return { fields: Object.keys(read.fields).slice(0, 5).join(', ') };
  return undefined;
}
