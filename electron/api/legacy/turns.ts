import { randomUUID } from 'node:crypto';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { KnownRow } from '../../../shared/domain/failures/rows.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { EndpointName } from '../../../shared/wire/endpoints.ts';
import type { LiveContext } from '../live/live-connection.ts';
import { PaidStream } from '../live/paid-stream.ts';

/** One text of the legacy live speech (contract 4.15). */
export interface LegacyTurn {
  readonly text: string;
  readonly speaker: 'happy' | 'cheerful' | 'neutral' | 'sad';
  readonly language: 'uz' | 'ru' | 'en';
  /** 1 by default. */
  readonly speed?: number;
}

/** The audio of a turn: a complete WAV of 16 kHz. */
export interface LegacySpokenTurn {
  readonly wav: Uint8Array;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
  readonly characters: number | null;
}

/** One connection for many turns, one after another, by socket or by gRPC alike. */
export interface LegacyVoice {
  /** Waits for the earlier turns. After the voice has ended, each turn fails with the reason of that end. */
  speak(turn: LegacyTurn): Promise<Result<LegacySpokenTurn, Failure>>;
  /** Finishes the session after the remaining turns were spoken. */
  end(): Promise<void>;
  /** Hangs up. */
  cut(): void;
}

const longestTurnMs = 120_000;

export interface TurnMessage extends Required<LegacyTurn> {
  readonly requestId: string;
}

/** What carries the turns. */
export interface TurnCarrier {
  /** False: it can't any more. */
  send(turn: TurnMessage): boolean;
  /** Says that no turn follows. */
  finish(): void;
  cut(): void;
}

/** Keeps the order of turns and resolves each one: with its audio, its error, or the end of the connection. */
export class TurnKeeper implements LegacyVoice {
  readonly #context: LiveContext;
  readonly #route: EndpointName;
  readonly #carrier: TurnCarrier;
  readonly #ended = Promise.withResolvers<void>();
  #end: Failure | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #turn: { readonly requestId: string; readonly answer: (result: Result<LegacySpokenTurn, Failure>) => void } | null =
    null;

  constructor(context: LiveContext, route: EndpointName, carrier: TurnCarrier) {
    this.#context = context;
    this.#route = route;
    this.#carrier = carrier;
  }

  speak(turn: LegacyTurn): Promise<Result<LegacySpokenTurn, Failure>> {
    const spoken = this.#last.then(() => this.#speak(turn));
    this.#last = spoken;
    return spoken;
  }

  async #speak(turn: LegacyTurn): Promise<Result<LegacySpokenTurn, Failure>> {
    if (this.#end !== null) return err({ ...this.#end, outcome: 'not_sent' });
    const requestId = randomUUID();
    const { clock, ledger } = this.#context;
    const paid = new PaidStream(ledger, { id: requestId, route: this.#route, product: 'speak' });
    const { text, language, speed = 1 } = turn;
    const refusal = paid.begin({ characters: Array.from(text).length, language, speed });
    if (refusal !== null) return err(refusal);
    const spoken = await new Promise<Result<LegacySpokenTurn, Failure>>((resolve) => {
      const takeBack = clock.after(longestTurnMs, () => this.stop(makeFailure('E-141', { code: 'turn_timeout' })));
      this.#turn = {
        requestId,
        answer: (result) => {
          takeBack();
          this.#turn = null;
          resolve(result);
        },
      };
      if (!this.#carrier.send({ ...turn, speed, requestId })) this.stop(makeFailure('E-141', { code: 'not_open' }));
    });
    if (spoken.ok) paid.accept({ characters: spoken.value.characters, durationMs: spoken.value.durationMs }, requestId);
    else paid.fail(spoken.error);
    return spoken;
  }

  /** Audio arrived; it is dropped when it belongs to no turn, or to one that is over. */
  sound(requestId: string | null, audio: LegacySpokenTurn): void {
    if (this.#turn === null || (requestId !== null && requestId !== this.#turn.requestId)) return;
    const isWav = Buffer.from(audio.wav.subarray(0, 4)).toString('latin1') === 'RIFF' && audio.wav.length > 44;
    this.#turn.answer(isWav ? ok(audio) : err(makeFailure('E-025', { code: 'damaged_wav' })));
  }

  /** An error event concerns the turn in progress, unless it names another. */
  error(requestId: string | null, row: KnownRow, code: string, details: string | undefined): void {
    if (requestId !== null && this.#turn !== null && requestId !== this.#turn.requestId) return;
    const failure = makeFailure(row, { code, details });
    if (this.#turn !== null) this.#turn.answer(err(failure));
    // An error outside a turn explains the end that follows it (reliability E-145).
    else this.#end ??= failure;
  }

  /** The connection has ended, by this. */
  stop(failure: Failure): void {
    this.#end ??= failure;
    this.#turn?.answer(err(this.#end));
    this.#carrier.cut();
    this.#ended.resolve();
  }

  async end(): Promise<void> {
    await this.#last;
    if (this.#end === null) {
      this.#end = makeFailure('E-140', { code: 'ended' });
      this.#carrier.finish();
    }
    await this.#ended.promise;
  }

  cut(): void {
    this.stop(makeFailure('E-145', { code: 'cancelled', outcome: 'unknown', layer: 'local' }));
  }
}
