import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { reconnectDelayMs, reconnectPatienceMs, ticketDelayMs } from '../../../shared/domain/dictation/reconnect.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import { sleep } from '../http/clock.ts';
import type { TicketApi } from '../resources/ticket.ts';
import { openDictationSocket, type DictationSocket, type DictationSocketHandlers } from './dictation-socket.ts';
import type { LiveContext } from './live-connection.ts';

/**
 * Connects with a fresh ticket for each try, on the schedule of reliability E-121 and E-124. Earlier failures are
 * forgotten only with `noteSuccess`, which means that a text arrived: a connection that opens and breaks every time is
 * trouble too.
 */
export class DictationDialer {
  readonly #context: LiveContext;
  readonly #tickets: TicketApi;
  readonly #signal: AbortSignal;
  #failures = 0;
  #refusals = 0;
  #violations = 0;
  #troubleSinceMs: number | null = null;

  constructor(context: LiveContext, tickets: TicketApi, signal: AbortSignal) {
    this.#context = context;
    this.#tickets = tickets;
    this.#signal = signal;
  }

  noteSuccess(): void {
    this.#failures = 0;
    this.#refusals = 0;
    this.#violations = 0;
    this.#troubleSinceMs = null;
  }

  /** A broken protocol is tried once more (E-142). */
  allowsViolation(): boolean {
    this.#violations += 1;
    return this.#violations <= 1;
  }

  /**
   * A connection was lost: the next try starts a schedule or continues the current one. False: this has gone on for too
   * long to keep trying.
   */
  noteTrouble(): boolean {
    const nowMs = this.#context.clock.monotonic();
    if (this.#troubleSinceMs === null) this.#troubleSinceMs = nowMs;
    else this.#failures += 1;
    return nowMs - this.#troubleSinceMs < reconnectPatienceMs;
  }

  /** Tries until there is a connection or there is no point in trying; the failure is then the one to report. */
  async dial(
    handlers: () => DictationSocketHandlers,
    onTrouble: (failure: Failure) => void,
  ): Promise<Result<DictationSocket, Failure>> {
    for (let waitMs = this.#firstWaitMs(); ;) {
      if (!(await sleep(this.#context.clock, waitMs, this.#signal))) return err(cancelled());
      const socket = await this.#tryOnce(handlers());
      if (socket.ok || this.#signal.aborted) return socket;
      const nextMs = this.#nextWaitMs(socket.error);
      if (typeof nextMs !== 'number') return err(nextMs);
      onTrouble(socket.error);
      waitMs = nextMs;
    }
  }

  #firstWaitMs(): number {
    return this.#troubleSinceMs === null ? 0 : reconnectDelayMs(this.#failures);
  }

  async #tryOnce(handlers: DictationSocketHandlers): Promise<Result<DictationSocket, Failure>> {
    const ticket = await this.#tickets.ticket('stt', this.#signal);
    return ticket.ok ? openDictationSocket(this.#context, ticket.value, handlers, this.#signal) : ticket;
  }

  /** How long to wait before the next try, or the failure with which trying ends. */
  #nextWaitMs(failure: Failure): number | Failure {
    if (failure.retry !== 'same_key') return failure;
    const nowMs = this.#context.clock.monotonic();
    this.#troubleSinceMs ??= nowMs;
    const isOver = nowMs - this.#troubleSinceMs >= reconnectPatienceMs;
    if (failure.row === 'E-142' && !this.allowsViolation()) return gaveUp(failure);
    if (failure.row === 'E-121') {
      this.#refusals += 1;
      const delayMs = ticketDelayMs(this.#refusals);
      return delayMs === null || isOver ? gaveUp(failure) : delayMs;
    }
    this.#failures += 1;
    return isOver ? gaveUp(failure) : Math.max(reconnectDelayMs(this.#failures), failure.retryAfterMs ?? 0);
  }
}

export const cancelled = (): Failure =>
  makeFailure('E-139', { code: 'cancelled', outcome: 'not_sent', layer: 'local' });

/** Live transcription has ended for good; the code says by what, or the row where only the user can help. */
export const gaveUp = (failure: Failure): Failure => {
  const { row, code, requestId, details, status } = failure;
  if (row === 'E-250' || row === 'E-251' || row === 'E-253') return failure;
  return makeFailure('E-139', { code, requestId, details, ...(status === undefined ? {} : { status }) });
};
