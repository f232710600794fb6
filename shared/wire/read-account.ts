import type { KeyView, LogEntryView, PermissionView } from '../domain/account/account-views.ts';
import { asArray, asJsonObject, isJsonObject, pick, pickFrom, unwrap, type JsonObject } from './json-access.ts';
import { asCount, fieldsOf, readNamed, readPage, type Page } from './values.ts';

/** A key as the account sees it (contract 2.1); the list has fewer fields. */
export type AccountKey = KeyView;

/** A permission or a scope that keys may be given. */
export interface CatalogEntry extends PermissionView {
  readonly description: string | null;
}

export interface UsageEntry {
  /** The time, the product, or any other name of the entry. */
  readonly label: string;
  /** The moment or day as written by the service. */
  readonly at: string | null;
  readonly product: string | null;
  readonly values: Readonly<Record<string, number>>;
}

export interface Analytics {
  readonly from: string | null;
  readonly to: string | null;
  readonly granularity: string | null;
  readonly currency: string | null;
  /** Every number of the summary under its own name. */
  readonly summary: Readonly<Record<string, number>>;
  readonly series: readonly UsageEntry[];
  readonly products: readonly UsageEntry[];
  readonly statusCodes: readonly { readonly key: string; readonly value: number }[];
  readonly topRoutes: readonly { readonly key: string; readonly value: number }[];
}

/** One key; null without an identifier. */
export function readAccountKey(body: unknown): AccountKey | null {
  const source = readNamed(body, ['key'], ['id']);
  if (source === null) return null;
  const { id, text, flag, moment, count, texts } = fieldsOf(source);
  const keyId = id('id');
  if (keyId === null) return null;
  return {
    id: keyId,
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
  };
}

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

function readEntry(value: unknown): CatalogEntry | null {
  if (!isJsonObject(value)) return null;
  const { id, text, texts, flag } = fieldsOf(value);
  const entryId = id('id');
  if (entryId === null) return null;
  return {
    id: entryId,
    name: text('name'),
    description: text('description'),
    levels: texts('levels'),
    isImplemented: flag('implemented') ?? true,
  };
}

/** Usage of a period (contract 2.4); null without a summary. Unknown products and entries are kept. */
export function readAnalytics(body: unknown): Analytics | null {
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
    statusCodes: countsIn(source, 'status_codes'),
    topRoutes: countsIn(source, 'top_routes'),
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

const entriesIn = (source: JsonObject, name: string): readonly UsageEntry[] =>
  (pick(source, [name], asArray) ?? []).filter(isJsonObject).map((entry) => ({
    label: fieldsOf(entry).text(...labelNames) ?? '',
    at: fieldsOf(entry).text(...timeNames),
    product: fieldsOf(entry).text('product'),
    values: numbersIn(entry),
  }));

const countsIn = (source: JsonObject, name: string): readonly { readonly key: string; readonly value: number }[] =>
  (pick(source, [name], asArray) ?? []).filter(isJsonObject).flatMap((entry) => {
    const { id, count } = fieldsOf(entry);
    const [key, value] = [id('key'), count('value')];
    return key === null || value === null ? [] : [{ key, value }];
  });

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
