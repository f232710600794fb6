import { chooseSavePath } from '../shell/choose-paths.ts';
import type { WebhookView } from '../../shared/domain/webhooks/webhook.ts';
import {
  dayOf,
  sumUsed,
  usageByDay,
  usageCsv,
  usageFrom,
  usagePeriods,
  type Usage,
  type UsagePeriod,
} from '../../shared/domain/ledger/usage-by-day.ts';
import { copySecret } from '../shell/copy-secret.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { AccountService } from '../services/account/account-service.ts';
import { notByPerson, type Asker } from '../services/spend/spend-guard.ts';
import { procedure, nothing } from '../ipc/procedure.ts';
import { askOpened, id, type App } from './context.ts';
import { z } from 'zod';
import { logPeriods, logMethods } from '../../shared/domain/account/account-views.ts';
import type { WebhookService } from '../services/webhooks/webhook-service.ts';
import { basename } from 'node:path';
import { reportCsv, reportOfComputer, type UsageReport } from '../../shared/domain/account/usage-report.ts';
import { dialogWords } from '../shell/words.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import { readCreditRate, withExpectedCosts } from '../shell/credit-rate.ts';

const keyInput = z.strictObject({
  name: z.string().max(400).optional(),
  permissions: z.record(z.string().max(64), z.string().max(16)).optional(),
  expiresAt: z.string().max(64).nullable().optional(),
  creditLimit: z.number().nullable().optional(),
  allowedIps: z.array(z.string().max(100)).max(1000).optional(),
  isRestricted: z.boolean().optional(),
  disablesIfLeaked: z.boolean().optional(),
  enabled: z.boolean().optional(),
});

/** The answer with the secret was missed, or the app was restarted since. */
export const secretGone = makeFailure('key-secret-lost', { code: 'secret_gone', outcome: 'accepted', layer: 'local' });

export const accountProcedures = ({ workspaces, keys, activations }: App) => {
  const withAccount = askOpened(workspaces, (workspace) => workspace.account);
  const done = async (ask: (account: AccountService) => Promise<Result<unknown>>) => {
    const result = await withAccount(ask);
    return result.ok ? ok({}) : result;
  };
  const byPerson = async (asker: Asker, ask: (account: AccountService) => Promise<Result<unknown>>) =>
    activations.take(asker.windowId, asker.activation) ? done(ask) : err(notByPerson);
  return {
    'account.log': procedure(
      z.strictObject({
        filter: z.strictObject({
          days: z.literal(logPeriods),
          status: z.number().int().min(100).max(599).nullable(),
          method: z.enum(logMethods).nullable(),
          route: z.string().min(1).max(300).nullable(),
          keyId: id.nullable(),
          isFailedOnly: z.boolean(),
          hidesReads: z.boolean(),
          text: z.string().max(300),
        }),
        cursor: z.string().max(4096).nullable(),
      }),
      ({ filter, cursor }) => withAccount((account) => account.log(filter, cursor)),
    ),
    /** `ownSuffix`: the last characters of the key that this app works with. */
    'account.keys': procedure(nothing, () =>
      withAccount(async (account) => {
        const listed = await account.keys();
        return listed.ok ? ok({ keys: listed.value, ownSuffix: account.ownSuffix() }) : listed;
      }),
    ),
    'account.permissions': procedure(nothing, () =>
      withAccount(async (account) => {
        const listed = await account.permissions();
        return listed.ok ? ok({ permissions: listed.value }) : listed;
      }),
    ),
    /** The new key stays in main: `account.copyKey` and `account.useKey` take it from there. */
    'account.createKey': procedure(keyInput.extend({ name: z.string().max(400) }), (wanted, asker) =>
      withAccount(async (account) => {
        if (!activations.take(asker.windowId, asker.activation)) return err(notByPerson);
        if (keys.isInText(wanted.name)) return err(makeFailure('key-in-text'));
        const made = await account.createKey(wanted);
        if (!made.ok) return made;
        const secret = account.secrets.get(made.value.id);
        return ok({ key: made.value, maskedSuffix: secret?.maskedSuffix ?? '' });
      }),
    ),
    'account.copyKey': procedure(z.strictObject({ keyId: id }), ({ keyId }) =>
      done(async (account) => {
        const secret = account.secrets.get(keyId);
        if (secret === null) return err(secretGone);
        return copySecret(secret.reveal());
      }),
    ),
    'account.useKey': procedure(z.strictObject({ keyId: id }), ({ keyId }) =>
      done(async (account) => {
        const secret = account.secrets.get(keyId);
        if (secret === null) return err(secretGone);
        await keys.take(secret);
        return ok(null);
      }),
    ),
    'account.dropKey': procedure(z.strictObject({ keyId: id }), ({ keyId }) =>
      done(async (account) => {
        account.secrets.drop(keyId);
        return ok(null);
      }),
    ),
    'account.updateKey': procedure(
      z.strictObject({ keyId: id, wanted: keyInput }),
      async ({ keyId, wanted }, asker) => {
        if (!activations.take(asker.windowId, asker.activation)) return err(notByPerson);
        return withAccount(async (account) => {
          if (wanted.name !== undefined && keys.isInText(wanted.name)) return err(makeFailure('key-in-text'));
          const updated = await account.updateKey(keyId, wanted);
          return updated.ok ? ok({ key: updated.value }) : updated;
        });
      },
    ),
    'account.revokeKey': procedure(z.strictObject({ keyId: id }), ({ keyId }, asker) =>
      byPerson(asker, (account) => account.revokeKey(keyId)),
    ),
    'account.removeKey': procedure(z.strictObject({ keyId: id }), ({ keyId }, asker) =>
      byPerson(asker, (account) => account.removeKey(keyId)),
    ),
  };
};

