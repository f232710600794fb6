import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { sayClassGaps } from './unsupported.ts';

interface Forward {
  readonly message: (data: unknown, ports: MessagePortMain[]) => void;
  readonly close: () => void;
}

/** One end of a channel. Once transferred, it becomes a relay to its new owner. */
export class MessagePortMain extends EventEmitter {
  #peer: MessagePortMain | null = null;
  #forward: Forward | null = null;
  #started = false;
  #closed = false;
  #waiting: { data: unknown; ports: MessagePortMain[] }[] = [];

  static pair(): [MessagePortMain, MessagePortMain] {
    const [one, other] = [new MessagePortMain(), new MessagePortMain()];
    one.#peer = other;
    other.#peer = one;
    return [one, other];
  }

  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    if (!this.#closed) this.#peer?.deliver(structuredClone(message), transfer);
  }

  start(): void {
    this.#started = true;
    this.#flush();
  }

  close(): void {
    if (this.#closed) return;
    const peer = this.#peer;
    this.#end();
    if (peer !== null) peer.#end();
  }

  /** Passes a message to the listeners at this end, in order. */
  deliver(data: unknown, ports: MessagePortMain[]): void {
    this.#waiting.push({ data, ports });
    setImmediate(() => this.#flush());
  }

  /** Forwards what arrives here to another process from now on. */
  forwardTo(forward: Forward): void {
    this.#forward = forward;
    // Not at once: the message that carries the port must be sent before those waiting in it.
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#forward === null && !this.#started) return;
    for (const { data, ports } of this.#waiting.splice(0)) {
      if (this.#forward !== null) this.#forward.message(data, ports);
      else this.emit('message', { data, ports });
    }
  }

  #end(): void {
    if (this.#closed) return;
    setImmediate(() => {
      this.#flush();
      this.#closed = true;
      this.#forward?.close();
      this.emit('close');
    });
  }
}
export type PortApi = Pick<Electron.MessagePortMain, 'start' | 'close'>;

export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;
  constructor() {
    [this.port1, this.port2] = MessagePortMain.pair();
  }
}

sayClassGaps(MessagePortMain, 'MessagePortMain');
sayClassGaps(MessageChannelMain, 'MessageChannelMain');

type Tell = (kind: 'port' | 'port-close', id: string, data?: unknown, ports?: string[]) => void;

/** The ports that were transferred through one connection, by their numbers on both sides. */
export class PortHub {
  readonly #given = new Map<string, MessagePortMain>();
  readonly #tell: Tell;
  readonly #prefix: string;
  #last = 0;

  constructor(prefix: string, tell: Tell) {
    this.#prefix = prefix;
    this.#tell = tell;
  }

  give(port: MessagePortMain, id: string = `${this.#prefix}-${++this.#last}`): string {
    this.#given.set(id, port);
    port.forwardTo({
      message: (data, ports) =>
        this.#tell(
          'port',
          id,
          data,
          ports.map((one) => this.give(one)),
        ),
      close: () => {
        if (this.#given.delete(id)) this.#tell('port-close', id);
      },
    });
    return id;
  }

  take(id: string): MessagePortMain {
    const [near, far] = MessagePortMain.pair();
    this.give(far, id);
    return near;
  }

  receive(id: string, data: unknown, ports: readonly string[] = []): void {
    this.#given.get(id)?.postMessage(
      data,
      ports.map((one) => this.take(one)),
    );
  }

  closed(id: string): void {
    const port = this.#given.get(id);
    this.#given.delete(id);
    port?.close();
  }

  closeAll(): void {
    for (const id of Array.from(this.#given.keys())) this.closed(id);
  }
}
