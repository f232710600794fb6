import { createHmac } from 'node:crypto';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { checkDelivery, readHeaderLines, type DeliveryCheck } from '../../../shared/domain/webhooks/check-delivery.ts';
import type { DeliveryView, WebhookView } from '../../../shared/domain/webhooks/webhook-views.ts';
import { judgeWebhookInput, webhookLimits, type WebhookInput } from '../../../shared/domain/webhooks/webhook-input.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { WebhooksApi, WebhookWithSecret } from '../../api/resources/webhooks.ts';
import { Secret } from '../../secret/secret.ts';
import { createShownOnce, type ShownOnce } from '../secrets/secret-store.ts';
import { readKeyText, type KeyTextProblem } from '../secrets/key-service.ts';

/**
 * The result of a change: it was saved, or somebody else changed the webhook since it was read and nothing was
 * overwritten.
 */
export type WebhookChange =
  | { readonly tag: 'saved'; readonly webhook: WebhookView }
  | { readonly tag: 'conflict'; readonly current: WebhookView };

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  readonly total: number | null;
  readonly nextPage: number | null;
}

export interface WebhookService {
  list(): Promise<Result<readonly WebhookView[]>>;
  /**
   * The secret is stored in `secrets` under the id of the webhook; after a lost answer there is none, and the webhook
   * that was made is found in the list. E-100 `not_sent` for input that the service would refuse, and for a webhook that
   * exists already.
   */
  create(wanted: { readonly url: string; readonly eventTypes: readonly string[] }): Promise<Result<WebhookView>>;
  /** Only if it still has the revision that was shown. */
  update(
    id: string,
    change: WebhookInput & { readonly enabled?: boolean | undefined },
    revision: number | null,
  ): Promise<Result<WebhookChange>>;
  remove(id: string, revision: number | null): Promise<Result<null>>;
  rotate(id: string): Promise<Result<WebhookView>>;
  test(id: string): Promise<Result<DeliveryView>>;
  deliveries(id: string, page: number): Promise<Result<DeliveryPage>>;
  retry(id: string, deliveryId: string): Promise<Result<DeliveryView>>;
  /** Whether a delivery was signed with this secret; nothing of it is stored. */
  check(headers: string, body: string, secret: Secret): DeliveryCheck;
  readonly secrets: ShownOnce;
}

type ReadDelivery = Extract<Awaited<ReturnType<WebhooksApi['test']>>, { ok: true }>['value'];

const viewOf = ({ status, ...delivery }: ReadDelivery): DeliveryView => ({
  ...delivery,
  state: status?.known === true ? status.state : null,
});

const mostListPages = 5;

const sortedOf = (eventTypes: readonly string[]): string => eventTypes.toSorted().join(' ');
/** Whether this active webhook sends the same events to the same address. */
const isSame = (webhook: WebhookView, url: string, eventTypes: readonly string[]): boolean =>
  webhook.enabled &&
  URL.parse(webhook.url ?? '')?.href === URL.parse(url.trim())?.href &&
  sortedOf(webhook.eventTypes) === sortedOf(eventTypes);

/** Subscriptions and deliveries (contract 4.11) with the API key; even reading needs `webhooks` access. */
export function createWebhookService(api: WebhooksApi, now: () => number): WebhookService {
  const secrets = createShownOnce();
  const refuse = (code: string, fields: Readonly<Record<string, string>> = {}): Result<never, Failure> =>
    err(makeFailure('E-100', { code, outcome: 'not_sent', layer: 'local', fields }));
  const refusalOf = (wanted: WebhookInput): Result<null> => {
    const faults = judgeWebhookInput(wanted);
    return faults.length === 0
      ? ok(null)
      : refuse('validation_error', Object.fromEntries(faults.map(({ field, problem }) => [field, problem])));
  };
  const list = async (): Promise<Result<readonly WebhookView[]>> => {
    const all = new Map<string, WebhookView>();
    for (let page: number | null = 1; page !== null && page <= mostListPages;) {
      const found: Awaited<ReturnType<WebhooksApi['list']>> = await api.list({ page, pageSize: 100 });
      if (!found.ok) return found;
      for (const webhook of found.value.items) all.set(webhook.id, webhook);
      page = found.value.nextPage;
    }
    return ok([...all.values()]);
  };
  const keeping = (made: Result<WebhookWithSecret, Failure>): Result<WebhookView> => {
    if (!made.ok) return made;
    const { webhook, secret } = made.value;
    // Without a secret the webhook still exists, and its secret can be rotated.
    if (secret !== null) secrets.keep(webhook.id, secret);
    return ok(webhook);
  };

  return {
    secrets,
    list,
    async create({ url, eventTypes }) {
      const judged = refusalOf({ url, eventTypes });
      if (!judged.ok) return judged;
      const known = await list();
      if (!known.ok) return known;
      if (known.value.filter(({ enabled }) => enabled).length >= webhookLimits.activePerAccount)
        return refuse('webhook_limit_reached');
      if (known.value.some((webhook) => isSame(webhook, url, eventTypes))) return refuse('webhook_exists');
      const made = await api.create({ url: url.trim(), eventTypes });
      if (made.ok || made.error.outcome === 'refused' || made.error.outcome === 'not_sent') return keeping(made);
      const after = await list();
      if (!after.ok) return err({ ...made.error, code: 'webhook_perhaps_made', layer: 'local' });
      const found = after.value.find((webhook) => isSame(webhook, url, eventTypes));
      return found === undefined ? made : ok(found);
    },
    async update(id, change, revision) {
      const judged = refusalOf(change);
      if (!judged.ok) return judged;
      const { url, eventTypes, enabled } = change;
      const wanted = {
        ...(url === undefined ? {} : { url: url.trim() }),
        ...(eventTypes === undefined ? {} : { eventTypes }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      const updated = await api.update(id, wanted, revision);
      if (updated.ok) return ok({ tag: 'saved', webhook: updated.value });
      if (updated.error.code !== 'webhook_revision_conflict') return updated;
      const current = await api.read(id);
      return current.ok ? ok({ tag: 'conflict', current: current.value }) : current;
    },
    async remove(id, revision) {
      const removed = await api.remove(id, revision);
      if (removed.ok) secrets.drop(id);
      return removed;
    },
    rotate: async (id) => keeping(await api.rotate(id)),
    async test(id) {
      const queued = await api.test(id);
      return queued.ok ? ok(viewOf(queued.value)) : queued;
    },
    async deliveries(id, page) {
      const found = await api.deliveries(id, { page, pageSize: 50 });
      if (!found.ok) return found;
      const { items, total, nextPage } = found.value;
      return ok({ deliveries: items.map(viewOf), total, nextPage });
    },
    async retry(id, deliveryId) {
      const queued = await api.retry(id, deliveryId);
      return queued.ok ? ok(viewOf(queued.value)) : queued;
    },
    check: (headers, body, secret) =>
      checkDelivery(
        readHeaderLines(headers),
        body,
        (text) => createHmac('sha256', secret.reveal()).update(text).digest('hex'),
        now(),
      ),
  };
}

/** Holds a signing secret that the user typed to check a delivery, until another is typed or the app quits. */
export function createSigningSecret(onTyped: (maskedSuffix: string) => void) {
  let held: Secret | null = null;
  return {
    current: (): Secret | null => held,
    async save(text: string): Promise<Result<null, KeyTextProblem>> {
      const parsed = readKeyText(text);
      if (!parsed.ok) return err(parsed.problem);
      held = new Secret(parsed.key);
      onTyped(held.maskedSuffix);
      return ok(null);
    },
  };
}
