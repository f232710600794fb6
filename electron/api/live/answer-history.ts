import { onDictationError, type ErrorStep } from '../../../shared/domain/dictation/on-error.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Sending } from './send-audio.ts';
import type { Utterance } from './utterance.ts';

/** What the service has answered so far, as far as it matters for judging the next answer. */
export class AnswerHistory {
  /** The last text on this connection. */
  #last: ReceivedTranscript | null = null;
  #overloadedSinceMs: number | null = null;
  #defects = 0;

  /**
   * Whether this is a second answer to the previous utterance (E-138): the same words, and too long or too short for
   * the current one.
   */
  isRepeat(result: ReceivedTranscript, { audioMs }: Utterance): boolean {
    const { durationMs = audioMs } = result;
    return Math.abs(durationMs - audioMs) > 40 && JSON.stringify(this.#last) === JSON.stringify(result);
  }

  noteResult(result: ReceivedTranscript): void {
    this.#last = result;
  }

  /** Another connection repeats nothing. */
  forgetResult(): void {
    this.#last = null;
  }

  /** An utterance was answered, so the earlier trouble is over. */
  noteSettled(): void {
    this.#overloadedSinceMs = null;
    this.#defects = 0;
  }

  /** Counts an error event and decides about the utterance that is being sent. */
  meet({ row }: Failure, { utterance, committedAtMs }: Sending, nowMs: number): ErrorStep {
    if (row === 'E-134') this.#overloadedSinceMs ??= nowMs;
    if (row === 'E-127') this.#defects += 1;
    // Whether the service charges for what took it too long, nobody knows.
    if (committedAtMs !== null && row !== 'E-135') utterance.noteAnswer();
    return onDictationError({
      row,
      times: utterance.meet(row),
      isAnswer: committedAtMs !== null,
      audioMs: utterance.audioMs,
      overloadedForMs: nowMs - (this.#overloadedSinceMs ?? nowMs),
      defects: this.#defects,
    });
  }
}
