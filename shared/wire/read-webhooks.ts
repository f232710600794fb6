import type { DeliveryView, WebhookView } from '../domain/webhooks/webhook-views.ts';
import { asArray, asJsonObject, isJsonObject, pick, pickFrom, unwrap } from './json-access.ts';
import { readState, type ReadState } from './states.ts';
import { fieldsOf, readNamed } from './values.ts';

/** A delivery from the service, with a state that this version may not know. */
export interface Delivery extends Omit<DeliveryView, 'state'> {
  readonly status: ReadState<'delivery'> | null;
}

/** A numbered page; null where there is no such page. */
export interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly total: number | null;
  readonly nextPage: number | null;
  readonly previousPage: number | null;
}

/** A subscription, alone or under `webhook`; null without an identifier. */
export function readWebhook(body: unknown): WebhookView | null {
  const source = readNamed(body, ['webhook'], ['id']);
  if (source === null) return null;
  const { id, text, texts, flag, count, moment } = fieldsOf(source);
  const webhookId = id('id');
  if (webhookId === null) return null;
  return {
    id: webhookId,
    url: text('url'),
    eventTypes: texts('event_types'),
    secretSuffix: text('secret_suffix'),
    enabled: flag('enabled') ?? false,
    revision: count('revision'),
    createdAt: moment('created_at'),
    updatedAt: moment('updated_at'),
    disabledAt: moment('disabled_at'),
  };
}

/** A delivery, alone or under `delivery`; null without an identifier. */
export function readDelivery(body: unknown): Delivery | null {
  const source = readNamed(body, ['delivery'], ['id']);
  if (source === null) return null;
  const { id, text, count, moment } = fieldsOf(source);
  const deliveryId = id('id');
  if (deliveryId === null) return null;
  return {
    id: deliveryId,
    eventId: id('event_id'),
    eventType: text('event_type'),
    status: readState('delivery', source['status']),
    attempts: count('attempt_count'),
    responseStatus: count('response_status'),
    errorCode: text('error_code'),
    createdAt: moment('created_at'),
    deliveredAt: moment('delivered_at'),
    nextAttemptAt: moment('next_attempt_at'),
  };
}

/** A page of subscriptions (contract 2.7, 4.11); null when there is no list. */
export const readWebhookPage = (body: unknown): NumberedPage<WebhookView> | null =>
  numbered(body, 'webhooks', readWebhook);
/** A page of deliveries of one subscription (contract 2.7, 4.11); null when there is no list. */
export const readDeliveryPage = (body: unknown): NumberedPage<Delivery> | null =>
  numbered(body, 'deliveries', readDelivery);

function numbered<T>(body: unknown, name: string, readItem: (item: unknown) => T | null): NumberedPage<T> | null {
  const sources = unwrap(body);
  const list = pickFrom(sources, [name, 'data', 'items'], asArray);
  if (list === undefined) return null;
  const pages = sources.map((source) => pick(source, ['pagination'], asJsonObject)).find(isJsonObject) ?? {};
  const { count } = fieldsOf(pages);
  return {
    items: list.flatMap((item) => readItem(item) ?? []),
    total: count('total'),
    nextPage: count('next_page'),
    previousPage: count('previous_page'),
  };
}
