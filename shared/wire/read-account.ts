import type { DeliveryView, WebhookView } from '../domain/webhooks/webhook.ts';
import type { KeyView, LogEntryView } from '../domain/account/account-views.ts';
import {
  asArray,
  asJsonObject,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asCount,
  fieldsOf,
  readNamed,
  readWithId,
  readPage,
  type JsonObject,
  type Page,
  readState,
  type ReadState,
} from './values.ts';

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

const textsByName = (source: JsonObject | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(source ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

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
