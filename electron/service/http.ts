import { randomUUID } from 'node:crypto';
import type { Logger, LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { cleanId } from '../../shared/domain/failures/clean-text.ts';
import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import { classify, type HttpAnswer, type RequestContext } from '../../shared/domain/failures/classify.ts';
import type { RequestKind, RequestTarget } from '../../shared/domain/failures/code-rows.ts';
import { decideRetry, wasRefusedUnseen } from '../../shared/domain/failures/decide-retry.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { modeOf } from '../../shared/domain/modes.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import {
  buildUrl,
  connectionOf,
  credentialHeaders,
  missingCredential,
  withoutKey,
  type Connection,
  type ConnectionSource,
} from './connection.ts';
import type { Endpoint } from './endpoints.ts';
import {
  sleep,
  type ClientClock,
  type OpenBodySink,
  type TransportOnDemand,
  type WireOutcome,
  type StreamedBody,
  type WireBodyFault,
} from './transport.ts';
import { createOriginStates, type AttemptHealth, type OriginState, type RequestUrgency } from './pace.ts';
import { FileFailed, openForm, type OpenedForm, type MultipartForm } from './upload.ts';

const urgencyOf = ({ urgency, endpoint, target = endpoint.target, idempotencyKey }: Call): RequestUrgency =>
  urgency ??
  (idempotencyKey !== undefined ? 'create' : endpoint.method === 'GET' && target === 'job' ? 'poll' : 'user');

/** Always when it was refused unprocessed; otherwise only what the service recognises or a plain read. */
const mayRepeat = ({ endpoint, idempotencyKey, attempts = 'interactive' }: Call, failure: Failure): boolean =>
  wasRefusedUnseen(failure) ||
  (attempts === 'interactive' &&
    (endpoint.retry === 'safe' || (endpoint.retry === 'with-idempotency-key' && idempotencyKey !== undefined)));

const kindOf = (endpoint: Endpoint, idempotencyKey: string | undefined): RequestKind => {
  if (endpoint.method === 'GET') return 'read';
  if (endpoint.method === 'POST' && endpoint.retry !== 'safe')
    return idempotencyKey === undefined ? 'create' : 'create-with-key';
  return 'change';
};

export interface HttpCoreOptions {
  readonly transport: Pick<TransportOnDemand, 'get'>;
  readonly log: Logger;
  readonly clock: ClientClock;
  readonly random: () => number;
  readonly allowsLoopbackHttp: boolean;
  readonly probe: Endpoint;
  readonly grants?: GrantWatch | undefined;
}

export interface GrantWatch {
  readonly refused: (product: string, failure: Failure) => void;
  readonly used: (product: string) => void;
}

export interface HttpCore {
  call(call: Call): Promise<Result<Reply>>;
  over(connection: ConnectionSource): HttpCore;
  clockOffsetMs(): number | null;
  allowProbe(): void;
}

const leftAloneCode = 'service_trouble';

interface Sending {
  readonly request: Call;
  readonly attempt: number;
  readonly connection: Connection;
  readonly url: URL;
  readonly origin: OriginState;
}

/** Rate, retry budget, clock and 429s are kept per address and key, across all callers. Never throws. */
export function createHttpCore(options: HttpCoreOptions, connectionInUse: ConnectionSource): HttpCore {
  const { transport, log, clock, random } = options;
  const stateOf = createOriginStates(clock);

  async function call(source: ConnectionSource, request: Call): Promise<Result<Reply>> {
    const startedAtMs = clock.monotonic();
    for (let attempt = 1; ; attempt += 1) {
      let hasBegun = false;
      const { sinkBody } = request;
      const watched: OpenBodySink | undefined =
        sinkBody &&
        ((head) => {
          const taker = sinkBody(head);
          hasBegun ||= taker !== null;
          return taker;
        });
      const attempted = watched === undefined ? request : { ...request, sinkBody: watched };
      const result = await tryOnce(source, attempted, attempt);
      if (result.ok || request.attempts === 'once' || result.error.code === leftAloneCode) return result;
      const decision = decideRetry({
        failure: result.error,
        attempt,
        elapsedMs: clock.monotonic() - startedAtMs,
        patience: 'interactive',
        isRepeatable: mayRepeat(request, result.error) && !hasBegun && result.error.code !== 'cancelled',
        random,
      });
      if (!decision.retry || !(await sleep(clock, decision.delayMs, request.signal))) return result;
    }
  }

  const addressOf = (
    connection: Connection,
    { endpoint, values, query }: Pick<Call, 'endpoint' | 'values' | 'query'>,
  ) =>
    buildUrl({
      baseUrl: connection.baseUrl,
      allowsLoopbackHttp: modeOf(connection.kind).isOnThisComputer || options.allowsLoopbackHttp,
      path: endpoint.path,
      values,
      query,
    });

  async function tryOnce(source: ConnectionSource, request: Call, attempt: number): Promise<Result<Reply>> {
    const opened = connectionOf(source);
    if (!opened.ok) return opened;
    const connection = opened.value;
    const missing = missingCredential(connection, request.endpoint.credential);
    if (missing !== null) return err(missing);
    const url = addressOf(connection, request);
    if (!url.ok) {
      const row = url.error.startsWith('base') ? 'address-invalid' : 'request-invalid';
      return err(makeFailure(row, { code: url.error.replaceAll('-', '_'), outcome: 'not_sent', layer: 'local' }));
    }
    if (!/^[\u0021-\u007E]*$/u.test(request.idempotencyKey ?? ''))
      return err(
        makeFailure('idempotency-key-invalid', { code: 'unfit_idempotency_key', outcome: 'not_sent', layer: 'local' }),
      );
    const origin = stateOf(url.value.origin, connection.key);
    const sending: Sending = { request, attempt, connection, url: url.value, origin };
    const held = await heldBack(sending);
    if (held !== null) return err(held);
    if (!(await origin.limiter.take(request.signal, urgencyOf(request)))) return err(cancelled(request, 'not_sent'));

    const body = await openBody(request);
    if (!body.ok) return body;
    try {
      return await send(sending, body.value);
    } finally {
      await body.value?.close();
    }
  }

  /** When a probe is due and this call is no free read, a free read is sent first. */
  async function heldBack(sending: Sending): Promise<Failure | null> {
    const { request, connection, origin } = sending;
    const trouble = (waitMs: number): Failure => ({
      ...(origin.budget.unreachedBy ?? makeFailure('service-troubled')),
      code: leftAloneCode,
      retryAfterMs: waitMs,
    });
    const admitted = origin.budget.admit();
    if (admitted.waitMs > 0) return trouble(admitted.waitMs);
    if (!admitted.isProbe || request.endpoint.method === 'GET') return null;
    const url = addressOf(connection, { endpoint: options.probe });
    if (!url.ok || !(await origin.limiter.take(request.signal))) return cancelled(request, 'not_sent');
    const { signal } = request;
    await send({ ...sending, url: url.value, request: { endpoint: options.probe, attempts: 'once', signal } }, null);
    const { waitMs } = origin.budget.admit();
    return waitMs > 0 ? trouble(waitMs) : null;
  }

  async function send(sending: Sending, body: OpenedForm | null): Promise<Result<Reply>> {
    const { request, attempt, connection, url, origin } = sending;
    const sentAtMs = clock.now();
    const startedAtMs = clock.monotonic();
    const { endpoint, idempotencyKey, signal } = request;
    const seen = await (
      await transport.get()
    ).send({
      url,
      method: endpoint.method,
      headers: {
        accept: accepts[endpoint.answer],
        'accept-encoding': 'identity',
        'user-agent': 'OvozStudio',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(endpoint.credential === 'legacy-key' ? { 'accept-language': 'en' } : {}),
        ...credentialHeaders(connection, url, endpoint.credential),
      },
      body,
      sinkBody: request.sinkBody,
      firstByteMs: endpoint.firstByteMs,
      signal,
    });
    if (seen.kind === 'answer') origin.observeDate(seen.headers['date'], sentAtMs);
    const result = judge(sending, seen);
    const failure = result.ok ? null : result.error;
    origin.observeThrottle(failure);
    origin.budget.record(healthOf(seen, failure), failure);
    log.write(
      attemptLog({
        endpoint,
        attempt,
        ms: clock.monotonic() - startedAtMs,
        seen,
        failure,
        requestId: result.ok ? result.value.requestId : null,
      }),
    );
    return result;
  }

  function judge(sending: Sending, seen: WireOutcome): Result<Reply> {
    const { request, connection } = sending;
    if (seen.kind === 'body') return err(bodyFailure(seen, request));
    if (seen.kind === 'taker') return err(makeFailure('disk-space-short', { code: 'not_kept', outcome: 'unknown' }));
    if (seen.kind === 'network') {
      return err(
        seen.code === 'cancelled'
          ? cancelled(request, seen.phase === 'connecting' ? 'not_sent' : 'unknown')
          : classify(seen, contextOf(sending, seen.sentBytes)),
      );
    }
    const answer: HttpAnswer = {
      kind: 'answer',
      status: seen.status,
      headers: Object.fromEntries(
        Object.entries(seen.headers).map(([name, value]) => [name, withoutKey(value, connection)]),
      ),
      body: withoutKey(seen.body, connection),
      isTruncated: seen.isTruncated,
      isOversize: seen.isOversize,
    };
    const isSuccess = answer.status >= 200 && answer.status < 300 && !seen.isTruncated && !seen.isOversize;
    if (isSuccess && !(request.endpoint.answer !== 'none' && isHtml(answer))) {
      return ok({
        status: answer.status,
        text: answer.body,
        requestId: cleanId(answer.headers['x-request-id']) ?? null,
        location: answer.headers['location'] ?? null,
        llmRequestId: cleanId(answer.headers['x-llm-request-id']) ?? null,
        isTaken: seen.isTaken,
      });
    }
    const failure = classify(answer, contextOf(sending, seen.sentBytes));
    return err(seen.isTaken && seen.isStalled ? { ...failure, code: 'receive_stalled' } : failure);
  }

  function contextOf({ request, url, origin }: Sending, sentBytes: number): RequestContext {
    const { endpoint, idempotencyKey } = request;
    return {
      request: kindOf(endpoint, idempotencyKey),
      target: request.target ?? endpoint.target,
      area: endpoint.area,
      permission: request.permission ?? endpoint.permission,
      host: url.host,
      serverNowMs: origin.serverNow(),
      ...(endpoint.retry === 'with-idempotency-key' ? { sentBytes } : {}),
    };
  }

  function noteGrant({ endpoint: { product, method }, permission }: Call, reply: Result<Reply>): void {
    // A ticket for live speech comes from the route of dictation and says nothing about it.
    if (permission === 'tts_realtime: access') return;
    if (reply.ok && method !== 'GET') options.grants?.used(product);
    else if (!reply.ok && reply.error.kind === 'permission-missing') options.grants?.refused(product, reply.error);
  }

  const stateOver = (connection: Connection | null): OriginState | null => {
    const url = URL.parse(connection?.baseUrl ?? '');
    return connection === null || url === null ? null : stateOf(url.origin, connection.key);
  };
  const over = (connection: ConnectionSource): HttpCore => ({
    async call(request) {
      const reply = await call(connection, request);
      if (connection === connectionInUse) noteGrant(request, reply);
      return reply;
    },
    over,
    clockOffsetMs: () => stateOver(connection())?.offsetMs() ?? null,
    allowProbe: () => stateOver(connection())?.budget.allowProbe(),
  });
  return over(connectionInUse);
}

const accepts = {
  json: 'application/json',
  none: 'application/json',
  text: '*/*',
  audio: 'audio/wav, application/json;q=0.9',
  events: 'text/event-stream, application/json;q=0.9',
  messages: '*/*',
} as const satisfies Record<Endpoint['answer'], string>;

function cancelled(request: Call, outcome: 'not_sent' | 'unknown'): Failure {
  const row = request.endpoint.retry === 'with-idempotency-key' ? 'connection-dropped' : 'connection-slow';
  return makeFailure(row, { code: 'cancelled', outcome, layer: 'local' });
}

/** Some servers send JSON as text/html, and an answer that was paid for must not be lost to that. */
function isHtml(answer: HttpAnswer): boolean {
  const start = answer.body.slice(0, 1024).trimStart().toLowerCase();
  if (start.startsWith('{') || start.startsWith('[')) return false;
  const isCalledPage = (answer.headers['content-type'] ?? '').toLowerCase().startsWith('text/html');
  return start !== '' && (isCalledPage || start.includes('<!doctype html') || start.includes('<html'));
}

async function openBody(request: Call): Promise<Result<OpenedForm | null>> {
  if (request.form !== undefined) return openForm(request.form, request.idempotencyKey ?? randomUUID());
  return ok(request.json === undefined ? null : { ...jsonBody(request.json), close: () => Promise.resolve() });
}

function bodyFailure(seen: WireBodyFault, request: Call): Failure {
  const failure =
    seen.cause instanceof FileFailed ? seen.cause.failure : makeFailure('file-unreadable', { code: 'file_unreadable' });
  const name = request.form?.files.length === 1 ? request.form.files[0]?.source.name : undefined;
  return {
    ...failure,
    outcome: seen.sentBytes > 0 ? 'unknown' : 'not_sent',
    ...(name === undefined || failure.params !== undefined ? {} : { params: { name } }),
  };
}

function jsonBody(value: unknown): StreamedBody {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  return {
    contentType: 'application/json',
    lengthBytes: bytes.length,
    chunks: async function* chunks() {
      yield bytes;
    },
  };
}

interface AttemptFacts {
  readonly endpoint: Endpoint;
  readonly attempt: number;
  readonly ms: number;
  readonly seen: WireOutcome;
  readonly failure: Failure | null;
  readonly requestId: string | null;
}

/** The log line of an attempt: the route template and numbers, never an address, a body or a key. */
function attemptLog({ endpoint, attempt, ms, seen, failure, requestId }: AttemptFacts): LogEntry {
  const id = failure?.requestId ?? requestId ?? undefined;
  return {
    event: 'service-attempt',
    level: failure === null ? 'info' : 'warn',
    route: endpoint.path,
    method: endpoint.method,
    attempt,
    ms: Math.round(ms),
    bytes: seen.sentBytes,
    ...(seen.kind === 'answer' ? { status: seen.status } : {}),
    ...(failure === null ? {} : { code: failure.code, row: failure.row }),
    ...(id === undefined ? {} : { requestId: id }),
  };
}

/** A refusal is an answer too; local failures and cancellations show nothing. */
function healthOf(seen: WireOutcome, failure: Failure | null): AttemptHealth {
  if (seen.kind === 'body' || seen.kind === 'taker' || failure?.code === 'cancelled') return 'neutral';
  if (seen.kind === 'network') {
    if (seen.phase !== 'connecting') return /time|stall/iu.test(seen.code) ? 'timeout' : 'trouble';
    // A broken network, DNS, certificate or proxy on this side shows nothing about the service.
    return failure?.kind === 'service-unreachable' || failure?.kind === 'service-timeout' ? 'unreachable' : 'neutral';
  }
  if (seen.status >= 500 || seen.isTruncated) return 'trouble';
  return failure?.status === 429 ? 'neutral' : 'success';
}

/** One call of the service. The body is described, not opened, because each attempt opens it again. */
export interface Call {
  readonly endpoint: Endpoint;
  /** What a 404 means, where it is not what the route says. */
  readonly target?: RequestTarget;
  /** The grant that this call needs, where it is not that of the route. */
  readonly permission?: Endpoint['permission'];
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly form?: MultipartForm;
  readonly idempotencyKey?: string;
  readonly estimateCredits?: string | undefined;
  readonly contentSha256?: string | undefined;
  readonly sinkBody?: OpenBodySink;
  /** `once`: repeating is the caller's decision; without it a read is repeated for somebody who waits. */
  readonly attempts?: 'once' | 'if-refused' | 'interactive' | undefined;
  readonly urgency?: RequestUrgency;
  readonly signal?: AbortSignal | undefined;
}

/** A complete 2xx; the body is text without the key, whatever the server put there. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | null;
  /** The address of what was created, as the service gives it; never followed. */
  readonly location: string | null;
  readonly llmRequestId: string | null;
  readonly isTaken: boolean;
}

const goneKinds = new Set(['deleted-at-service', 'gone-at-service', 'key-not-found', 'voice-not-found']);

export const isGone = ({ kind, code }: Failure): boolean => goneKinds.has(kind) || code === 'webhook_not_found';

export function bodyOf(reply: Reply): unknown {
  const json = parseGuardedJson(reply.text);
  return json.isJson ? json.value : null;
}

/** A success that we can't read: the request may well have been carried out. */
export const unreadable = (reply: Reply, isRead: boolean): Failure =>
  makeFailure('answer-unreadable', {
    code: 'unreadable_answer',
    outcome: isRead ? 'unknown' : 'accepted',
    status: reply.status,
    requestId: reply.requestId,
    llmRequestId: reply.llmRequestId,
  });

interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

export const within = (range: Range, value: number | undefined): number =>
  Math.min(range.max, Math.max(range.min, Math.trunc(value ?? range.default)));

export const pageQuery = (
  { limit, cursor }: { readonly limit?: number; readonly cursor?: string | undefined },
  range: Range,
): Readonly<Record<string, string | number | undefined>> => ({ limit: within(range, limit), cursor });
