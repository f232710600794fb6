import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { readStreamPiece, type TokenUsage } from '../../../shared/wire/read-ask.ts';
import type { JsonObject } from '../../../shared/wire/json-access.ts';
import { withAliases, type WireTable } from '../../../shared/wire/wire-table.ts';
import { SseParser, type SentEvent } from './sse.ts';
import type { BodySink } from './transport.ts';

/** How far a stream of an answer came (reliability E-101 to E-110). */
export interface StreamedAnswer {
  readonly text: string;
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
  /** `[DONE]` was seen: the only sign that the answer is whole. */
  readonly isDone: boolean;
  /** The object of an error that came inside a data event. */
  readonly error: JsonObject | null;
  /** Data that could not be parsed and is missing from `text`, each piece cut to its first characters. */
  readonly unreadable: readonly string[];
}

const idleMs = 60_000;
/** No answer takes as long as this, whatever trickles in. */
const longestMs = 15 * 60_000;
const largestStreamBytes = 64 * 1024 * 1024;
/** How many unreadable pieces are kept for the user. */
const keptUnreadable = 100;
const keptCharacters = 4096;
const noUsage: TokenUsage = { inputTokens: null, outputTokens: null, credits: null };

/**
 * Collects the answer of a stream, which ends at `[DONE]` or at an error event. Data is read by its shape, whatever its
 * event is called. A piece that can't be parsed is noted and reading goes on, because the rest of the answer is paid for;
 * under a name that never brought text it is a sign of life or the like, and no piece.
 */
export class CompletionStream {
  readonly #onText: (piece: string) => void;
  readonly #parser = new SseParser((event) => this.#take(event));
  #answer: StreamedAnswer = {
    text: '',
    finishReason: null,
    usage: noUsage,
    isDone: false,
    error: null,
    unreadable: [],
  };

  readonly #strange: string[] = [];
  /** The names of events that bring the answer. */
  readonly #names = new Set(['message', 'error']);
  readonly #aliases: WireTable['aliases'];

  constructor(onText: (piece: string) => void, aliases: WireTable['aliases'] = {}) {
    this.#onText = onText;
    this.#aliases = aliases;
  }

  get answer(): StreamedAnswer {
    const { text, unreadable } = this.#answer;
    const isDone = this.#answer.isDone || this.#parser.unfinished()?.trim() === '[DONE]';
    return { ...this.#answer, isDone, unreadable: text === '' ? [...unreadable, ...this.#strange] : unreadable };
  }

  /** Silence is measured in bytes, so that an SSE comment counts as a sign of life. */
  taker(stallMs = idleMs): BodySink {
    return {
      maxBytes: largestStreamBytes,
      stallMs,
      longestMs,
      write: (chunk) => {
        this.#parser.write(chunk);
        return undefined;
      },
      isEnough: () => this.#isOver,
    };
  }

  get #isOver(): boolean {
    return this.#answer.isDone || this.#answer.error !== null;
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
      if (this.#names.has(event)) this.#noteUnreadable(data);
      return;
    }
    if (piece.kind === 'text') this.#names.add(event);
    if (piece.kind === 'error') this.#answer = { ...this.#answer, error: piece.body };
    else if (event === 'error') this.#answer = { ...this.#answer, error: { error: json.isJson ? json.value : {} } };
    else if (piece.kind === 'text') this.#add(piece);
    // The shape is none we know: it may be noise or the text itself. The end of the stream decides which.
    else this.#strange.push(data.slice(0, keptCharacters));
    if (this.#strange.length > keptUnreadable) this.#strange.shift();
  }

  #noteUnreadable(data: string): void {
    const { unreadable } = this.#answer;
    if (unreadable.length >= keptUnreadable) return;
    this.#answer = { ...this.#answer, unreadable: [...unreadable, data.slice(0, keptCharacters)] };
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