const page = z.number().int().min(1).max(100_000);
const url = z.string().max(8192);
const eventTypes = z.array(z.string().max(64)).max(20);

export const webhookProcedures = ({ workspaces, signingSecret, openKeyWindow, activations }: App) => {
  const withWebhooks = askOpened(workspaces, (workspace) => workspace.webhooks);
  const withSecret = (ask: (webhooks: WebhookService) => Promise<Result<WebhookView>>) =>
    withWebhooks(async (webhooks) => {
      const made = await ask(webhooks);
      if (!made.ok) return made;
      return ok({ webhook: made.value, maskedSuffix: webhooks.secrets.get(made.value.id)?.maskedSuffix ?? null });
    });
  const delivered = async (ask: (webhooks: WebhookService) => ReturnType<WebhookService['test']>) => {
    const queued = await withWebhooks(ask);
    return queued.ok ? ok({ delivery: queued.value }) : queued;
  };
  const heldFor = (webhooks: WebhookService, webhookId: string | null) =>
    (webhookId === null ? null : webhooks.secrets.get(webhookId)) ?? signingSecret();
  return {
    'webhooks.list': procedure(nothing, async () => {
      const listed = await withWebhooks((webhooks) => webhooks.list());
      return listed.ok ? ok({ webhooks: listed.value }) : listed;
    }),
    /** The secret stays in main; `maskedSuffix` null: the answer did not contain one, so it has to be rotated. */
    'webhooks.create': procedure(z.strictObject({ url, eventTypes }), (wanted) =>
      withSecret((webhooks) => webhooks.create(wanted)),
    ),
    'webhooks.update': procedure(
      z.strictObject({
        webhookId: id,
        revision: z.number().int().nullable(),
        change: z.strictObject({
          url: url.optional(),
          eventTypes: eventTypes.optional(),
          enabled: z.boolean().optional(),
        }),
      }),
      ({ webhookId, revision, change }) => withWebhooks((webhooks) => webhooks.update(webhookId, change, revision)),
    ),
    'webhooks.remove': procedure(
      z.strictObject({ webhookId: id, revision: z.number().int().nullable() }),
      async ({ webhookId, revision }) => {
        const removed = await withWebhooks((webhooks) => webhooks.remove(webhookId, revision));
        return removed.ok ? ok({}) : removed;
      },
    ),
    'webhooks.rotate': procedure(z.strictObject({ webhookId: id }), async ({ webhookId }, { windowId, activation }) =>
      activations.take(windowId, activation) ? withSecret((webhooks) => webhooks.rotate(webhookId)) : err(notByPerson),
    ),
    'webhooks.copySecret': procedure(z.strictObject({ webhookId: id }), ({ webhookId }) =>
      withWebhooks(async (webhooks) => {
        const secret = webhooks.secrets.get(webhookId);
        if (secret === null) return err(secretGone);
        return copySecret(secret.reveal());
      }),
    ),
    'webhooks.dropSecret': procedure(z.strictObject({ webhookId: id }), ({ webhookId }) =>
      withWebhooks(async (webhooks) => {
        webhooks.secrets.drop(webhookId);
        return ok({});
      }),
    ),
    'webhooks.test': procedure(z.strictObject({ webhookId: id }), ({ webhookId }) =>
      delivered((webhooks) => webhooks.test(webhookId)),
    ),
    'webhooks.deliveries': procedure(z.strictObject({ webhookId: id, page }), ({ webhookId, page }) =>
      withWebhooks((webhooks) => webhooks.deliveries(webhookId, page)),
    ),
    'webhooks.retry': procedure(z.strictObject({ webhookId: id, deliveryId: id }), ({ webhookId, deliveryId }) =>
      delivered((webhooks) => webhooks.retry(webhookId, deliveryId)),
    ),
    /** Opens the small window for a signing secret; `webhooks.secretTyped` reports when there is one. */
    'webhooks.enterSecret': procedure(nothing, async () => {
      openKeyWindow('signing');
      return ok({});
    }),
    /** The secret that a check would use: that of this webhook if it was created in this run, otherwise the typed one. */
    'webhooks.secretHeld': procedure(z.strictObject({ webhookId: id.nullable() }), ({ webhookId }) =>
      withWebhooks(async (webhooks) => ok({ maskedSuffix: heldFor(webhooks, webhookId)?.maskedSuffix ?? null })),
    ),
    /** Whether a pasted delivery was signed with that secret; null: main has none. */
    'webhooks.check': procedure(
      z.strictObject({ webhookId: id.nullable(), headers: z.string().max(64_000), body: z.string().max(1_000_000) }),
      ({ webhookId, headers, body }) =>
        withWebhooks(async (webhooks) => {
          const secret = heldFor(webhooks, webhookId);
          return ok({ check: secret === null ? null : webhooks.check(headers, body, secret) });
        }),
      { maxInputBytes: 4 * 1024 * 1024 },
    ),
  };
};

