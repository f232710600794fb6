import type { WebhookView } from '../../../shared/domain/webhooks/webhook.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import { readSecretOnce, type Delivery, type NumberedPage } from '../../../shared/wire/read-account.ts';
import { Secret } from '../../secret/secret.ts';
import { bodyOf, pageQuery } from '../http/http-core.ts';
import type { Caller, NamedCall } from '../http/resource-call.ts';
import type { EndpointName, Read } from '../../../shared/wire/endpoints.ts';

export interface KeyFields {
  readonly name?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly expires_at?: string | null;
  readonly enabled?: boolean;
  readonly restrict_key?: boolean;
  readonly credit_limit?: number | null;
  readonly allowed_ips?: readonly string[];
  readonly auto_disable_if_leaked?: boolean;
}

interface LogFilter {
  readonly from?: string;
  readonly to?: string;
  readonly status?: number;
  readonly method?: string;
  readonly route?: string;
  readonly api_key_id?: string;
}

/** The secret is shown once; null when the answer did not hold it (key-secret-lost). */
async function withSecret<N extends EndpointName>(
  caller: Caller,
  name: N,
  call: NamedCall,
): Promise<Result<{ readonly read: Read<N>; readonly secret: Secret | null }>> {
  const reply = await caller.send(name, call);
  if (!reply.ok) return reply;
  const read = caller.readReply(name, reply.value);
  const secret = readSecretOnce(bodyOf(reply.value));
  return read.ok ? ok({ read: read.value, secret: secret === null ? null : new Secret(secret) }) : read;
}

export function createAccountApi(caller: Caller) {
  const one = (key_id: string, more: NamedCall): NamedCall => ({ values: { key_id }, ...more });
  return {
    permissions: (signal?: AbortSignal) => caller.read('account.permissions', { signal }),
    scopes: (signal?: AbortSignal) => caller.read('account.scopes', { signal }),
    createKey: async (fields: KeyFields & { readonly name: string }, signal?: AbortSignal) => {
      const made = await withSecret(caller, 'account.keys.create', { json: fields, signal });
      return made.ok ? ok({ key: made.value.read, secret: made.value.secret }) : made;
    },
    keys: (page: { readonly limit?: number; readonly cursor?: string }, signal?: AbortSignal) =>
      caller.read('account.keys.list', { query: pageQuery(page, limits.pages.keys), signal }),
    updateKey: (id: string, fields: KeyFields, signal?: AbortSignal) =>
      caller.read('account.keys.update', one(id, { json: fields, signal })),
    revokeKey: (id: string, signal?: AbortSignal) => caller.change('account.keys.revoke', one(id, { signal })),
    removeKey: (id: string, signal?: AbortSignal) => caller.change('account.keys.remove', one(id, { signal }), true),
    analytics: (
      period: { readonly from?: string; readonly to?: string; readonly granularity?: 'day' | 'hour' },
      signal?: AbortSignal,
    ) => caller.read('usage.analytics', { query: { ...period }, signal }),
    requestLogs: (
      filter: LogFilter,
      page: { readonly limit?: number; readonly cursor?: string },
      signal?: AbortSignal,
    ) =>
      caller.read('usage.request-logs', {
        query: { ...filter, ...pageQuery(page, limits.pages.requestLogs) },
        signal,
      }),
  };
}

/** Keys and usage of the signed-in account (contract 4.1, 4.2); uses the access token, never the key. */
export type AccountApi = ReturnType<typeof createAccountApi>;

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

const within = (
  range: { readonly min: number; readonly max: number; readonly default: number },
  value?: number,
): number => Math.min(range.max, Math.max(range.min, Math.trunc(value ?? range.default)));

const queryOf = ({ page, pageSize }: NumberedQuery): Readonly<Record<string, number>> => ({
  page: within(limits.pages.webhookPage, page),
  page_size: within(limits.pages.webhooks, pageSize),
});

/** A next page that does not come after this one would be read for ever. */
const onwards = <T>({ page = 1 }: NumberedQuery, found: Result<NumberedPage<T>>): Result<NumberedPage<T>> =>
  found.ok && (found.value.nextPage ?? Infinity) <= page ? ok({ ...found.value, nextPage: null }) : found;

export function createWebhooksApi(caller: Caller) {
  const one = (webhook_id: string, more: NamedCall): NamedCall => ({
    values: { webhook_id },
    ...more,
  });
  const webhookWithSecret = async (
    name: 'webhooks.create' | 'webhooks.rotate',
    call: NamedCall,
  ): Promise<Result<WebhookWithSecret>> => {
    const made = await withSecret(caller, name, call);
    return made.ok ? ok({ webhook: made.value.read, secret: made.value.secret }) : made;
  };
  const revisionOf = (revision: number | null): Readonly<Record<string, number>> =>
    revision === null ? {} : { expected_revision: revision };

  return {
    create: ({ url, eventTypes }: WebhookFields, signal?: AbortSignal) =>
      webhookWithSecret('webhooks.create', { json: { url, event_types: eventTypes }, signal }),
    list: async (query: NumberedQuery, signal?: AbortSignal): Promise<Result<NumberedPage<WebhookView>>> =>
      onwards(query, await caller.read('webhooks.list', { query: queryOf(query), signal })),
    read: (id: string, signal?: AbortSignal) => caller.read('webhooks.read', one(id, { signal })),
    /** With the revision that was read, so that a change made elsewhere is not overwritten. */
    update: (
      id: string,
      { url, eventTypes, enabled }: Partial<WebhookFields> & { readonly enabled?: boolean },
      revision: number | null,
      signal?: AbortSignal,
    ) =>
      caller.read(
        'webhooks.update',
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
    remove: (id: string, revision: number | null, signal?: AbortSignal) =>
      caller.change('webhooks.remove', one(id, { json: revisionOf(revision), signal }), true),
    rotate: (id: string, signal?: AbortSignal) => webhookWithSecret('webhooks.rotate', one(id, { signal })),
    test: (id: string, signal?: AbortSignal) => caller.read('webhooks.test', one(id, { signal })),
    deliveries: async (
      id: string,
      query: NumberedQuery,
      signal?: AbortSignal,
    ): Promise<Result<NumberedPage<Delivery>>> => {
      const call = one(id, { query: queryOf(query), signal });
      return onwards(query, await caller.read('webhooks.deliveries', call));
    },
    retry: (webhook_id: string, delivery_id: string, signal?: AbortSignal) =>
      caller.read('webhooks.retry', { values: { webhook_id, delivery_id }, signal }),
  };
}

/** Subscriptions and deliveries (contract 4.11). After a lost creation the list is consulted first. */
export type WebhooksApi = ReturnType<typeof createWebhooksApi>;
