import { z } from 'zod';
import {
  logMethods,
  logPeriods,
  type KeyView,
  type LogEntryView,
  type PermissionView,
} from '../domain/account/account-views.ts';
import type { UsageReport } from '../domain/account/usage-report.ts';
import { lazySchema } from '../domain/lazy-schema.ts';
import { usagePeriods } from '../domain/ledger/usage-by-day.ts';
import type { DeliveryCheck } from '../domain/webhooks/check-delivery.ts';
import type { DeliveryView, WebhookView } from '../domain/webhooks/webhook-views.ts';
import { id } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));

/** Created only in main, from validated answers. */
const made = <T>(proof: string) =>
  lazySchema(() => z.custom<T>((value) => typeof value === 'object' && value !== null && proof in value));
const usageReport = made<UsageReport>('products');
const key = made<KeyView>('maskedKey');
const permission = made<PermissionView>('levels');
const logEntry = made<LogEntryView>('requestId');
const webhook = made<WebhookView>('eventTypes');
const delivery = made<DeliveryView>('attempts');
const deliveryCheck = made<DeliveryCheck>('verdict');

const page = lazySchema(() => z.number().int().min(1).max(100_000));
const keyInput = lazySchema(() =>
  z.strictObject({
    name: z.string().max(400).optional(),
    permissions: z.record(z.string().max(64), z.string().max(16)).optional(),
    expiresAt: z.string().max(64).nullable().optional(),
    creditLimit: z.number().nullable().optional(),
    allowedIps: z.array(z.string().max(100)).max(1000).optional(),
    isRestricted: z.boolean().optional(),
    disablesIfLeaked: z.boolean().optional(),
    enabled: z.boolean().optional(),
  }),
);
const url = lazySchema(() => z.string().max(8192));
const eventTypes = lazySchema(() => z.array(z.string().max(64)).max(20));
/** The last characters of a secret that main holds; null: main has none. */
const secretHeld = lazySchema(() => z.object({ maskedSuffix: z.string().max(4).nullable() }));