export const usageProcedures = ({ workspaces, connection, settings, saveText, windowOf }: App) => {
  /** Without a key no account is in use, and what this computer spent at all of them is counted. */
  const actionsIn = ({ ledger, accountId }: Workspace, period: { readonly fromMs: number; readonly toMs: number }) =>
    ledger.list({ ...period, ...(connection.serviceIdentity() !== null && { account: accountId() }) });
  const countedHere = async (days: UsagePeriod): Promise<Result<Usage>> => {
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    void workspace.value.readCosts();
    const nowMs = Date.now();
    const actions = actionsIn(workspace.value, { fromMs: usageFrom(days, nowMs), toMs: dayOf(nowMs).toMs });
    if (!actions.ok) return actions;
    return ok(usageByDay(withExpectedCosts(workspace.value, actions.value, nowMs), days, nowMs));
  };
  const rateOf = async (work: Parameters<typeof readCreditRate>[2]) => {
    const library = await workspaces.opened();
    return library.ok ? ok(readCreditRate(library.value, Date.now(), work)) : library;
  };
  const countedByService = async (days: UsagePeriod): Promise<Result<UsageReport>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? workspace.value.account.usage(days) : workspace;
  };
  const csvOf = async (days: UsagePeriod, from: UsageReport['source']): Promise<Result<string>> => {
    if (from === 'service') {
      const report = await countedByService(days);
      return report.ok ? ok(reportCsv(report.value)) : report;
    }
    const usage = await countedHere(days);
    return usage.ok ? ok(usageCsv(usage.value)) : usage;
  };
  return {
    'usage.days': procedure(
      z.strictObject({ days: z.literal(usagePeriods), from: z.enum(['service', 'computer']) }),
      async ({ days, from }) => {
        if (from === 'service') return countedByService(days);
        const usage = await countedHere(days);
        return usage.ok ? ok(reportOfComputer(usage.value)) : usage;
      },
    ),
    'usage.saveCsv': procedure(
      z.strictObject({ days: z.literal(usagePeriods), from: z.enum(['service', 'computer']) }),
      async ({ days, from }, { windowId }) => {
        const text = await csvOf(days, from);
        if (!text.ok) return text;
        const path = await chooseSavePath(windowOf(windowId), {
          title: dialogWords(settings.get().interfaceLanguage)('files.saveUsage'),
          defaultPath: `ovoz-usage-${String(days)}.csv`,
          filters: [{ name: 'CSV', extensions: ['csv'] }],
        });
        if (path === null) return ok({ savedAs: null });
        const saved = await saveText(path, text.value);
        return saved.ok ? ok({ savedAs: basename(path) }) : saved;
      },
    ),
    /** Credits that this app used since midnight, as far as the service reported them; there is no balance to read. */
    'usage.today': procedure(nothing, async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      // What is found is published, and read again then.
      void library.value.readCosts();
      const actions = actionsIn(library.value, dayOf(Date.now()));
      return actions.ok ? ok(sumUsed(actions.value)) : actions;
    }),
    'usage.rate': procedure(nothing, async () => rateOf('transcribe')),
    'usage.speakersRate': procedure(nothing, async () => rateOf('speakers')),
    'usage.dictationRate': procedure(nothing, async () => rateOf('dictate')),
    'usage.isolationRate': procedure(nothing, async () => rateOf('isolate')),
    'usage.listenRate': procedure(nothing, async () => rateOf('listen')),
    /** Of a thousand characters to speak; null: not reported yet. */
    'usage.speechRate': procedure(nothing, async () => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      return ok({ credits: library.value.ledger.expectedCredits('speak.generate', { characters: 1000 }) });
    }),
  };
};
