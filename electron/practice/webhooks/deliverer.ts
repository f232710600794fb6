import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { AttemptResult, Delivery, Webhook, WebhookStore } from './webhook-store.ts';

const mostAttempts = 8;
/** Seconds to wait after the first attempt, after the second, and so on (contract 8). */
const backoffSeconds = [5, 30, 120, 600, 3600, 10_800, 43_200];
const apiVersion = '2026-01-01';

export interface DelivererOptions {
  /** Receives everything in place of the subscriptions' addresses; null: no receiver. */
  readonly receiver: string | null;
  readonly timeoutMs: number;
  /** 1 for the real schedule; 0.001 makes a second a millisecond. */
  readonly clockScale: number;
  readonly now: () => number;
}

type Outcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'broken'; readonly code: 'connection_failed' | 'timeout' };

const isWorthRepeating = (outcome: Outcome): boolean =>
  outcome.kind === 'broken' || [408, 409, 425, 429].includes(outcome.status) || outcome.status >= 500;

/** `v1=` and the HMAC of the time, a dot and the raw body (contract 6.1). */
const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** Sends signed events to one receiver on this computer, with retries on the service's schedule. */
export class Deliverer {
  readonly #store: WebhookStore;
  readonly #options: DelivererOptions;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  readonly #running = new Set<Promise<void>>();

  constructor(store: WebhookStore, options: DelivererOptions) {
    this.#store = store;
    this.#options = options;
  }

  resume(): void {
    this.#store.takeUpUnfinished();
    this.wake();
  }

  /** Sends an event to every subscription that wants it. */
  emit(type: string, data: Readonly<Record<string, unknown>>): void {
    for (const webhook of this.#store.active()) if (webhook.eventTypes.includes(type)) this.queue(webhook, type, data);
  }

  /** Returns the identifier of the delivery, which is queued at that point. */
  queue(webhook: Webhook, type: string, data: Readonly<Record<string, unknown>>): string {
    const atMs = this.#options.now();
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    const body = JSON.stringify({ id, type, created_at: new Date(atMs).toISOString(), api_version: apiVersion, data });
    const deliveryId = `dlv_${randomUUID().replaceAll('-', '')}`;
    this.#store.addDelivery(deliveryId, webhook, { id, type, body }, atMs);
    // The caller first gets the answer that it is queued; it is sent right after.
    setImmediate(() => this.wake());
    return deliveryId;
  }

  /** Starts what is due, and sleeps until the next delivery. */
  wake(): void {
    if (this.#isStopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const now = this.#options.now();
    for (const delivery of this.#store.waiting()) {
      const waitMs = (delivery.next_attempt_at_ms ?? 0) - now;
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.wake(), Math.min(waitMs, 2 ** 31 - 1));
        this.#timer.unref();
        return;
      }
      this.#store.begin(delivery.id, now);
      const attempt = this.#attempt(delivery, delivery.attempt_count + 1);
      this.#running.add(attempt);
      void attempt.finally(() => this.#running.delete(attempt));
    }
  }

  async #attempt(delivery: Delivery, count: number): Promise<void> {
    const outcome = await this.#post(delivery);
    if (this.#isStopped) return;
    this.#store.end(delivery.id, this.#judge(delivery, outcome, count), this.#options.now());
    this.wake();
  }

  #judge(delivery: Delivery, outcome: Outcome, count: number): AttemptResult {
    const responseStatus = outcome.kind === 'answered' ? outcome.status : null;
    const isGood = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    if (isGood) return { status: 'succeeded', responseStatus, errorCode: null, nextAttemptAtMs: null };
    const errorCode = outcome.kind === 'broken' ? outcome.code : 'receiver_refused';
    if (!isWorthRepeating(outcome) || count >= mostAttempts)
      return { status: 'failed', responseStatus, errorCode, nextAttemptAtMs: null };
    // The subscription may have been disabled during the attempt.
    const isActive = this.#store.read(delivery.webhook_id)?.disabled_at_ms === null;
    if (!isActive) return { status: 'canceled', responseStatus, errorCode, nextAttemptAtMs: null };
    const waitMs = (backoffSeconds[count - 1] ?? 0) * 1000 * this.#options.clockScale;
    return { status: 'retrying', responseStatus, errorCode, nextAttemptAtMs: this.#options.now() + Math.ceil(waitMs) };
  }

  #post({ id, event_id, event_type, url, secret, body }: Delivery): Promise<Outcome> {
    const { receiver, timeoutMs, now } = this.#options;
    if (receiver === null) return Promise.resolve({ kind: 'broken', code: 'connection_failed' });
    const { pathname, search } = new URL(url);
    const timestamp = String(Math.floor(now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-service-event': event_type,
      'x-service-event-id': event_id,
      'x-service-delivery-id': id,
      'x-service-timestamp': timestamp,
      'x-service-signature': signatureOf(secret, timestamp, body),
    };
    return new Promise((resolve) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const sent = request(new URL(`${pathname}${search}`, receiver), {
        method: 'POST',
        headers,
        signal,
        agent: false,
      });
      sent.once('response', (response) => {
        response.resume();
        resolve({ kind: 'answered', status: response.statusCode ?? 0 });
      });
      sent.on('error', () => resolve({ kind: 'broken', code: signal.aborted ? 'timeout' : 'connection_failed' }));
      sent.end(body);
    });
  }

  /** Attempts under way are repeated at the next start. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
