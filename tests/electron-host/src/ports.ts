import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { sayClassGaps } from './unsupported.ts';

interface Forward {
  readonly message: (data: unknown, ports: MessagePortMain[]) => void;
  readonly close: () => void;
}

/** A message as it arrives; throws as Electron does when it cannot be cloned. */
export function cloneOf(message: unknown): unknown {
  try {
    return structuredClone(message);
  } catch {
    throw new Error('An object could not be cloned.');
  }
}

/** Refuses what cannot be transferred, in Electron's words. */
export function checkTransfer(transfer: unknown, source?: MessagePortMain): asserts transfer is MessagePortMain[] {
  if (!Array.isArray(transfer)) throw new TypeError('transferables must be an array of MessagePorts');
  const ports = transfer as unknown[];
  for (const [index, port] of ports.entries()) {
    if (!(port instanceof MessagePortMain)) throw new TypeError(`Port at index ${index} is not a valid port`);
    if (port === source) throw new Error(`Port at index ${index} contains the source port.`);
    if (port.isTransferred) throw new Error(`Port at index ${index} is already neutered.`);
    if (ports.indexOf(port) !== index) throw new Error(`Port at index ${index} is a duplicate.`);
  }
}

/** One end of a channel. Once transferred, it becomes a relay to its new owner. */
export class MessagePortMain extends EventEmitter {
  #peer: MessagePortMain | null = null;
  #forward: Forward | null = null;
  #heir: MessagePortMain | null = null;
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
    if (this.#closed || this.isTransferred) return;
    const data = cloneOf(message);
    checkTransfer(transfer, this);
    this.#peer?.deliver(
      data,
      transfer.map((port) => port.#moved()),
    );
  }

  get isTransferred(): boolean {
    return this.#forward !== null || this.#heir !== null;
  }

  /** The port as its new owner in this process has it; this one is of no use any more. */
  #moved(): MessagePortMain {
    const heir = new MessagePortMain();
    heir.#peer = this.#peer;
    if (this.#peer !== null) this.#peer.#peer = heir;
    heir.#waiting = this.#waiting.splice(0);
    heir.#closed = this.#closed;
    this.#heir = heir;
    return heir;
  }

  /** Waiting messages are handed over on a later turn: a listener that is added right after hears them. */
  start(): void {
    this.#started = true;
    setImmediate(() => this.#flush());
  }

  close(): void {
    if (this.#closed || this.#heir !== null) return;
    this.#closed = true;
    this.#forward?.close();
    if (this.#peer !== null) this.#peer.#end();
    this.emit('close');
  }

  /** Passes on what came from another process. */
  relay(data: unknown, ports: MessagePortMain[]): void {
    if (!this.#closed) this.#peer?.deliver(data, ports);
  }

  /** Passes a message to the listeners at this end, in order. */
  deliver(data: unknown, ports: MessagePortMain[]): void {
    if (this.#heir !== null) return this.#heir.deliver(data, ports);
    if (this.#closed) return;
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
      if (this.#closed) return;
      if (this.#forward !== null) this.#forward.message(data, ports);
      else this.emit('message', { data, ports });
    }
  }

  /** The other end was closed: what came before is handed over first. */
  #end(): void {
    setImmediate(() => {
      if (this.#closed) return;
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
    this.#given.get(id)?.relay(
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
