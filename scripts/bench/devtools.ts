interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

type Listener = (params: unknown, sessionId: string | undefined) => void;

/** A minimal client for the DevTools protocol of a browser. */
export class Devtools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Map<string, Listener>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has gone'));
      this.#waiting.clear();
    });
  }

  static connect(address: string): Promise<Devtools> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address);
      socket.addEventListener('open', () => resolve(new Devtools(socket)));
      socket.addEventListener('error', () => reject(new Error(`no answer from ${address}`)));
    });
  }

  /** One listener for each kind of event. */
  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener);
  }

  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #take(message: Message): void {
    if (message.id === undefined) {
      this.#listeners.get(message.method ?? '')?.(message.params, message.sessionId);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.error.message));
  }
}
