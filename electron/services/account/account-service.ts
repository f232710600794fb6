import {
  isWanted,
  type LogEntryView,
  type LogFilterView,
  type PermissionView,
} from '../../../shared/domain/account/account-views.ts';
import { judgeKeyInput, type KeyInput } from '../../../shared/domain/account/key-input.ts';
import { reportOfService, windowOfService, type UsageReport } from '../../../shared/domain/account/usage-report.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { UsagePeriod } from '../../../shared/domain/ledger/usage-by-day.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { AccountApi } from '../../service/account.ts';
import { readPages } from './read-pages.ts';
import { createShownOnce } from '../secrets/key-service.ts';

type Answered<Name extends keyof AccountApi> = Extract<Awaited<ReturnType<AccountApi[Name]>>, { ok: true }>['value'];
export type AccountKey = Answered<'keys'>['items'][number];

export interface LogPage {
  readonly entries: readonly LogEntryView[];
  readonly nextCursor: string | null;
}

const mostKeyPages = 20;
/** A search in the log reads on until it has found some, but at most this many pages at once. */
const mostLogPages = 10;
const enoughFound = 25;

/** Keys, usage and requests of the signed-in account (contract 4.1, 4.2); takes the access token of the connection. */
export function createAccountService(api: AccountApi, now: () => number, ownSuffix: () => string) {
  const secrets = createShownOnce();

  const refusalOf = (wanted: KeyInput): Result<null> => {
    const faults = judgeKeyInput(wanted, now());
    return faults.length === 0
      ? ok(null)
      : err(
          makeFailure('account-fields-invalid', {
            code: 'validation_error',
            outcome: 'not_sent',
            layer: 'local',
            fields: Object.fromEntries(faults.map(({ field, problem }) => [field, problem])),
          }),
        );
  };
  const written = (wanted: KeyInput) => ({
    ...(wanted.name === undefined ? {} : { name: wanted.name }),
    ...(wanted.permissions === undefined ? {} : { permissions: wanted.permissions }),
    ...(wanted.expiresAt === undefined ? {} : { expires_at: wanted.expiresAt }),
    ...(wanted.creditLimit === undefined ? {} : { credit_limit: wanted.creditLimit }),
    ...(wanted.allowedIps === undefined ? {} : { allowed_ips: wanted.allowedIps }),
    ...(wanted.isRestricted === undefined ? {} : { restrict_key: wanted.isRestricted }),
    ...(wanted.disablesIfLeaked === undefined ? {} : { auto_disable_if_leaked: wanted.disablesIfLeaked }),
    ...(wanted.enabled === undefined ? {} : { enabled: wanted.enabled }),
  });

  return {
    secrets,
    async usage(period: UsagePeriod): Promise<Result<UsageReport>> {
      const nowMs = now();
      const counted = await api.analytics(windowOfService(period, nowMs));
      if (!counted.ok) return counted;
      // Only for comparison: without it the rest is still true.
      const before = await api.analytics(windowOfService(period, nowMs, 1));
      return ok(reportOfService(counted.value, before.ok ? before.value : null, period, nowMs));
    },
    async log(filter: LogFilterView, cursor: string | null): Promise<Result<LogPage>> {
      const { days, status, method, route, keyId } = filter;
      const { from, to } = logWindow(days, now());
      const query = {
        from,
        to,
        ...(status === null ? {} : { status }),
        ...(method === null ? {} : { method }),
        ...(route === null ? {} : { route }),
        ...(keyId === null ? {} : { api_key_id: keyId }),
      };
      const entries: LogEntryView[] = [];
      const isSearch = filter.isFailedOnly || filter.hidesReads || filter.text.trim() !== '';
      let next = cursor;
      for (let page = 0; page < (isSearch ? mostLogPages : 1); page += 1) {
        const found = await api.requestLogs(query, {
          limit: isSearch ? 100 : 50,
          ...(next === null ? {} : { cursor: next }),
        });
        if (!found.ok) return found;
        entries.push(...found.value.items.filter((entry) => isWanted(entry, filter)));
        // A cursor that names its own page would be followed for ever.
        next = found.value.nextCursor === next ? null : found.value.nextCursor;
        if (next === null || entries.length >= enoughFound) break;
      }
      return ok({ entries, nextCursor: next });
    },
    keys: (): Promise<Result<readonly AccountKey[]>> =>
      readPages(
        (cursor) => api.keys({ limit: 100, ...(cursor === null ? {} : { cursor }) }),
        ({ id }) => id,
        (_found, pages) => pages >= mostKeyPages,
      ),
    ownSuffix,
    permissions: (): Promise<Result<readonly PermissionView[]>> => api.permissions(),
    /** The secret is kept in `secrets` under the id of the key. account-fields-invalid `not_sent` for faulty input. */
    async createKey(wanted: KeyInput & { readonly name: string }): Promise<Result<AccountKey>> {
      const judged = refusalOf(wanted);
      if (!judged.ok) return judged;
      const made = await api.createKey({ ...written(wanted), name: wanted.name });
      if (!made.ok) return made;
      const { key, secret } = made.value;
      if (secret === null) return err(makeFailure('key-secret-lost', { code: 'secret_missing' }));
      secrets.keep(key.id, secret);
      return ok(key);
    },
    async updateKey(id: string, wanted: KeyInput): Promise<Result<AccountKey>> {
      const judged = refusalOf(wanted);
      return judged.ok ? api.updateKey(id, written(wanted)) : judged;
    },
    async revokeKey(id: string): Promise<Result<null>> {
      secrets.drop(id);
      return api.revokeKey(id);
    },
    async removeKey(id: string): Promise<Result<null>> {
      const removed = await api.removeKey(id);
      if (removed.ok) secrets.drop(id);
      return removed;
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;

const dayMs = 86_400_000;

/** UTC dates with an exclusive end; a day is the last 24 hours, so yesterday is included. */
function logWindow(days: number, nowMs: number): { readonly from: string; readonly to: string } {
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: dateOf(nowMs - Math.max(1, days - 1) * dayMs), to: dateOf(nowMs + dayMs) };
}
