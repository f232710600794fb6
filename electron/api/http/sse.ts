/** One server-sent event: its data lines joined, its kind if it was named. */
export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** Longest line that is kept, in characters: a piece of an answer has a few, so a longer line is none. */
const longestLine = 1024 * 1024;

/**
 * Parses a stream of server-sent events (WHATWG): any split of the bytes gives the same events, lines may end in CR, LF
 * or both, comments and unknown fields are skipped. An event that is cut off by the end of the stream is never emitted.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  readonly #onEvent: (event: SentEvent) => void;
  #rest = '';
  #isAfterReturn = false;
  #event = '';
  #data: string[] = [];

  constructor(onEvent: (event: SentEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Bytes as they came. */
  write(bytes: Uint8Array): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /**
   * The data of the event that the stream broke off in: it is no event, but `[DONE]` counts without the empty line
   * after it.
   */
  unfinished(): string | null {
    const last = /^data: ?(.*)$/u.exec(this.#rest)?.[1];
    const data = last === undefined ? this.#data : [...this.#data, last];
    return data.length === 0 ? null : data.join('\n');
  }

  #take(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      if (character !== 0x0a && character !== 0x0d) {
        this.#isAfterReturn = false;
        continue;
      }
      const isSecondHalf = character === 0x0a && this.#isAfterReturn;
      this.#isAfterReturn = character === 0x0d;
      if (!isSecondHalf) this.#line(this.#rest + text.slice(from, at));
      this.#rest = '';
      from = at + 1;
    }
    this.#rest = (this.#rest + text.slice(from)).slice(0, longestLine);
  }

  #line(line: string): void {
    if (line === '') {
      if (this.#data.length > 0) this.#onEvent({ event: this.#event || 'message', data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
  }
}
