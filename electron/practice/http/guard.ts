import type { IncomingMessage } from 'node:http';
import { problem, type Answer } from './answer.ts';

/** A header sent twice must not slip through as a joined or first value. */
export function singleHeader(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/**
 * Only a program on this computer may talk to this server. A web page can't, because it always sends an Origin, a
 * foreign Host (DNS rebinding) or a Sec-Fetch-Site. Null: let it pass.
 */
export function refuseForeign(request: IncomingMessage, port: number): Answer | null {
  if (singleHeader(request, 'host') !== `127.0.0.1:${port}`) {
    return problem(403, 'host_forbidden', 'This address is not served here.');
  }
  if (request.headers.origin !== undefined) {
    return problem(403, 'origin_forbidden', 'The practice service does not talk to web pages.');
  }
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none') {
    return problem(403, 'origin_forbidden', 'The practice service does not talk to web pages.');
  }
  return null;
}

/** A token bucket per caller (contract 8). It holds one second of requests unless configured otherwise. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(perSecond: number, burst = perSecond) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Seconds to wait; null: go on. */
  take(caller: string, nowMs: number): number | null {
    const bucket = this.#buckets.get(caller) ?? { left: this.#burst, atMs: nowMs };
    const left = Math.min(this.#burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * this.#perSecond);
    const isAllowed = left >= 1;
    this.#buckets.set(caller, { left: isAllowed ? left - 1 : left, atMs: nowMs });
    return isAllowed ? null : Math.ceil((1 - left) / this.#perSecond);
  }
}
