import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { json, noContent, problem, type Answer } from '../http/answer.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import { callbackTrouble, type Delivery, type Webhook } from '../webhooks/webhook-store.ts';

const mostActive = 20;
const bodyRules = { invalidStatus: 422, maxBytes: 16 * 1024 };
const eventTypes = [
  'tts.generation.completed',
  'stt.transcription.queued',
  'stt.transcription.completed',
  'stt.transcription.failed',
] as const;

const notFound = problem(404, 'webhook_not_found', 'There is no webhook with this identifier.');
const conflict = problem(409, 'webhook_revision_conflict', 'The webhook was changed after it was read.');
const notRetryable = problem(
  409,
  'webhook_delivery_not_retryable',
  'Only a failed delivery of an enabled webhook can be sent again.',
);
const full = problem(409, 'webhook_limit_reached', `There are ${mostActive} webhooks already.`);
const mintSecret = (): string => `whsec_practice_${randomBytes(24).toString('base64url')}`;

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const writeWebhook = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  event_types: webhook.eventTypes,
  secret_suffix: webhook.secret.slice(-4),
  enabled: webhook.disabled_at_ms === null,
  revision: webhook.revision,
  created_at: time(webhook.created_at_ms),
  updated_at: time(webhook.updated_at_ms),
  disabled_at: time(webhook.disabled_at_ms),
});

const writeDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  status: delivery.status,
  attempt_count: delivery.attempt_count,
  response_status: delivery.response_status,
  ...(delivery.error_code === null ? {} : { error_code: delivery.error_code }),
  created_at: time(delivery.created_at_ms),
  updated_at: time(delivery.updated_at_ms),
  delivered_at: time(delivery.delivered_at_ms),
  next_attempt_at: time(delivery.next_attempt_at_ms),
});

const url = z.string().superRefine((text, context) => {
  const trouble = callbackTrouble(text);
  if (trouble !== null) context.addIssue({ code: 'custom', message: trouble });
});
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

const find = ({ params }: Exchange, { webhooks }: Services): Webhook | null => webhooks.read(params['webhookId'] ?? '');

const refuseQuery = ({ query }: Exchange): Answer | null =>
  query.size === 0 ? null : problem(400, 'invalid_filter', 'There is nothing to ask for here.');

interface NumberedPage {
  readonly page: number;
  readonly pageSize: number;
}

function readPage({ query }: Exchange): Result<NumberedPage, Answer> {
  const names = [...query.keys()];
  if (names.some((name) => name !== 'page' && name !== 'page_size') || new Set(names).size < names.length)
    return err(problem(400, 'invalid_filter', 'Only page and page_size are known, once each.'));
  const numberOf = (name: string, usual: number): number => {
    const text = query.get(name) ?? String(usual);
    return /^\d{1,6}$/.test(text) ? Number(text) : 0;
  };
  const [page, pageSize] = [numberOf('page', 1), numberOf('page_size', 50)];
  const isGood = page >= 1 && page <= 100_000 && pageSize >= 1 && pageSize <= 100;
  return isGood
    ? ok({ page, pageSize })
    : err(problem(400, 'invalid_pagination', 'page or page_size is out of range.'));
}

function pagination({ page, pageSize }: NumberedPage, total: number) {
  const totalPages = Math.ceil(total / pageSize);
  const [hasNext, hasPrevious] = [page < totalPages, page > 1];
  return {
    total,
    total_pages: totalPages,
    page,
    page_size: pageSize,
    has_next: hasNext,
    has_previous: hasPrevious,
    next_page: hasNext ? page + 1 : null,
    previous_page: hasPrevious ? page - 1 : null,
  };
}

/** POST /v1/webhooks: besides the rotation, the only answer that contains the secret */
export async function createWebhook({ request }: Exchange, { webhooks, now }: Services): Promise<Answer> {
  const body = await readJson(request, createBody, bodyRules);
  if (!body.ok) return body.error;
  if (webhooks.countActive() >= mostActive) return full;
  const id = `wh_${randomUUID().replaceAll('-', '')}`;
  const secret = mintSecret();
  webhooks.create(id, body.value.url, body.value.event_types, secret, now());
  const created = webhooks.read(id);
  return created === null ? notFound : json(201, { webhook: writeWebhook(created), secret });
}

/** GET /v1/webhooks */
export function listWebhooks(exchange: Exchange, { webhooks }: Services): Answer {
  const page = readPage(exchange);
  if (!page.ok) return page.error;
  const { pageSize } = page.value;
  const found = webhooks.page(pageSize, (page.value.page - 1) * pageSize);
  return json(200, { webhooks: found.map(writeWebhook), pagination: pagination(page.value, webhooks.count()) });
}

