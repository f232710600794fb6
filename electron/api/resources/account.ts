import type { LogEntryView } from '../../../shared/domain/account/account-views.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import {
  readAccountKey,
  readAccountKeys,
  readAnalytics,
  readPermissionCatalog,
  readRequestLogs,
  readScopeCatalog,
  readSecretOnce,
  type AccountKey,
  type Analytics,
  type CatalogEntry,
} from '../../../shared/wire/read-account.ts';
import type { Page } from '../../../shared/wire/values.ts';
import { Secret } from '../../secret/secret.ts';
import { bodyOf, pageQuery, unreadable, type Caller, type NamedCall } from '../http/resource-call.ts';

/** The editable fields of a key; an absent field stays as it is. */
export interface KeyFields {
  readonly name?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  /** RFC 3339; null: never. */
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

/** Keys and usage of the signed-in account (contract 4.1, 4.2); uses the access token, never the key. */
export interface AccountApi {
  permissions(signal?: AbortSignal): Promise<Result<readonly CatalogEntry[], Failure>>;
  scopes(signal?: AbortSignal): Promise<Result<readonly CatalogEntry[], Failure>>;
  /** The secret is shown once; null when the answer did not hold it (E-067). */
  createKey(
    fields: KeyFields & { readonly name: string },
    signal?: AbortSignal,
  ): Promise<Result<{ readonly key: AccountKey; readonly secret: Secret | null }, Failure>>;
  keys(
    page: { readonly limit?: number; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<Result<Page<AccountKey>, Failure>>;
  updateKey(id: string, fields: KeyFields, signal?: AbortSignal): Promise<Result<AccountKey, Failure>>;
  revokeKey(id: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
  removeKey(id: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
  analytics(
    period: { readonly from?: string; readonly to?: string; readonly granularity?: 'day' | 'hour' },
    signal?: AbortSignal,
  ): Promise<Result<Analytics, Failure>>;
  requestLogs(
    filter: LogFilter,
    page: { readonly limit?: number; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<Result<Page<LogEntryView>, Failure>>;
}

export function createAccountApi(caller: Caller): AccountApi {
  const one = (key_id: string, more: NamedCall): NamedCall => ({ target: 'resource', values: { key_id }, ...more });
  return {
    permissions: (signal) => caller.read('account.permissions', readPermissionCatalog, { signal }),
    scopes: (signal) => caller.read('account.scopes', readScopeCatalog, { signal }),
    async createKey(fields, signal) {
      const reply = await caller.send('account.keys.create', { json: fields, signal });
      if (!reply.ok) return reply;
      const body = bodyOf(reply.value, caller.wire);
      const key = readAccountKey(body);
      const secret = readSecretOnce(body);
      if (key === null) return err(unreadable(reply.value, false));
      return ok({ key, secret: secret === null ? null : new Secret(secret) });
    },
    keys: (page, signal) =>
      caller.read('account.keys.list', readAccountKeys, { query: pageQuery(page, limits.pages.keys), signal }),
    updateKey: (id, fields, signal) =>
      caller.read('account.keys.update', readAccountKey, one(id, { json: fields, signal })),
    revokeKey: (id, signal) => caller.change('account.keys.revoke', one(id, { signal })),
    removeKey: (id, signal) => caller.change('account.keys.remove', one(id, { signal }), true),
    analytics: (period, signal) => caller.read('usage.analytics', readAnalytics, { query: { ...period }, signal }),
    requestLogs: (filter, page, signal) =>
      caller.read('usage.request-logs', readRequestLogs, {
        query: { ...filter, ...pageQuery(page, limits.pages.requestLogs) },
        signal,
      }),
  };
}
