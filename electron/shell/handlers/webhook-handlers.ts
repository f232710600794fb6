import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { WebhookView } from '../../../shared/domain/webhooks/webhook-views.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { WebhookService } from '../../services/webhooks/webhook-service.ts';
import { notByPerson } from '../../services/spend/paid-actions.ts';
import { copySecret } from '../copy-secret.ts';
import { secretGone } from './account-handlers.ts';
import type { HandlerServices } from './handler-services.ts';

type WebhookHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `webhooks.${string}`>>;

export const webhookHandlers = ({
  workspaces,
  signingSecret,
  window: { openKeyWindow, activations },
}: HandlerServices): WebhookHandlers => {
  const withWebhooks = async <T>(ask: (webhooks: WebhookService) => Promise<Result<T>>): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(workspace.value.webhooks) : workspace;
  };
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
    'webhooks.list': async () => {
      const listed = await withWebhooks((webhooks) => webhooks.list());
      return listed.ok ? ok({ webhooks: listed.value }) : listed;
    },
    'webhooks.create': (wanted) => withSecret((webhooks) => webhooks.create(wanted)),
    'webhooks.update': ({ webhookId, revision, change }) =>
      withWebhooks((webhooks) => webhooks.update(webhookId, change, revision)),
    'webhooks.remove': async ({ webhookId, revision }) => {
      const removed = await withWebhooks((webhooks) => webhooks.remove(webhookId, revision));
      return removed.ok ? ok({}) : removed;
    },
    'webhooks.rotate': async ({ webhookId }, { windowId, activation }) =>
      activations.take(windowId, activation) ? withSecret((webhooks) => webhooks.rotate(webhookId)) : err(notByPerson),
    'webhooks.copySecret': ({ webhookId }) =>
      withWebhooks(async (webhooks) => {
        const secret = webhooks.secrets.get(webhookId);
        if (secret === null) return err(secretGone);
        return copySecret(secret.reveal());
      }),
    'webhooks.dropSecret': ({ webhookId }) =>
      withWebhooks(async (webhooks) => {
        webhooks.secrets.drop(webhookId);
        return ok({});
      }),
    'webhooks.test': ({ webhookId }) => delivered((webhooks) => webhooks.test(webhookId)),
    'webhooks.deliveries': ({ webhookId, page }) => withWebhooks((webhooks) => webhooks.deliveries(webhookId, page)),
    'webhooks.retry': ({ webhookId, deliveryId }) => delivered((webhooks) => webhooks.retry(webhookId, deliveryId)),
    'webhooks.enterSecret': async () => {
      openKeyWindow('signing');
      return ok({});
    },
    'webhooks.secretHeld': ({ webhookId }) =>
      withWebhooks(async (webhooks) => ok({ maskedSuffix: heldFor(webhooks, webhookId)?.maskedSuffix ?? null })),
    'webhooks.check': ({ webhookId, headers, body }) =>
      withWebhooks(async (webhooks) => {
        const secret = heldFor(webhooks, webhookId);
        return ok({ check: secret === null ? null : webhooks.check(headers, body, secret) });
      }),
  };
};
