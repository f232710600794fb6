import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import {
  found,
  json,
  newId,
  noContent,
  problem,
  readJson,
  refuse,
  route,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import type { Services } from './services.ts';
import { get, time, wire } from './state.ts';

export interface Webhook {
  readonly id: string;
  url: string;
  eventTypes: readonly string[];
  secret: string;
  revision: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
  disabledAtMs: number | null;
}

/** An event on its way; it keeps the address and the secret from when it was created. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  status: 'pending' | 'delivering' | 'retrying' | 'succeeded' | 'failed' | 'canceled';
  attemptCount: number;
  responseStatus: number | null;
  errorCode: string | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
  deliveredAtMs: number | null;
  nextAttemptAtMs: number | null;
}

const mostAttempts = 8;
/** Seconds to wait after the first attempt, after the second, and so on (contract 8). */
const backoffSeconds = [5, 30, 120, 600, 3600, 10_800, 43_200];

const isWorthRepeating = (status: number | null): boolean =>
  status === null || [408, 409, 425, 429].includes(status) || status >= 500;

const isWaiting = ({ status }: Delivery): boolean => status === 'pending' || status === 'retrying';

export interface DeliveryOptions {
  /** The address that receives events, for example `http://127.0.0.1:8080`: nothing ever leaves this computer. */
  readonly webhookReceiver?: string;
  /** Factor of the delays between deliveries: 0.001 makes a second a millisecond. */
  readonly webhookClockScale?: number;
  readonly webhookTimeoutMs?: number;
}

/** Sends signed events to one receiver on this computer; without one, every delivery fails. */
export class Deliverer {
  readonly #services: Services;
  readonly #options: DeliveryOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isStopped = false;

  constructor(services: Services, options: DeliveryOptions) {
    this.#services = services;
    this.#options = options;
  }

  /** What an earlier process began may or may not have arrived, so it is repeated. */
  resume(): void {
    for (const delivery of Object.values(this.#services.state.deliveries)) {
      if (delivery.status === 'delivering') delivery.status = 'retrying';
      if (isWaiting(delivery)) this.schedule(delivery);
    }
  }

  /** Sends an event to every subscription that wants it. */
  emit(type: string, data: Readonly<Record<string, unknown>>): void {
    for (const webhook of Object.values(this.#services.state.webhooks))
      if (webhook.disabledAtMs === null && webhook.eventTypes.includes(type)) this.queue(webhook, type, data);
  }

  queue(webhook: Webhook, type: string, data: Readonly<Record<string, unknown>>): Delivery {
    const { state, save, now } = this.#services;
    const atMs = now();
    const eventId = newId('evt');
    const event = { id: eventId, type, created_at: time(atMs), api_version: '2026-01-01', data };
    const delivery: Delivery = {
      id: newId('dlv'),
      webhookId: webhook.id,
      eventId,
      eventType: type,
      url: webhook.url,
      secret: webhook.secret,
      body: JSON.stringify(event),
      status: 'pending',
      attemptCount: 0,
      responseStatus: null,
      errorCode: null,
      createdAtMs: atMs,
      updatedAtMs: atMs,
      deliveredAtMs: null,
      nextAttemptAtMs: atMs,
    };
    state.deliveries[delivery.id] = delivery;
    save();
    this.schedule(delivery);
    return delivery;
  }

  /** Sends it at its time, and no earlier than after the answer that says that it is queued. */
  schedule(delivery: Delivery): void {
    if (this.#isStopped) return;
    const waitMs = Math.max(0, (delivery.nextAttemptAtMs ?? 0) - this.#services.now());
    const timer = setTimeout(() => {
      this.#timers.delete(delivery.id);
      if (isWaiting(delivery)) void this.#attempt(delivery);
    }, waitMs);
    this.#timers.set(delivery.id, timer.unref());
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { state, save, now } = this.#services;
    const attemptCount = delivery.attemptCount + 1;
    Object.assign(delivery, { status: 'delivering', attemptCount, nextAttemptAtMs: null, updatedAtMs: now() });
    const outcome = await this.#post(delivery);
    if (this.#isStopped) return;
    const responseStatus = typeof outcome === 'number' ? outcome : null;
    const isGood = responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
    const errorCode = isGood ? null : typeof outcome === 'string' ? outcome : 'receiver_refused';
    const atMs = now();
    Object.assign(delivery, { responseStatus, errorCode, updatedAtMs: atMs });
    if (isGood) Object.assign(delivery, { status: 'succeeded', deliveredAtMs: atMs });
    else if (!isWorthRepeating(responseStatus) || attemptCount >= mostAttempts) delivery.status = 'failed';
    // The subscription may have been disabled during the attempt.
    else if (get(state.webhooks, delivery.webhookId)?.disabledAtMs !== null) delivery.status = 'canceled';
    else {
      const waitMs = (backoffSeconds[attemptCount - 1] ?? 0) * 1000 * (this.#options.webhookClockScale ?? 1);
      Object.assign(delivery, { status: 'retrying', nextAttemptAtMs: atMs + Math.ceil(waitMs) });
      this.schedule(delivery);
    }
    save();
  }

  /** The status of the answer, or why there is none. */
  async #post(delivery: Delivery): Promise<number | 'timeout' | 'connection_failed'> {
    const { webhookReceiver, webhookTimeoutMs = 10_000 } = this.#options;
    if (webhookReceiver === undefined) return 'connection_failed';
    const { id, eventId, eventType, url, secret, body } = delivery;
    const { pathname, search } = new URL(url);
    const timestamp = String(Math.floor(this.#services.now() / 1000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-service-event': eventType,
      'x-service-event-id': eventId,
      'x-service-delivery-id': id,
      'x-service-timestamp': timestamp,
      'x-service-signature': `v1=${signature}`,
    };
    const address = new URL(`${pathname}${search}`, webhookReceiver);
    const signal = AbortSignal.timeout(webhookTimeoutMs);
    try {
      const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await response.body?.cancel();
      return response.status;
    } catch {
      return signal.aborted ? 'timeout' : 'connection_failed';
    }
  }

  /** Attempts under way are repeated at the next start. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

const mostCharacters = 2048;

/** Whether events can be sent to an address (contract 4.11). */
export function isCallback(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || text.length > mostCharacters) return false;
  if (url.port !== '' || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  const host = url.hostname.replace(/\.$/, '');
  const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  return !isAddress && host.includes('.') && !/(?:^|\.)(?:localhost|local|internal|lan|home|arpa)$/.test(host);
}

const mostActive = 20;
const bodyRules = { invalidStatus: 422, maxBytes: 16 * 1024 };
const eventTypes = [
  'tts.generation.completed',
  'stt.transcription.queued',
  'stt.transcription.completed',
  'stt.transcription.failed',
] as const;

const notFound = problem(404, 'webhook_not_found', 'There is no webhook with this identifier.');
const mintSecret = (): string => `whsec_practice_${randomBytes(24).toString('base64url')}`;

const writeWebhook = ({ secret, ...shown }: Webhook) =>
  wire({ ...shown, secretSuffix: secret.slice(-4), enabled: shown.disabledAtMs === null });

function writeDelivery({ webhookId: _webhook, url: _url, secret: _secret, body: _body, ...shown }: Delivery) {
  const { errorCode, ...rest } = shown;
  return wire(errorCode === null ? rest : shown);
}

const url = z.string().refine(isCallback, { error: 'must be a public https address on port 443, without credentials' });
const types = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(4)
  .refine((given) => new Set(given).size === given.length, { error: 'must be distinct' });
const revision = z.int().min(1).optional();
const createBody = z.strictObject({ url, event_types: types });
const removeBody = z.strictObject({ expected_revision: revision });
const updateBody = z
  .strictObject({
    url: url.optional(),
    event_types: types.optional(),
    enabled: z.boolean().optional(),
    expected_revision: revision,
  })
  .refine((body) => body.url !== undefined || body.event_types !== undefined || body.enabled !== undefined, {
    error: 'has nothing to change',
  });

const find = ({ id }: Exchange, { state }: Services): Webhook => found(get(state.webhooks, id), notFound);

const pageQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(50),
});

/** The numbered page that a query asks for, newest first, and what is told of it. */
function numberedPage<T>(records: readonly T[], { query }: Exchange) {
  const names = [...query.keys()];
  if (names.some((name) => !(name in pageQuery.shape)) || new Set(names).size < names.length)
    refuse(400, 'invalid_filter', 'Only page and page_size are known, once each.');
  const asked = pageQuery.safeParse(Object.fromEntries(query)).data;
  if (asked === undefined) return refuse(400, 'invalid_pagination', 'page or page_size is out of range.');
  const { page, page_size: size } = asked;
  const pages = Math.ceil(records.length / size);
  const [hasNext, hasPrevious] = [page < pages, page > 1];
  return {
    items: records.toReversed().slice((page - 1) * size, page * size),
    pagination: {
      ...asked,
      total: records.length,
      total_pages: pages,
      has_next: hasNext,
      has_previous: hasPrevious,
      next_page: hasNext ? page + 1 : null,
      previous_page: hasPrevious ? page - 1 : null,
    },
  };
}

function refuseFull({ state }: Services): void {
  const active = Object.values(state.webhooks).filter(({ disabledAtMs }) => disabledAtMs === null);
  if (active.length >= mostActive) refuse(409, 'webhook_limit_reached', `There are ${mostActive} webhooks already.`);
}

/** Besides the rotation, the only answer that contains the secret. */
async function createWebhook(exchange: Exchange, services: Services): Promise<Answer> {
  const { state, save, now } = services;
  const order = await readJson(exchange.request, createBody, bodyRules);
  refuseFull(services);
  const atMs = now();
  const webhook: Webhook = {
    id: newId('wh'),
    url: order.url,
    eventTypes: order.event_types,
    secret: mintSecret(),
    revision: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    disabledAtMs: null,
  };
  state.webhooks[webhook.id] = webhook;
  save();
  return json(201, { webhook: writeWebhook(webhook), secret: webhook.secret });
}

function listWebhooks(exchange: Exchange, { state }: Services): Answer {
  const { items, pagination } = numberedPage(Object.values(state.webhooks), exchange);
  return json(200, { webhooks: items.map(writeWebhook), pagination });
}

function readWebhook(exchange: Exchange, services: Services): Answer {
  if (exchange.query.size > 0) refuse(400, 'invalid_filter', 'There is nothing to ask for here.');
  return json(200, { webhook: writeWebhook(find(exchange, services)) });
}

/** Changes a subscription if its revision is still the expected one. Disabling cancels what was not sent yet. */
function change(
  exchange: Exchange,
  services: Services,
  expected: number | undefined,
  wanted: Partial<Pick<Webhook, 'url' | 'eventTypes' | 'secret'>>,
  isEnabled?: boolean,
): Webhook {
  const { state, save, now } = services;
  const webhook = find(exchange, services);
  if (expected !== undefined && expected !== webhook.revision)
    refuse(409, 'webhook_revision_conflict', 'The webhook was changed after it was read.');
  if (isEnabled === true && webhook.disabledAtMs !== null) refuseFull(services);
  const atMs = now();
  Object.assign(webhook, wanted, { revision: webhook.revision + 1, updatedAtMs: atMs });
  if (isEnabled !== undefined) webhook.disabledAtMs = isEnabled ? null : (webhook.disabledAtMs ?? atMs);
  if (webhook.disabledAtMs !== null)
    for (const delivery of Object.values(state.deliveries))
      if (delivery.webhookId === webhook.id && isWaiting(delivery))
        Object.assign(delivery, { status: 'canceled', nextAttemptAtMs: null, updatedAtMs: atMs });
  save();
  return webhook;
}

async function updateWebhook(exchange: Exchange, services: Services): Promise<Answer> {
  const order = await readJson(exchange.request, updateBody, bodyRules);
  const { url: address, event_types: eventTypes, expected_revision: expected, enabled } = order;
  const wanted = { ...(address && { url: address }), ...(eventTypes && { eventTypes }) };
  return json(200, { webhook: writeWebhook(change(exchange, services, expected, wanted, enabled)) });
}

/** Disabled, with its history kept. */
async function deleteWebhook(exchange: Exchange, services: Services): Promise<Answer> {
  const order = await readJson(exchange.request, removeBody, bodyRules);
  change(exchange, services, order.expected_revision, {}, false);
  return noContent;
}

/** Applies to deliveries created from now on. */
function rotateSecret(exchange: Exchange, services: Services): Answer {
  const secret = mintSecret();
  return json(200, { webhook: writeWebhook(change(exchange, services, undefined, { secret })), secret });
}

const queued = (delivery: Delivery): Answer => json(202, { delivery: writeDelivery(delivery) });

const sendTest = (exchange: Exchange, services: Services): Answer =>
  queued(services.deliverer.queue(find(exchange, services), 'webhook.test', { object: 'webhook_test' }));

function listDeliveries(exchange: Exchange, services: Services): Answer {
  const { id } = find(exchange, services);
  const own = Object.values(services.state.deliveries).filter(({ webhookId }) => webhookId === id);
  const { items, pagination } = numberedPage(own, exchange);
  return json(200, { deliveries: items.map(writeDelivery), pagination });
}

/** Another attempt for a failed delivery; its count goes on. */
function retryDelivery(exchange: Exchange, services: Services): Answer {
  const { state, save, now, deliverer } = services;
  const webhook = find(exchange, services);
  const known = get(state.deliveries, exchange.params['deliveryId'] ?? '');
  const delivery = found(known?.webhookId === webhook.id ? known : null, notFound);
  if (delivery.status !== 'failed' || webhook.disabledAtMs !== null)
    refuse(409, 'webhook_delivery_not_retryable', 'Only a failed delivery of an enabled webhook can be sent again.');
  const atMs = now();
  Object.assign(delivery, { status: 'pending', nextAttemptAtMs: atMs, updatedAtMs: atMs });
  save();
  deliverer.schedule(delivery);
  return queued(delivery);
}

const oneWebhook = '/v1/webhooks/:webhookId';

export const webhookRoutes: readonly Route[] = [
  route('POST', '/v1/webhooks', createWebhook, 'webhooks:access'),
  route('GET', '/v1/webhooks', listWebhooks, 'webhooks:access'),
  route('GET', oneWebhook, readWebhook, 'webhooks:access'),
  route('PATCH', oneWebhook, updateWebhook, 'webhooks:access'),
  route('DELETE', oneWebhook, deleteWebhook, 'webhooks:access'),
  route('POST', `${oneWebhook}/rotate-secret`, rotateSecret, 'webhooks:access'),
  route('POST', `${oneWebhook}/test`, sendTest, 'webhooks:access'),
  route('GET', `${oneWebhook}/deliveries`, listDeliveries, 'webhooks:access'),
  route('POST', `${oneWebhook}/deliveries/:deliveryId/retry`, retryDelivery, 'webhooks:access'),
];
