import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { readStreamPiece, type TokenUsage } from '../../../shared/wire/read-ask.ts';
import type { Loose } from '../../../shared/wire/loose.ts';
import { withAliases, type WireTable } from '../../../shared/wire/wire-table.ts';
import { SseParser, type SentEvent } from './sse.ts';
import type { BodyTaker } from './transport.ts';

/** How far a stream of an answer came (reliability E-101 to E-110). */
export interface StreamedAnswer {
  readonly text: string;
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
  /** `[DONE]` was seen: the only sign that the answer is whole. */
  readonly isDone: boolean;
  /** The object of an error that came inside a data event. */
  readonly error: Loose | null;
  /** Data that could not be read and was left out. */
  readonly unreadable: number;
}

const idleMs = 60_000;
const largestStreamBytes = 64 * 1024 * 1024;
const unreadableInARow = 3;
const noUsage: TokenUsage = { inputTokens: null, outputTokens: null, credits: null };

/** Collects the answer of a stream. It ends at `[DONE]`, at an error event, or after three unreadable ones in a row. */
export class CompletionStream {
  readonly #onText: (piece: string) => void;
  readonly #parser = new SseParser((event) => this.#take(event));
  #answer: StreamedAnswer = {
    text: '',
    finishReason: null,
    usage: noUsage,
    isDone: false,
    error: null,
    unreadable: 0,
  };
  #unreadableNow = 0;

  readonly #aliases: WireTable['aliases'];

  constructor(onText: (piece: string) => void, aliases: WireTable['aliases'] = {}) {
    this.#onText = onText;
    this.#aliases = aliases;
  }

  get answer(): StreamedAnswer {
    return this.#answer;
  }

  /** Silence is judged by bytes, so that a comment is a sign of life. */
  taker(stallMs = idleMs): BodyTaker {
    return {
      maxBytes: largestStreamBytes,
      stallMs,
      write: (chunk) => {
        this.#parser.write(chunk);
        return undefined;
      },
      isEnough: () => this.#isOver,
    };
  }

  get #isOver(): boolean {
    return this.#answer.isDone || this.#answer.error !== null || this.#unreadableNow >= unreadableInARow;
  }

  #take({ event, data }: SentEvent): void {
    if (this.#isOver) return;
    if (data.trim() === '[DONE]') {
      this.#answer = { ...this.#answer, isDone: true };
      return;
    }
    const json = parseGuardedJson(data);
    const piece = json.isJson ? readStreamPiece(withAliases(json.value, this.#aliases)) : null;
    if (piece === null) {
      this.#unreadableNow += 1;
      this.#answer = { ...this.#answer, unreadable: this.#answer.unreadable + 1 };
      return;
    }
    this.#unreadableNow = 0;
    if (piece.kind === 'error') this.#answer = { ...this.#answer, error: piece.body };
    else if (event === 'error') this.#answer = { ...this.#answer, error: { error: json.isJson ? json.value : {} } };
    else if (piece.kind === 'text') this.#add(piece);
  }

  #add(piece: { readonly text: string; readonly finishReason: string | null; readonly usage: TokenUsage }): void {
    const { text, finishReason, usage } = this.#answer;
    this.#answer = {
      ...this.#answer,
      text: text + piece.text,
      finishReason: piece.finishReason ?? finishReason,
      usage: {
        inputTokens: piece.usage.inputTokens ?? usage.inputTokens,
        outputTokens: piece.usage.outputTokens ?? usage.outputTokens,
        credits: piece.usage.credits ?? usage.credits,
      },
    };
    if (piece.text !== '') this.#onText(piece.text);
  }
}
