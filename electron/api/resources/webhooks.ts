import type { WebhookView } from '../../../shared/domain/webhooks/webhook-views.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import { readSecretOnce } from '../../../shared/wire/read-account.ts';
import {
  readDelivery,
  readDeliveryPage,
  readWebhook,
  readWebhookPage,
  type Delivery,
  type NumberedPage,
} from '../../../shared/wire/read-webhooks.ts';
import { Secret } from '../../secret/secret.ts';
import { bodyOf, unreadable, type Caller, type NamedCall } from '../http/resource-call.ts';
import type { EndpointName } from '../../../shared/wire/endpoints.ts';

export interface WebhookFields {
  readonly url: string;
  readonly eventTypes: readonly string[];
}

/** The secret is shown once; null when the answer did not contain it: then it has to be rotated. */
export interface WebhookWithSecret {
  readonly webhook: WebhookView;
  readonly secret: Secret | null;
}

interface NumberedQuery {
  readonly page?: number;
  readonly pageSize?: number;
}

/** Subscriptions and deliveries (contract 4.11). After a lost creation the list is consulted first. */
export interface WebhooksApi {
  create(fields: WebhookFields, signal?: AbortSignal): Promise<Result<WebhookWithSecret, Failure>>;
  list(query: NumberedQuery, signal?: AbortSignal): Promise<Result<NumberedPage<WebhookView>, Failure>>;
  read(id: string, signal?: AbortSignal): Promise<Result<WebhookView, Failure>>;
  /** With the revision that was read, so that a change made elsewhere is not overwritten. */
  update(
    id: string,
    change: Partial<WebhookFields> & { readonly enabled?: boolean },
    revision: number | null,
    signal?: AbortSignal,
  ): Promise<Result<WebhookView, Failure>>;
  remove(id: string, revision: number | null, signal?: AbortSignal): Promise<Result<null, Failure>>;
  rotate(id: string, signal?: AbortSignal): Promise<Result<WebhookWithSecret, Failure>>;
  test(id: string, signal?: AbortSignal): Promise<Result<Delivery, Failure>>;
  deliveries(id: string, query: NumberedQuery, signal?: AbortSignal): Promise<Result<NumberedPage<Delivery>, Failure>>;
  retry(id: string, deliveryId: string, signal?: AbortSignal): Promise<Result<Delivery, Failure>>;
}

const within = (
  range: { readonly min: number; readonly max: number; readonly default: number },
  value?: number,
): number => Math.min(range.max, Math.max(range.min, Math.trunc(value ?? range.default)));

const queryOf = ({ page, pageSize }: NumberedQuery): Readonly<Record<string, number>> => ({
  page: within(limits.pages.webhookPage, page),
  page_size: within(limits.pages.webhooks, pageSize),
});

/** A next page that does not come after this one would be read for ever. */
const onwards = <T>(
  { page = 1 }: NumberedQuery,
  found: Result<NumberedPage<T>, Failure>,
): Result<NumberedPage<T>, Failure> =>
  found.ok && (found.value.nextPage ?? Infinity) <= page ? ok({ ...found.value, nextPage: null }) : found;

export function createWebhooksApi(caller: Caller): WebhooksApi {
  const one = (webhook_id: string, more: NamedCall): NamedCall => ({
    target: 'resource',
    values: { webhook_id },
    ...more,
  });
  const withSecret = async (name: EndpointName, call: NamedCall): Promise<Result<WebhookWithSecret, Failure>> => {
    const reply = await caller.send(name, call);
    if (!reply.ok) return reply;
    const body = bodyOf(reply.value, caller.wire);
    const webhook = readWebhook(body);
    const secret = readSecretOnce(body);
    if (webhook === null) return { ok: false, error: unreadable(reply.value, false) };
    return ok({ webhook, secret: secret === null ? null : new Secret(secret) });
  };
  const revisionOf = (revision: number | null): Readonly<Record<string, number>> =>
    revision === null ? {} : { expected_revision: revision };

  return {
    create: ({ url, eventTypes }, signal) =>
      withSecret('webhooks.create', { json: { url, event_types: eventTypes }, signal }),
    list: async (query, signal) =>
      onwards(query, await caller.read('webhooks.list', readWebhookPage, { query: queryOf(query), signal })),
    read: (id, signal) => caller.read('webhooks.read', readWebhook, one(id, { signal })),
    update: (id, { url, eventTypes, enabled }, revision, signal) =>
      caller.read(
        'webhooks.update',
        readWebhook,
        one(id, {
          json: {
            ...(url === undefined ? {} : { url }),
            ...(eventTypes === undefined ? {} : { event_types: eventTypes }),
            ...(enabled === undefined ? {} : { enabled }),
            ...revisionOf(revision),
          },
          // A repeat of a change that was carried out would meet its own new revision.
          attempts: 'once',
          signal,
        }),
      ),
    remove: (id, revision, signal) =>
      caller.change('webhooks.remove', one(id, { json: revisionOf(revision), signal }), true),
    rotate: (id, signal) => withSecret('webhooks.rotate', one(id, { signal })),
    test: (id, signal) => caller.read('webhooks.test', readDelivery, one(id, { signal })),
    deliveries: async (id, query, signal) => {
      const call = one(id, { query: queryOf(query), signal });
      return onwards(query, await caller.read('webhooks.deliveries', readDeliveryPage, call));
    },
    retry: (webhook_id, delivery_id, signal) =>
      caller.read('webhooks.retry', readDelivery, { target: 'resource', values: { webhook_id, delivery_id }, signal }),
  };
}
