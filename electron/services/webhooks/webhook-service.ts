import { createHmac } from 'node:crypto';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { checkDelivery, readHeaderLines, type DeliveryCheck } from '../../../shared/domain/webhooks/check-delivery.ts';
import {
  judgeWebhookInput,
  webhookLimits,
  type DeliveryView,
  type WebhookView,
  type WebhookInput,
} from '../../../shared/domain/webhooks/webhook.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { WebhooksApi, WebhookWithSecret } from '../../service/account.ts';
import { Secret } from '../../secret/secret.ts';
import { createShownOnce, readKeyText, type KeyTextProblem } from '../secrets/key-service.ts';

/** `conflict`: somebody else changed it since it was read, and nothing was overwritten. */
export type WebhookChange =
  | { readonly tag: 'saved'; readonly webhook: WebhookView }
  | { readonly tag: 'conflict'; readonly current: WebhookView };

type ReadDelivery = Extract<Awaited<ReturnType<WebhooksApi['test']>>, { ok: true }>['value'];

const viewOf = ({ status, ...delivery }: ReadDelivery): DeliveryView => ({
  ...delivery,
  state: status?.known === true ? status.state : null,
});

const mostListPages = 5;

const sortedOf = (eventTypes: readonly string[]): string => eventTypes.toSorted().join(' ');
const isSame = (webhook: WebhookView, url: string, eventTypes: readonly string[]): boolean =>
  webhook.enabled &&
  URL.parse(webhook.url ?? '')?.href === URL.parse(url.trim())?.href &&
  sortedOf(webhook.eventTypes) === sortedOf(eventTypes);

/** Subscriptions and deliveries (contract 4.11) with the API key; even reading needs `webhooks` access. */
export function createWebhookService(api: WebhooksApi, now: () => number) {
  const secrets = createShownOnce();
  const refuse = (code: string, fields: Readonly<Record<string, string>> = {}): Result<never> =>
    err(makeFailure('webhook-unchanged', { code, outcome: 'not_sent', layer: 'local', fields }));
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
  const keeping = (made: Result<WebhookWithSecret>): Result<WebhookView> => {
    if (!made.ok) return made;
    const { webhook, secret } = made.value;
    // Without a secret the webhook still exists, and its secret can be rotated.
    if (secret !== null) secrets.keep(webhook.id, secret);
    return ok(webhook);
  };

  return {
    secrets,
    list,
    /** After a lost answer the list is searched. webhook-unchanged for faulty input and for one that exists. */
    async create({
      url,
      eventTypes,
    }: {
      readonly url: string;
      readonly eventTypes: readonly string[];
    }): Promise<Result<WebhookView>> {
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
    /** Only if it still has the revision that was shown. */
    async update(
      id: string,
      change: WebhookInput & { readonly enabled?: boolean | undefined },
      revision: number | null,
    ): Promise<Result<WebhookChange>> {
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
    async remove(id: string, revision: number | null): Promise<Result<null>> {
      const removed = await api.remove(id, revision);
      if (removed.ok) secrets.drop(id);
      return removed;
    },
    rotate: async (id: string): Promise<Result<WebhookView>> => keeping(await api.rotate(id)),
    async test(id: string): Promise<Result<DeliveryView>> {
      const queued = await api.test(id);
      return queued.ok ? ok(viewOf(queued.value)) : queued;
    },
    async deliveries(id: string, page: number) {
      const found = await api.deliveries(id, { page, pageSize: 50 });
      if (!found.ok) return found;
      const { items, total, nextPage } = found.value;
      const deliveries: readonly DeliveryView[] = items.map(viewOf);
      return ok({ deliveries, total, nextPage });
    },
    async retry(id: string, deliveryId: string): Promise<Result<DeliveryView>> {
      const queued = await api.retry(id, deliveryId);
      return queued.ok ? ok(viewOf(queued.value)) : queued;
    },
    check: (headers: string, body: string, secret: Secret): DeliveryCheck =>
      checkDelivery(
        readHeaderLines(headers),
        body,
        (text) => createHmac('sha256', secret.reveal()).update(text).digest('hex'),
        now(),
      ),
  };
}

export type WebhookService = ReturnType<typeof createWebhookService>;

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
