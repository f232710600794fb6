import { modeOf } from '../../../shared/domain/modes.ts';
import { classify, type HttpAnswer, type RequestContext } from '../../../shared/domain/failures/classify.ts';
import { decideRetry } from '../../../shared/domain/failures/decide-retry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { buildUrl } from '../../../shared/wire/build-url.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import type { Connection, ConnectionSource } from '../connection.ts';
import { attemptLog, healthOf } from './attempt-report.ts';
import type { Call, Reply } from './call.ts';
import { kindOf, mayRepeat, urgencyOf, areaOf } from './request-kind.ts';
import { sleep, type ClientClock } from './clock.ts';
import { credentialHeaders, missingCredential, withoutKey } from './credentials.ts';
import type { OpenedForm } from './multipart.ts';
import { DriftWatch } from './drift-watch.ts';
import { createOriginStates, type OriginState } from './origin-state.ts';
import { bodyFailure, openBody } from './request-body.ts';
import type { OpenBodySink, TransportOnDemand, WireOutcome } from './transport.ts';
import { serviceCodes } from '../../../shared/wire/service-codes.ts';

export interface HttpCoreOptions {
  readonly transport: Pick<TransportOnDemand, 'get'>;
  readonly log: Logger;
  readonly clock: ClientClock;
  /** In [0, 1); spreads retries. */
  readonly random: () => number;
  /** Plain http on loopback for a service that is not practice: runs from source only. */
  readonly allowsLoopbackHttp: boolean;
  /** A free read that checks whether a service in trouble works again, before anything costly is tried. */
  readonly probe: Endpoint;
  /** Notified of what calls over the connection in use show about the key. */
  readonly grants?: GrantWatch | undefined;
}

/** Listens to what a key turns out to be allowed to do. */
export interface GrantWatch {
  /** A call of this product was refused because the key lacks the grant (E-037). */
  readonly refused: (product: string, failure: Failure) => void;
  /** A change or creation of this product was accepted. */
  readonly used: (product: string) => void;
}

export interface HttpCore {
  call(call: Call): Promise<Result<Reply, Failure>>;
  /**
   * A core with the same connections and limits for another address or key, for example one that a user wants to check.
   */
  over(connection: ConnectionSource): HttpCore;
  /** The clock of the service minus ours, milliseconds; null: it never sent one. */
  clockOffsetMs(): number | null;
  /** Something changed that may bring the service back, so a service in trouble (E-018) may be probed early. */
  allowProbe(): void;
  /** Reports the places at which an answer differs from the documented contract. */
  noteDrift(endpoint: Endpoint, what: readonly string[]): void;
}

/** One attempt on its way. */
interface Sending {
  readonly request: Call;
  readonly attempt: number;
  readonly connection: Connection;
  readonly url: URL;
  readonly origin: OriginState;
}

/**
 * Combines the pure parts: address, credential, attempt, classification, retry. Rate, retry budget, clock and 429s are
 * kept per address and key, across all callers. Never throws for an outside reason.
 */