/** GET /v1/webhooks/{webhook_id} */
export function readWebhook(exchange: Exchange, services: Services): Answer {
  const webhook = find(exchange, services);
  return refuseQuery(exchange) ?? (webhook === null ? notFound : json(200, { webhook: writeWebhook(webhook) }));
}

/** Stores a change if the revision is still the expected one. */
function change(
  exchange: Exchange,
  services: Services,
  expected: number | undefined,
  make: (known: Webhook) => Webhook,
): Result<Webhook, Answer> {
  const known = find(exchange, services);
  if (known === null) return err(notFound);
  if (expected !== undefined && expected !== known.revision) return err(conflict);
  const wanted = make(known);
  const isWoken = known.disabled_at_ms !== null && wanted.disabled_at_ms === null;
  if (isWoken && services.webhooks.countActive() >= mostActive) return err(full);
  services.webhooks.change(wanted, services.now());
  const changed = services.webhooks.read(known.id);
  return changed === null ? err(notFound) : ok(changed);
}

/** PATCH /v1/webhooks/{webhook_id} */
export async function updateWebhook(exchange: Exchange, services: Services): Promise<Answer> {
  if (find(exchange, services) === null) return notFound;
  const body = await readJson(exchange.request, updateBody, bodyRules);
  if (!body.ok) return body.error;
  const { enabled } = body.value;
  const changed = change(exchange, services, body.value.expected_revision, (known) => ({
    ...known,
    url: body.value.url ?? known.url,
    eventTypes: body.value.event_types ?? known.eventTypes,
    disabled_at_ms:
      enabled === undefined ? known.disabled_at_ms : enabled ? null : (known.disabled_at_ms ?? services.now()),
  }));
  return changed.ok ? json(200, { webhook: writeWebhook(changed.value) }) : changed.error;
}

/** DELETE /v1/webhooks/{webhook_id}: disabled, with its history kept */
export async function deleteWebhook(exchange: Exchange, services: Services): Promise<Answer> {
  if (find(exchange, services) === null) return notFound;
  const body = await readJson(exchange.request, removeBody, bodyRules);
  if (!body.ok) return body.error;
  const changed = change(exchange, services, body.value.expected_revision, (known) => ({
    ...known,
    disabled_at_ms: known.disabled_at_ms ?? services.now(),
  }));
  return changed.ok ? noContent : changed.error;
}

/** POST /v1/webhooks/{webhook_id}/rotate-secret: applies to deliveries created from now on */
export function rotateSecret(exchange: Exchange, services: Services): Answer {
  const secret = mintSecret();
  const changed = change(exchange, services, undefined, (known) => ({ ...known, secret }));
  return changed.ok ? json(200, { webhook: writeWebhook(changed.value), secret }) : changed.error;
}

const deliveryAnswer = (id: string, { webhooks }: Services): Answer => {
  const delivery = webhooks.readDelivery(id);
  return delivery === null ? notFound : json(202, { delivery: writeDelivery(delivery) });
};

/** POST /v1/webhooks/{webhook_id}/test */
export function sendTest(exchange: Exchange, services: Services): Answer {
  const webhook = find(exchange, services);
  if (webhook === null) return notFound;
  return deliveryAnswer(services.deliverer.queue(webhook, 'webhook.test', { object: 'webhook_test' }), services);
}

/** GET /v1/webhooks/{webhook_id}/deliveries */
export function listDeliveries(exchange: Exchange, services: Services): Answer {
  const webhook = find(exchange, services);
  if (webhook === null) return notFound;
  const page = readPage(exchange);
  if (!page.ok) return page.error;
  const { pageSize } = page.value;
  const found = services.webhooks.deliveries(webhook.id, pageSize, (page.value.page - 1) * pageSize);
  const total = services.webhooks.countDeliveries(webhook.id);
  return json(200, { deliveries: found.map(writeDelivery), pagination: pagination(page.value, total) });
}

/** POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry */
export function retryDelivery(exchange: Exchange, services: Services): Answer {
  const webhook = find(exchange, services);
  const delivery = services.webhooks.readDelivery(exchange.params['deliveryId'] ?? '');
  if (webhook === null || delivery?.webhook_id !== webhook.id) return notFound;
  if (delivery.status !== 'failed' || webhook.disabled_at_ms !== null) return notRetryable;
  services.webhooks.queueAgain(delivery.id, services.now());
  services.deliverer.wake();
  return deliveryAnswer(delivery.id, services);
}
