import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Flow } from './faults.ts';

/** How a write on a lane ended. `cut`: the fault applied, nothing more is sent. */
export type Passed = 'passed' | 'cut' | 'gone';

/** One direction of one exchange: passes bytes on at the pace of its flow, up to its cut. */
export class Lane {
  readonly #target: Socket;
  readonly #flow: Flow;
  #count = 0;

  constructor(target: Socket, flow: Flow = {}) {
    this.#target = target;
    this.#flow = flow;
  }

  /** Bytes passed on so far. */
  get count(): number {
    return this.#count;
  }

  async pass(bytes: Buffer): Promise<Passed> {
    const { cutAt = Infinity, pieceBytes = Infinity, pieceMs = 0 } = this.#flow;
    const allowed = bytes.subarray(0, Math.max(0, Math.min(bytes.length, cutAt - this.#count)));
    for (let at = 0; at < allowed.length;) {
      if (at > 0 && pieceMs > 0) await delay(pieceMs);
      const piece = allowed.subarray(at, at + Math.min(pieceBytes, allowed.length));
      if (!(await written(this.#target, piece))) return 'gone';
      at += piece.length;
      this.#count += piece.length;
    }
    return this.#count >= cutAt ? 'cut' : 'passed';
  }
}

async function written(target: Socket, bytes: Buffer): Promise<boolean> {
  if (target.destroyed || !target.writable) return false;
  if (target.write(bytes)) return true;
  const ended = new AbortController();
  target.once('close', () => ended.abort());
  try {
    await once(target, 'drain', { signal: ended.signal });
    return true;
  } catch {
    return false;
  }
}
