import type { Socket } from 'node:net';
import type { Fault, Flow } from './faults.ts';
import { headerOf, HttpFramer, type Piece } from './http-framer.ts';
import { Lane, type Passed } from './lane.ts';

/** The record of one exchange, filled in while it runs. */
export interface SeenExchange {
  readonly method: string;
  path: string;
  /** Name of the chosen fault; null: passed on unchanged. */
  readonly fault: string | null;
  readonly startedAtMs: number;
  /** Bytes of the request passed on to the service. */
  requestBytes: number;
  /** Status of the service's answer; null if it never answered, or was never asked. */
  serviceStatus: number | null;
  /** Bytes of the answer passed on to the client. */
  answerBytes: number;
  idempotencyKey: string | null;
  isOver: boolean;
}

interface Parts {
  readonly client: Socket;
  readonly fault: Fault | null;
  readonly openUpstream: () => Socket;
  readonly upstreamPort: number;
  readonly method: string;
}

/** One request and its answer in the proxy. */
export class Exchange {
  readonly seen: { -readonly [Name in keyof SeenExchange]: SeenExchange[Name] };
  /** Settles when the answer has been passed on whole, or never will be. */
  readonly finished: Promise<void>;
  readonly #parts: Parts;
  readonly #fault: Fault;
  readonly #down: Lane;
  /** Null: the service receives nothing. */
  readonly #up: { readonly socket: Socket; readonly lane: Lane } | null = null;
  #finish: () => void = () => undefined;
  #isRequestCut = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#fault = parts.fault ?? { name: 'none' };
    this.#down = new Lane(parts.client, this.#fault.answer);
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    this.seen = {
      method: parts.method,
      path: '',
      fault: parts.fault?.name ?? null,
      startedAtMs: performance.now(),
      requestBytes: 0,
      serviceStatus: null,
      answerBytes: 0,
      idempotencyKey: null,
      isOver: false,
    };
    if (this.#fault.isHalfOpen === true) return;
    const socket = parts.openUpstream();
    this.#up = { socket, lane: new Lane(socket, this.#fault.request) };
    void this.#passAnswer(socket);
  }

  /** A piece of the request. */
  async take(piece: Piece): Promise<void> {
    if (piece.kind === 'head') {
      this.seen.path = piece.first.split(' ')[1] ?? '';
      this.seen.idempotencyKey = headerOf(piece.headers, 'idempotency-key') ?? null;
    }
    if (piece.kind === 'end' || this.#isRequestCut || this.#up === null) return;
    const bytes = piece.kind === 'head' ? this.#withHost(piece.bytes) : piece.bytes;
    const { lane } = this.#up;
    const passed = await lane.pass(bytes);
    this.seen.requestBytes = lane.count;
    if (passed === 'cut') await this.#cutRequest();
  }

  /** The service may require its own name. */
  #withHost(head: Buffer): Buffer {
    const text = head.toString('latin1').replace(/^host:.*$/imu, `Host: 127.0.0.1:${this.#parts.upstreamPort}`);
    return Buffer.from(text, 'latin1');
  }

  async #cutRequest(): Promise<void> {
    this.#isRequestCut = true;
    const stop = this.#fault.request?.stop ?? 'reset';
    if (stop === 'stall') {
      // Stop reading as well, so that the sender notices.
      const { client } = this.#parts;
      if (!client.destroyed) await new Promise((resolve) => client.once('close', resolve));
      return;
    }
    if (this.#up !== null) end(this.#up.socket, stop);
    end(this.#parts.client, stop);
    this.#over();
  }

  async #passAnswer(upstream: Socket): Promise<void> {
    const framer = new HttpFramer('answers');
    try {
      for await (const chunk of upstream.iterator({ destroyOnReturn: false })) {
        for (const piece of framer.feed(chunk as Buffer)) {
          if (!(await this.#passPiece(piece))) return;
        }
      }
    } catch {
      // The service reset the connection, so the proxy does too.
      if (!this.seen.isOver && !this.#isRequestCut) this.#parts.client.resetAndDestroy();
      this.#over();
      return;
    }
    // A body that ends with its connection.
    if (!this.#isRequestCut) this.#parts.client.end();
    this.#over();
  }

  /** False: nothing more of this answer is passed on. */
  async #passPiece(piece: Piece): Promise<boolean> {
    if (piece.kind === 'head') {
      const status = Number(piece.first.split(' ')[1]);
      // An interim answer is not the answer.
      if (status < 200 && status !== 101) return (await this.#pass(piece.bytes)) === 'passed';
      this.seen.serviceStatus = status;
    }
    if (piece.kind !== 'end') return this.#goOn(await this.#pass(piece.bytes));
    if (this.seen.serviceStatus === null) return true;
    this.#over();
    return false;
  }

  async #pass(bytes: Buffer): Promise<Passed> {
    const passed = await this.#down.pass(bytes);
    this.seen.answerBytes = this.#down.count;
    return passed;
  }

  #goOn(passed: Passed): boolean {
    if (passed === 'passed') return true;
    if (passed === 'cut') {
      const stop = this.#fault.answer?.stop ?? 'reset';
      if (stop === 'stall') return false;
      end(this.#parts.client, stop);
    }
    this.#over();
    return false;
  }

  /** The client has closed its side. */
  async clientEnded(): Promise<void> {
    if (!this.seen.isOver) this.abandon();
    await this.finished;
  }

  abandon(): void {
    this.#up?.socket.destroy();
    this.#over();
  }

  #over(): void {
    if (this.seen.isOver) return;
    this.seen.isOver = true;
    this.#up?.socket.destroy();
    this.#finish();
  }
}

function end(socket: Socket, stop: Exclude<Flow['stop'], 'stall' | undefined>): void {
  if (stop === 'reset') socket.resetAndDestroy();
  else socket.end();
}
