import type { Failure, FailureLayer, FailureOutcome, FailureParams, FailureEnvelope } from '../../result/failure.ts';
import { areaRow, lostRow, type FailureArea } from './area-rows.ts';
import { cleanCode, cleanId } from './clean-text.ts';
import { codeRows, rowOfStatus, type RequestKind, type RequestTarget } from './code-rows.ts';
import { parseGuardedJson } from './guarded-json.ts';
import { makeFailure } from './make-failure.ts';
import { faultCode, networkRow, type NetworkFault } from './network-fault.ts';
import { retryAfterMs } from './retry-after.ts';
import { failureRows } from './rows.ts';
import type { FailureKind } from '../../result/failure-kinds.ts';

const joined = (parts: readonly unknown[], depth: number): string =>
  parts
    .map((part) => flattenDetail(part, depth + 1))
    .filter((part) => part !== '')
    .join('; ');
const isString = (value: unknown): value is string => typeof value === 'string';
const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  /** The part of the service that was called, where it has kinds of its own. */
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
 * fault gives a kind, and nothing is thrown. A code with a kind of its own wins over the status (rule 6).
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

function rowOfAnswer(answer: HttpAnswer, read: ReadEnvelope, context: RequestContext): FailureKind {
  const { status } = answer;
  if (answer.isOversize === true) return 'answer-too-large';
  if (read.envelope === 'truncated') return 'answer-truncated';
  if (status >= 300 && status < 400 && status !== 304) return redirectRow(answer, context);
  if (status >= 200 && status < 300)
    return read.envelope === 'html' ? 'web-page-answered' : rowOfStatus(status, context.target);
  const { certain, bare } = areaRow(context.area, { ...read, status, request: context.request });
  if (certain !== undefined) return certain;
  if (read.code === 'not_found' && status >= 400) return bare ?? rowOfStatus(404, context.target);
  if (status === 400 && isAboutIdempotency(read)) return 'idempotency-key-invalid';
  const known = status >= 400 ? codeRows.get(read.code ?? '') : undefined;
  const row = known ?? bare ?? rowOfStatus(status, context.target);
  return row === 'rate-limited' && answer.headers['retry-after'] !== undefined && hasWait(answer, context)
    ? 'rate-limited-until'
    : row;
}

/**
 * Sign-in pages use a temporary redirect to another host; a permanent one, or one within the host, means a wrong
 * address.
 */
function redirectRow(answer: HttpAnswer, context: RequestContext): FailureKind {
  const location = answer.headers['location'] ?? '';
  const host = /^(?:https?:)?\/\/([^/?#\s]+)/iu.exec(location)?.[1]?.toLowerCase();
  const isElsewhere = host !== undefined && context.host !== undefined && host !== context.host.toLowerCase();
  return isElsewhere && (answer.status === 302 || answer.status === 303 || answer.status === 307)
    ? 'web-page-answered'
    : 'redirect-refused';
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
function outcomeOf(row: FailureKind, answer: HttpAnswer, context: RequestContext, read: ReadEnvelope): FailureOutcome {
  const isCharged = context.request === 'create-with-key';
  if (isCharged && read.envelope === 'html' && failureRows[row].outcome === 'refused') return 'unknown';
  const isTaken = answer.status >= 200 && answer.status < 300 && context.request !== 'read';
  return row === 'answer-unreadable' && isTaken && answer.isTruncated !== true ? 'accepted' : failureRows[row].outcome;
}

function paramsOf(
  row: FailureKind,
  read: ReadEnvelope,
  context: RequestContext,
  waitMs: number | null,
): FailureParams | undefined {
  if (row === 'permission-missing' && context.permission) return { permission: context.permission };
  if (row === 'file-too-large' && context.sentBytes !== undefined) return { size: context.sentBytes };
  if ((row === 'rate-limited-until' || row === 'clone-rate-limited') && waitMs !== null) return { wait: waitMs };
  if (row === 'fields-invalid' && read.fields) return { fields: Object.keys(read.fields).slice(0, 5).join(', ') };
  return undefined;
}

/** The facts about a failure in a body, whatever its shape; absent: the body did not contain it in an accepted form. */
interface ReadEnvelope {
  readonly envelope: FailureEnvelope;
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads any body of an answer. Never throws; the texts are unchanged. */
export function readEnvelope(body: string, isTruncated: boolean): ReadEnvelope {
  const text = body.replace(/^\ufeff/u, '').trim();
  if (isTruncated) return { envelope: 'truncated' };
  if (text === '') return { envelope: 'empty', code: 'empty_body' };
  const json = parseGuardedJson(text);
  if (!json.isJson) return readMarkup(text);
  return isObject(json.value) ? readJson(json.value) : { envelope: 'none' };
}

function readMarkup(text: string): ReadEnvelope {
  const start = text.slice(0, 1024).toLowerCase();
  if (start.includes('<!doctype html') || start.includes('<html')) return { envelope: 'html' };
  if (start.startsWith('<?xml') || start.startsWith('<error')) {
    const code = cleanCode(/<code>([^<]{1,64})<\/code>/iu.exec(text.slice(0, 65_536))?.[1]);
    return { envelope: 'storage_xml', ...(code === undefined ? {} : { code }) };
  }
  return { envelope: 'text', message: text };
}

function readJson(body: JsonObject): ReadEnvelope {
  const error = body['error'];
  const message = stringOf(body['message']);
  const requestId = cleanId(body['request_id']) ?? (isObject(error) ? cleanId(error['request_id']) : undefined);
  const base = requestId === undefined ? {} : { requestId };

  if (isObject(error)) {
    const innerMessage = stringOf(error['message']);
    const isStandard = typeof error['code'] === 'string' && (message !== undefined || error['type'] === undefined);
    const isLlm = innerMessage !== undefined || error['type'] !== undefined;
    const code = cleanCode(error['code']);
    const words = innerMessage ?? message;
    const fields = fieldsOf(error['fields']);
    return {
      ...base,
      envelope: isStandard ? 'standard' : isLlm ? 'llm' : 'none',
      ...(code === undefined ? {} : { code }),
      ...(words === undefined ? {} : { message: words }),
      ...(fields === undefined ? {} : { fields }),
    };
  }
  if (body['detail'] !== undefined || body['error_key'] !== undefined) {
    const key = cleanCode(body['error_key']);
    const words = flattenDetail(body['detail']);
    return {
      ...base,
      envelope: 'legacy',
      ...(key === undefined ? {} : { code: `legacy.${key}`.slice(0, 64) }),
      ...(words === '' ? {} : { message: words }),
    };
  }
  if (typeof error === 'string') {
    const code = cleanCode(error);
    const words = message ?? (code === undefined ? error : undefined);
    return {
      ...base,
      envelope: 'none',
      ...(code === undefined ? {} : { code }),
      ...(words === undefined ? {} : { message: words }),
    };
  }
  return { ...base, envelope: 'none', ...(message === undefined ? {} : { message }) };
}

/** The legacy API's `detail`: a text, a list of `{loc, msg}`, or an object of them. */
function flattenDetail(detail: unknown, depth = 0): string {
  if (typeof detail === 'string') return detail;
  if (depth > 4) return '';
  if (Array.isArray(detail)) return joined(detail.slice(0, 16), depth);
  if (!isObject(detail)) return '';
  const words = stringOf(detail['msg']) ?? stringOf(detail['message']);
  return words ?? joined(Object.values(detail).slice(0, 16), depth);
}

function fieldsOf(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value)
    .map(([name, text]) => [name, Array.isArray(text) ? text.filter(isString).join('; ') : text] as const)
    .filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string');
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
