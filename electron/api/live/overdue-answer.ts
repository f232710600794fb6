import { finalPatienceMs } from '../../../shared/domain/dictation/reconnect.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { DictationConnection } from './dictation-connection.ts';
import type { DictationDialer } from './dictation-dialer.ts';
import type { DictationSocketMessage } from './dictation-socket.ts';
import type { LiveContext } from './live-connection.ts';
import type { Sending } from './send-audio.ts';

interface OverdueParts {
  readonly context: Pick<LiveContext, 'clock' | 'log'>;
  readonly connection: DictationConnection;
  readonly dialer: DictationDialer;
  /** False: it was not the answer that is waited for. */
  readonly onText: (result: ReceivedTranscript, sending: Sending) => boolean;
  readonly onOver: () => void;
}

/**
 * The answer to a commit that is not there in time. The service may be at work on it and would charge twice if it were
 * sent again, so it is waited for on its own connection, until it comes, or another connection shows that the service
 * is there without it.
 */
export class OverdueAnswer {
  readonly #parts: OverdueParts;
  #sending: Sending | null = null;
  #endPatience: () => void = () => undefined;

  constructor(parts: OverdueParts) {
    this.#parts = parts;
  }

  get isAwaited(): boolean {
    return this.#sending !== null;
  }

  /** False: nothing was committed, so nothing is waited for. */
  await(sending: Sending | null, { code, row }: Failure): boolean {
    if (sending === null || sending.committedAtMs === null) return false;
    const { connection, context, dialer } = this.#parts;
    context.log.write({ event: 'stream-late', level: 'warn', code, row });
    this.#sending = sending;
    connection.setAside();
    dialer.noteTrouble();
    connection.dial();
    return true;
  }

  /** Another connection is open: the answer has as long as any other. */
  limit(): void {
    if (this.#sending === null) return;
    this.#endPatience();
    const patienceMs = finalPatienceMs(this.#sending.utterance.audioMs);
    this.#endPatience = this.#parts.context.clock.after(patienceMs, () => this.end());
  }

  take(message: DictationSocketMessage): void {
    const sending = this.#sending;
    if (sending === null || (message.kind !== 'final' && message.kind !== 'error')) return;
    if (message.kind === 'error') {
      // Whether the service charges for what took it too long, nobody knows.
      if (message.code !== 'timeout') sending.utterance.noteAnswer();
    } else if (!this.#parts.onText(message.result, sending)) return;
    this.end();
  }

  /** It came or never will: what has no text is sent again. */
  end(): void {
    if (this.#sending === null) return;
    this.#sending = null;
    this.#endPatience();
    this.#parts.connection.leaveAside();
    this.#parts.onOver();
  }
}
