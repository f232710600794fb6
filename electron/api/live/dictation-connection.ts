import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { DictationDialer } from './dictation-dialer.ts';
import type { DictationSocket, DictationSocketHandlers, DictationSocketMessage } from './dictation-socket.ts';

export interface DictationConnectionHandlers {
  /** Before the first try; `isFirst`: there was no connection before. */
  onDialing(isFirst: boolean): void;
  /** A try failed, and there will be another one. */
  onTrouble(failure: Failure): void;
  onOpen(): void;
  onMessage(message: DictationSocketMessage): void;
  /** The connection has ended by itself. */
  onLost(end: Failure): void;
  /** Nothing is heard of the connection; true: it was set aside and is waited for. */
  onSilence(): boolean;
  onLateMessage(message: DictationSocketMessage): void;
  /** The connection that was set aside has ended. */
  onLateEnd(): void;
  /** Dialing has no sense any more. */
  onGaveUp(failure: Failure): void;
}

/**
 * One connection at a time, and beside it perhaps one that was set aside because it owes an answer. Late events of an
 * abandoned connection are ignored.
 */
export class DictationConnection {
  readonly #dialer: DictationDialer;
  readonly #handlers: DictationConnectionHandlers;
  #socket: DictationSocket | null = null;
  /** Number of the connection in use, or of the one being dialed. */
  #number = 0;
  #endedNumber = 0;
  #aside: { readonly number: number; readonly socket: DictationSocket } | null = null;
  #isDialing = false;
  #isClosed = false;

  constructor(dialer: DictationDialer, handlers: DictationConnectionHandlers) {
    this.#dialer = dialer;
    this.#handlers = handlers;
  }

  get socket(): DictationSocket | null {
    return this.#socket;
  }

  /** Dials, unless that is under way already. */
  dial(): void {
    if (this.#isDialing || this.#isClosed) return;
    this.#isDialing = true;
    this.#handlers.onDialing(this.#number === 0);
    void this.#dialer
      .dial(
        () => this.#listen(),
        (failure) => this.#handlers.onTrouble(failure),
      )
      .then((socket) => {
        this.#isDialing = false;
        if (this.#isClosed) return socket.ok ? socket.value.close(true) : undefined;
        if (!socket.ok) return this.#handlers.onGaveUp(socket.error);
        // The connection may have ended before the caller received it.
        if (this.#endedNumber === this.#number)
          return this.#handlers.onLost(makeFailure('E-141', { code: 'ended_at_once' }));
        this.#socket = socket.value;
        return this.#handlers.onOpen();
      });
  }

  #listen(): DictationSocketHandlers {
    this.#number += 1;
    const number = this.#number;
    const isInUse = (): boolean => number === this.#number && !this.#isClosed;
    const isAside = (): boolean => number === this.#aside?.number;
    return {
      onMessage: (message) => {
        if (isInUse()) this.#handlers.onMessage(message);
        else if (isAside()) this.#handlers.onLateMessage(message);
      },
      onSilence: () => isAside() || (isInUse() && this.#socket !== null && this.#handlers.onSilence()),
      onEnd: (end) => {
        this.#endedNumber = number;
        if (isInUse() && this.#socket !== null) this.#handlers.onLost(end);
        else if (isAside()) this.#handlers.onLateEnd();
      },
    };
  }

  /** The connection in use owes an answer: the next one is opened beside it. */
  setAside(): void {
    if (this.#socket !== null) this.#aside = { number: this.#number, socket: this.#socket };
    this.#socket = null;
    this.#number += 1;
  }

  /** Nothing is expected of the connection that was set aside any more. */
  leaveAside(): void {
    const aside = this.#aside;
    this.#aside = null;
    aside?.socket.close(false);
  }

  /** Leaves the connection in use. */
  leave(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#number += 1;
    socket?.close(false);
  }

  /** For good. `isDone`: nothing is owed. */
  close(isDone: boolean): void {
    this.#isClosed = true;
    this.#socket?.close(isDone);
    this.#socket = null;
  }
}