export function createHttpCore(options: HttpCoreOptions, connectionInUse: ConnectionSource): HttpCore {
  const { transport, log, clock, random } = options;
  const stateOf = createOriginStates(clock);
  const drift = new DriftWatch(log);

  async function call(source: ConnectionSource, request: Call): Promise<Result<Reply, Failure>> {
    const startedAtMs = clock.monotonic();
    for (let attempt = 1; ; attempt += 1) {
      let hasBegun = false;
      const { takeBody } = request;
      const watched: OpenBodySink | undefined =
        takeBody &&
        ((head) => {
          const taker = takeBody(head);
          hasBegun ||= taker !== null;
          return taker;
        });
      const attempted = watched === undefined ? request : { ...request, takeBody: watched };
      const result = await tryOnce(source(), attempted, attempt);
      if (result.ok || request.attempts === 'once') return result;
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

  async function tryOnce(
    connection: Connection | null,
    request: Call,
    attempt: number,
  ): Promise<Result<Reply, Failure>> {
    if (connection === null) return err(makeFailure('E-235', { code: 'no_key', outcome: 'not_sent', layer: 'local' }));
    const missing = missingCredential(connection, request.endpoint.credential);
    if (missing !== null) return err(missing);
    const url = buildUrl({
      baseUrl: connection.baseUrl,
      allowsLoopbackHttp: modeOf(connection.kind).isOnThisComputer || options.allowsLoopbackHttp,
      path: request.endpoint.path,
      ...(request.values === undefined ? {} : { values: request.values }),
      ...(request.query === undefined ? {} : { query: request.query }),
    });
    if (!url.ok) {
      const row = url.error.startsWith('base') ? 'E-234' : 'E-030';
      return err(makeFailure(row, { code: url.error.replaceAll('-', '_'), outcome: 'not_sent', layer: 'local' }));
    }
    if (!/^[\u0021-\u007E]*$/u.test(request.idempotencyKey ?? ''))
      return err(makeFailure('E-031', { code: 'unfit_idempotency_key', outcome: 'not_sent', layer: 'local' }));
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

  /**
   * E-018 while the service is being left alone. When a probe is due and this call is no free read, a free read is sent
   * first.
   */
  async function heldBack(sending: Sending): Promise<Failure | null> {
    const { request, connection, origin } = sending;
    const trouble = (waitMs: number): Failure =>
      makeFailure('E-018', { code: 'service_trouble', retryAfterMs: waitMs });
    const admitted = origin.budget.admit();
    if (admitted.waitMs > 0) return trouble(admitted.waitMs);
    if (!admitted.isProbe || request.endpoint.method === 'GET') return null;
    const url = buildUrl({
      baseUrl: connection.baseUrl,
      allowsLoopbackHttp: modeOf(connection.kind).isOnThisComputer || options.allowsLoopbackHttp,
      path: options.probe.path,
    });
    if (!url.ok || !(await origin.limiter.take(request.signal))) return cancelled(request, 'not_sent');
    const { signal } = request;
    await send(
      { ...sending, url: url.value, request: { endpoint: options.probe, target: 'route', attempts: 'once', signal } },
      null,
    );
    const { waitMs } = origin.budget.admit();
    return waitMs > 0 ? trouble(waitMs) : null;
  }

  async function send(sending: Sending, body: OpenedForm | null): Promise<Result<Reply, Failure>> {
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
        ...(request.messageLanguage === undefined ? {} : { 'accept-language': request.messageLanguage }),
        ...credentialHeaders(connection, url, endpoint.credential),
      },
      body,
      takeBody: request.takeBody,
      firstByteMs: endpoint.firstByteMs,
      signal,
    });
    if (seen.kind === 'answer') origin.observeDate(seen.headers['date'], sentAtMs);
    const result = judge(sending, seen);
    const failure = result.ok ? null : result.error;
    origin.observeThrottle(failure);
    origin.budget.record(healthOf(seen, failure));
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

  function judge(sending: Sending, seen: WireOutcome): Result<Reply, Failure> {
    const { request, connection } = sending;
    if (seen.kind === 'body') return err(bodyFailure(seen, request));
    if (seen.kind === 'taker') return err(makeFailure('E-175', { code: 'not_kept', outcome: 'unknown' }));
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
        requestId: idIn(answer, 'x-request-id'),
        location: answer.headers['location'] ?? null,
        llmRequestId: idIn(answer, 'x-llm-request-id'),
        isTaken: seen.isTaken,
      });
    }
    const failure = classify(answer, contextOf(sending, seen.sentBytes));
    if (hasOtherStatus(failure.code, answer.status)) drift.note(request.endpoint, [failure.code], answer.status);
    return err(seen.isTaken && seen.isStalled ? { ...failure, code: 'receive_stalled' } : failure);
  }

  function contextOf({ request, url, origin }: Sending, sentBytes: number): RequestContext {
    const { endpoint, target, idempotencyKey } = request;
    return {
      request: kindOf(endpoint, idempotencyKey),
      target,
      area: areaOf(endpoint),
      permission: endpoint.permission,
      host: url.host,
      serverNowMs: origin.serverNow(),
      ...(endpoint.retry === 'with-idempotency-key' ? { sentBytes } : {}),
    };
  }

  function noteGrant({ product, method, permission }: Endpoint, reply: Result<Reply, Failure>): void {
    // A ticket for live speech comes from the route of dictation and says nothing about it.
    if (permission === 'tts_realtime: access') return;
    if (reply.ok && method !== 'GET') options.grants?.used(product);
    else if (!reply.ok && reply.error.row === 'E-037') options.grants?.refused(product, reply.error);
  }

  const stateOver = (connection: Connection | null): OriginState | null => {
    const url = URL.parse(connection?.baseUrl ?? '');
    return connection === null || url === null ? null : stateOf(url.origin, connection.key);
  };
  const over = (connection: ConnectionSource): HttpCore => ({
    async call(request) {
      const reply = await call(connection, request);
      if (connection === connectionInUse) noteGrant(request.endpoint, reply);
      return reply;
    },
    over,
    clockOffsetMs: () => stateOver(connection())?.offsetMs() ?? null,
    allowProbe: () => stateOver(connection())?.budget.allowProbe(),
    noteDrift: (endpoint, what) => drift.note(endpoint, what),
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
  const row = request.endpoint.retry === 'with-idempotency-key' ? 'E-012' : 'E-014';
  return makeFailure(row, { code: 'cancelled', outcome, layer: 'local' });
}

/**
 * Judged by the body, because some servers send their JSON as text/html, and an answer that was paid for must not be
 * lost to that.
 */
function isHtml(answer: HttpAnswer): boolean {
  const start = answer.body.slice(0, 1024).trimStart().toLowerCase();
  if (start.startsWith('{') || start.startsWith('[')) return false;
  const isCalledPage = (answer.headers['content-type'] ?? '').toLowerCase().startsWith('text/html');
  return start !== '' && (isCalledPage || start.includes('<!doctype html') || start.includes('<html'));
}

/** A well-formed request id from a header; null when there is none. */
function idIn(answer: HttpAnswer, header: string): string | null {
  const id = answer.headers[header] ?? '';
  return /^[A-Za-z0-9_.:-]{1,128}$/u.test(id) ? id : null;
}

/** Whether a documented code came with a status that the document does not give it. */
function hasOtherStatus(code: string, status: number): boolean {
  const known = serviceCodes.filter((one) => one.code === code && one.status !== null);
  return known.length > 0 && known.every((one) => one.status !== status);
}
