import type { WebhookView, DeliveryView } from '../../shared/domain/webhooks/webhook.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import { limits } from './limits.ts';
import { Secret } from '../secret/secret.ts';
import { bodyOf, pageQuery, within } from './http.ts';
import type { Caller, NamedCall } from './caller.ts';
import type { EndpointName, Read } from './endpoints.ts';
import type { KeyView, LogEntryView } from '../../shared/domain/account/account-views.ts';
import {
  asArray,
  asJsonObject,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asCount,
  fieldsOf,
  textsByName,
  readNamed,
  readWithId,
  readPage,
  type JsonObject,
  type Page,
  readState,
  type ReadState,
} from './values.ts';

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

/** A key as the account sees it (contract 2.1); the list has fewer fields. */
export type AccountKey = KeyView;

export interface UsageEntry {
  readonly label: string;
  readonly at: string | null;
  readonly product: string | null;
  readonly values: Readonly<Record<string, number>>;
}

/** One key; null without an identifier. */
export const readAccountKey = (body: unknown): AccountKey | null =>
  readWithId(body, ['key'], ['id'], (id, { text, flag, moment, count, texts }, source) => ({
    id,
    name: text('name'),
    maskedKey: text('masked_key'),
    prefix: text('prefix'),
    permissions: textsByName(pick(source, ['permissions'], asJsonObject)),
    scopes: texts('scopes'),
    enabled: flag('enabled') ?? false,
    createdAt: moment('created_at'),
    lastUsedAt: moment('last_used_at'),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    leakedAt: moment('leaked_at'),
    isRestricted: flag('restrict_key'),
    creditLimit: count('credit_limit'),
    allowedIps: Object.hasOwn(source, 'allowed_ips') ? texts('allowed_ips') : null,
    disablesIfLeaked: flag('auto_disable_if_leaked'),
  }));

/** A page of keys of the account (contract 2.1, 4.1); null when there is no list. */
export const readAccountKeys = (body: unknown): Page<AccountKey> | null => readPage(body, ['keys'], readAccountKey);

/** Every permission that exists (contract 2.2, 4.1); null when there is no list. */
export const readPermissionCatalog = (body: unknown): readonly CatalogEntry[] | null =>
  readPage(body, ['permissions'], readEntry)?.items ?? null;

/** Every scope, the older notation of permissions (contract 2.3, 4.1); null when there is no list. */
export const readScopeCatalog = (body: unknown): readonly CatalogEntry[] | null =>
  readPage(body, ['scopes'], readEntry)?.items ?? null;

const readEntry = (value: unknown) =>
  readWithId(value, [], ['id'], (id, { text, texts, flag }) => ({
    id,
    name: text('name'),
    description: text('description'),
    levels: texts('levels'),
    isImplemented: flag('implemented') ?? true,
  }));

/** A permission or a scope that keys may be given. */
export type CatalogEntry = NonNullable<ReturnType<typeof readEntry>>;

/** Usage of a period (contract 2.4); null without a summary. Unknown products and entries are kept. */
export function readAnalytics(body: unknown) {
  const source = readNamed(body, ['analytics'], ['summary']);
  const summary = source === null ? undefined : pick(source, ['summary'], asJsonObject);
  if (source === null || summary === undefined) return null;
  const period = fieldsOf(pick(source, ['period'], asJsonObject) ?? {});
  return {
    from: period.text('from'),
    to: period.text('to'),
    granularity: period.text('granularity'),
    currency: fieldsOf(summary).text('currency'),
    summary: numbersIn(summary),
    series: entriesIn(source, 'series'),
    products: entriesIn(source, 'product_usage'),
  };
}

const numbersIn = (source: JsonObject): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => {
      const number = typeof value === 'number' ? asCount(value) : undefined;
      return number === undefined ? [] : [[name, number] as const];
    }),
  );

const timeNames = ['timestamp', 'time', 'bucket', 'date', 'period', 'start', 'from'];
const labelNames = ['product', 'key', ...timeNames, 'name'];

/** Dictation and speech over a stream are told apart from recordings and texts by their operation alone. */
const productOf = (entry: JsonObject): string | null => {
  const { text } = fieldsOf(entry);
  const product = text('product');
  return product !== null && text('operation') === 'realtime' ? `${product}_realtime` : product;
};

const entriesIn = (source: JsonObject, name: string): readonly UsageEntry[] =>
  (pick(source, [name], asArray) ?? []).filter(isJsonObject).map((entry) => ({
    label: fieldsOf(entry).text(...labelNames) ?? '',
    at: fieldsOf(entry).text(...timeNames),
    product: productOf(entry),
    values: numbersIn(entry),
  }));

/** A page of request logs (contract 2.5); null when there is no list. */
export const readRequestLogs = (body: unknown): Page<LogEntryView> | null => readPage(body, ['items', 'logs'], readLog);

function readLog(value: unknown): LogEntryView | null {
  if (!isJsonObject(value)) return null;
  const { text, count, moment, id } = fieldsOf(value);
  const usage = pick(value, ['usage'], asJsonObject);
  return {
    requestId: id('request_id'),
    at: moment('timestamp'),
    method: text('method'),
    route: text('route'),
    status: count('status_code'),
    latencyMs: count('latency_ms'),
    requestBytes: count('request_bytes'),
    responseBytes: count('response_bytes'),
    keyId: id('api_key_id'),
    keyPrefix: text('api_key_prefix'),
    usage: usage === undefined ? null : readLogUsage(usage),
  };
}

function readLogUsage(usage: JsonObject): LogEntryView['usage'] {
  const { text, count, decimal, flag } = fieldsOf(usage);
  return {
    product: text('product'),
    operation: text('operation'),
    characters: count('characters'),
    durationMs: count('duration_ms'),
    credits: decimal('credits'),
    isBillable: flag('billable'),
    firstByteMs: count('ttfb_ms'),
    costMicros: count('cost_micros'),
    currency: text('currency'),
  };
}

/** The secret that a creation shows once; null when it is missing. */
export const readSecretOnce = (body: unknown): string | null =>
  pickFrom(unwrap(body), ['secret'], (value) => (typeof value === 'string' && value !== '' ? value : undefined)) ??
  null;

/** A delivery from the service, with a state that this version may not know. */
export interface Delivery extends Omit<DeliveryView, 'state'> {
  readonly status: ReadState<'delivery'> | null;
}

/** A numbered page; null where there is no such page. */
export interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly total: number | null;
  readonly nextPage: number | null;
}

/** A subscription, alone or under `webhook`; null without an identifier. */
export const readWebhook = (body: unknown): WebhookView | null =>
  readWithId(body, ['webhook'], ['id'], (id, { text, texts, flag, count, moment }) => ({
    id,
    url: text('url'),
    eventTypes: texts('event_types'),
    secretSuffix: text('secret_suffix'),
    enabled: flag('enabled') ?? false,
    revision: count('revision'),
    createdAt: moment('created_at'),
    updatedAt: moment('updated_at'),
    disabledAt: moment('disabled_at'),
  }));

/** A delivery, alone or under `delivery`; null without an identifier. */
export const readDelivery = (body: unknown): Delivery | null =>
  readWithId(body, ['delivery'], ['id'], (deliveryId, { id, text, count, moment }, source) => ({
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
  }));

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
  };
}
