import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The DevTools protocol over the browser's two pipes: JSON messages, each terminated by a zero byte. */
export class Cdp {
  readonly #events = new EventEmitter();
  readonly #pending = new Map<number, Pending>();
  readonly #out: Writable;
  #parts: Buffer[] = [];
  #lastId = 0;
  #closed = false;

  constructor(out: Writable, input: Readable) {
    this.#events.setMaxListeners(0);
    this.#out = out;
    out.on('error', () => this.#close());
    input.on('data', (data: Buffer) => this.#receive(data));
    input.on('close', () => this.#close());
  }

  send<T = unknown>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    if (this.#closed) return Promise.reject(new Error(`${method}: the browser is gone`));
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { method, resolve: resolve as (result: unknown) => void, reject });
      this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on<T>(method: string, listener: (params: T) => void): void {
    this.#events.on(method, listener);
  }

  session(id: string): CdpSession {
    return {
      send: <T>(method: string, params?: object) => this.send<T>(method, params, id),
      on: <T>(method: string, listener: (params: T) => void) => void this.#events.on(`${id} ${method}`, listener),
    };
  }

  #receive(data: Buffer): void {
    let from = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
      this.#parts.push(data.subarray(from, end));
      const text = Buffer.concat(this.#parts).toString();
      this.#parts = [];
      from = end + 1;
      this.#dispatch(JSON.parse(text) as Message);
    }
    if (from < data.length) this.#parts.push(data.subarray(from));
  }

  #dispatch(message: Message): void {
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error) pending?.reject(new Error(`${pending.method}: ${message.error.message}`));
      else pending?.resolve(message.result);
    } else if (message.method !== undefined) {
      this.#events.emit(message.sessionId ? `${message.sessionId} ${message.method}` : message.method, message.params);
    }
  }

  #close(): void {
    this.#closed = true;
    for (const { method, reject } of this.#pending.values()) reject(new Error(`${method}: the browser is gone`));
    this.#pending.clear();
  }
}

export interface CdpSession {
  send<T = unknown>(method: string, params?: object): Promise<T>;
  on<T>(method: string, listener: (params: T) => void): void;
}