/** Requests about the account and webhooks. No answer contains a secret. */
export const accountRequests = {
  /** Usage by day: counted by the service for the account, or by this computer for itself. */
  'usage.days': {
    input: lazySchema(() => z.strictObject({ days: z.literal(usagePeriods), from: z.enum(['service', 'computer']) })),
    output: usageReport,
  },
  /** Saves the same as CSV, through the system's dialog. `savedAs` is null when the user cancelled. */
  'usage.saveCsv': {
    input: lazySchema(() => z.strictObject({ days: z.literal(usagePeriods), from: z.enum(['service', 'computer']) })),
    output: lazySchema(() => z.object({ savedAs: z.string().nullable() })),
  },
  /** Requests with developer keys, newest first; a search reads on until it has found some. */
  'account.log': {
    input: lazySchema(() =>
      z.strictObject({
        filter: z.strictObject({
          days: z.literal(logPeriods),
          status: z.number().int().min(100).max(599).nullable(),
          method: z.enum(logMethods).nullable(),
          route: z.string().min(1).max(300).nullable(),
          keyId: id().nullable(),
          isFailedOnly: z.boolean(),
          hidesReads: z.boolean(),
          text: z.string().max(300),
        }),
        cursor: z.string().max(4096).nullable(),
      }),
    ),
    output: lazySchema(() => z.object({ entries: z.array(logEntry()).readonly(), nextCursor: z.string().nullable() })),
  },
  /** `ownSuffix`: the last characters of the key that this app works with. */
  'account.keys': {
    input: nothing,
    output: lazySchema(() => z.object({ keys: z.array(key()).readonly(), ownSuffix: z.string().max(4) })),
  },
  'account.permissions': {
    input: nothing,
    output: lazySchema(() => z.object({ permissions: z.array(permission()).readonly() })),
  },
  /** The new key stays in main: `account.copyKey` and `account.useKey` take it from there. */
  'account.createKey': {
    input: lazySchema(() => keyInput().extend({ name: z.string().max(400) })),
    output: lazySchema(() => z.object({ key: key(), maskedSuffix: z.string() })),
  },
  /** Puts a new key into the clipboard; that is possible until it is dropped or the app quits. */
  'account.copyKey': { input: lazySchema(() => z.strictObject({ keyId: id() })), output: done },
  /** Makes a new key the key of this app. */
  'account.useKey': { input: lazySchema(() => z.strictObject({ keyId: id() })), output: done },
  /** The user has it: main forgets it. */
  'account.dropKey': { input: lazySchema(() => z.strictObject({ keyId: id() })), output: done },
  'account.updateKey': {
    input: lazySchema(() => z.strictObject({ keyId: id(), wanted: keyInput() })),
    output: lazySchema(() => z.object({ key: key() })),
  },
  'account.revokeKey': { input: lazySchema(() => z.strictObject({ keyId: id() })), output: done },
  'account.removeKey': { input: lazySchema(() => z.strictObject({ keyId: id() })), output: done },

  'webhooks.list': {
    input: nothing,
    output: lazySchema(() => z.object({ webhooks: z.array(webhook()).readonly() })),
  },
  /** The secret stays in main; `maskedSuffix` null: the answer did not contain one, so it has to be rotated. */
  'webhooks.create': {
    input: lazySchema(() => z.strictObject({ url: url(), eventTypes: eventTypes() })),
    output: lazySchema(() => z.object({ webhook: webhook(), maskedSuffix: z.string().nullable() })),
  },
  /** `conflict`: somebody else changed it since; nothing was overwritten. */
  'webhooks.update': {
    input: lazySchema(() =>
      z.strictObject({
        webhookId: id(),
        revision: z.number().int().nullable(),
        change: z.strictObject({
          url: url().optional(),
          eventTypes: eventTypes().optional(),
          enabled: z.boolean().optional(),
        }),
      }),
    ),
    output: lazySchema(() =>
      z.discriminatedUnion('tag', [
        z.object({ tag: z.literal('saved'), webhook: webhook() }),
        z.object({ tag: z.literal('conflict'), current: webhook() }),
      ]),
    ),
  },
  'webhooks.remove': {
    input: lazySchema(() => z.strictObject({ webhookId: id(), revision: z.number().int().nullable() })),
    output: done,
  },
  'webhooks.rotate': {
    input: lazySchema(() => z.strictObject({ webhookId: id() })),
    output: lazySchema(() => z.object({ webhook: webhook(), maskedSuffix: z.string().nullable() })),
  },
  'webhooks.copySecret': { input: lazySchema(() => z.strictObject({ webhookId: id() })), output: done },
  'webhooks.dropSecret': { input: lazySchema(() => z.strictObject({ webhookId: id() })), output: done },
  'webhooks.test': {
    input: lazySchema(() => z.strictObject({ webhookId: id() })),
    output: lazySchema(() => z.object({ delivery: delivery() })),
  },
  'webhooks.deliveries': {
    input: lazySchema(() => z.strictObject({ webhookId: id(), page: page() })),
    output: lazySchema(() =>
      z.object({
        deliveries: z.array(delivery()).readonly(),
        total: z.number().nullable(),
        nextPage: z.number().nullable(),
      }),
    ),
  },
  'webhooks.retry': {
    input: lazySchema(() => z.strictObject({ webhookId: id(), deliveryId: id() })),
    output: lazySchema(() => z.object({ delivery: delivery() })),
  },
  /** Opens the small window for a signing secret; `webhooks.secretTyped` reports when there is one. */
  'webhooks.enterSecret': { input: nothing, output: done },
  /** The secret that a check would use: that of this webhook if it was created in this run, otherwise the typed one. */
  'webhooks.secretHeld': {
    input: lazySchema(() => z.strictObject({ webhookId: id().nullable() })),
    output: secretHeld,
  },
  /** Whether a pasted delivery was signed with that secret; null: main has none. */
  'webhooks.check': {
    input: lazySchema(() =>
      z.strictObject({ webhookId: id().nullable(), headers: z.string().max(64_000), body: z.string().max(1_000_000) }),
    ),
    output: lazySchema(() => z.object({ check: deliveryCheck().nullable() })),
    maxInputBytes: 4 * 1024 * 1024,
  },
};

export const accountEvents = {
  /** A signing secret was typed in its own window. */
  'webhooks.secretTyped': { payload: lazySchema(() => z.object({ maskedSuffix: z.string().max(4) })) },
};
