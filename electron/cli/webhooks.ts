import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { DeliveryView, WebhookView } from '../../shared/domain/webhooks/webhook-views.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { faultsOf, printSecret } from './account.ts';
import type { WebhooksCommand } from './command.ts';
import { resultOf, type RunResult } from './ending.ts';
import { columns, interrupted, table, printUnlisted } from './lists.ts';
import { errorOf, type Reporter } from './reporter.ts';
import type { PaidRun } from './speak.ts';

/** Lists, makes, changes and tries webhooks, with their deliveries. */
export async function manageWebhooks(run: PaidRun<WebhooksCommand>): Promise<RunResult> {
  const { command, session, reporter } = run;
  const { action, subject, deliveryId, url, eventTypes } = command;
  const { webhooks } = session;
  const refused = (failure: Failure): RunResult => reporter.endWith(failure, faultsOf(reporter, 'webhooks', failure));
  const withSecret = (made: WebhookView, sentence: string): RunResult => {
    const whenLost = reporter.words('cli.webhooks.noSecret', { id: made.id });
    printSecret(run, { webhook: made }, made.id, [sentence, whenLost], webhooks.secrets);
    return 'done';
  };
  const change = async (wanted: Parameters<typeof webhooks.update>[1]): Promise<RunResult> => {
    const revision = await revisionOf(run);
    if (!revision.ok) return refused(revision.error);
    const changed = await webhooks.update(subject, wanted, revision.value);
    if (!changed.ok) return refused(changed.error);
    if (changed.value.tag === 'saved') {
      printWebhooks(reporter, [changed.value.webhook]);
      return 'done';
    }
    const conflict = makeFailure('E-100', { code: 'webhook_revision_conflict', outcome: 'refused' });
    const title = reporter.words('webhooks.conflict.title');
    if (!reporter.isJson) reporter.note(title);
    printWebhooks(reporter, [changed.value.current], errorOf(conflict, title));
    return resultOf(conflict);
  };
  switch (action) {
    case 'list': {
      const listed = await webhooks.list();
      if (!listed.ok) return printUnlisted(reporter, listed.error);
      printWebhooks(reporter, listed.value);
      return 'done';
    }
    case 'create': {
      const made = await webhooks.create({ url: subject, eventTypes });
      return made.ok
        ? withSecret(made.value, reporter.words('cli.webhooks.made', { id: made.value.id }))
        : refused(made.error);
    }
    case 'change':
      return change({ ...(url === null ? {} : { url }), ...(eventTypes.length === 0 ? {} : { eventTypes }) });
    case 'disable':
    case 'enable':
      return change({ enabled: action === 'enable' });
    case 'delete': {
      const revision = await revisionOf(run);
      if (!revision.ok) return refused(revision.error);
      const gone = await webhooks.remove(subject, revision.value);
      if (!gone.ok) return refused(gone.error);
      reporter.json({ id: subject, error: null });
      reporter.line(reporter.words('cli.webhooks.deleted', { id: subject }));
      return 'done';
    }
    case 'rotate': {
      const rotated = await webhooks.rotate(subject);
      return rotated.ok
        ? withSecret(rotated.value, reporter.words('cli.webhooks.rotated', { id: subject }))
        : refused(rotated.error);
    }
    case 'test':
    case 'retry': {
      const queued = await (action === 'test' ? webhooks.test(subject) : webhooks.retry(subject, deliveryId));
      if (!queued.ok) return refused(queued.error);
      printDeliveries(reporter, [queued.value]);
      return 'done';
    }
    case 'deliveries':
      return listDeliveries(run);
  }
}

/** The newest deliveries are listed, up to this many pages of 50. */
const mostPages = 4;

async function listDeliveries({ command, session, reporter, signal }: PaidRun<WebhooksCommand>): Promise<RunResult> {
  const found = new Map<string, DeliveryView>();
  let page: number | null = 1;
  while (page !== null && page <= mostPages) {
    // oxlint-disable-next-line no-await-in-loop -- a page names the next one
    const read: Awaited<ReturnType<typeof session.webhooks.deliveries>> = await session.webhooks.deliveries(
      command.subject,
      page,
    );
    if (!read.ok) return printUnlisted(reporter, read.error);
    for (const delivery of read.value.deliveries) found.set(delivery.id, delivery);
    if (signal.aborted) return printUnlisted(reporter, interrupted);
    page = read.value.nextPage;
  }
  const all = [...found.values()];
  printDeliveries(reporter, all, { more: page !== null });
  if (page !== null) reporter.line(reporter.words('cli.webhooks.moreDeliveries', { shown: all.length }));
  return 'done';
}

/** The revision as it is now, so that a change made elsewhere meanwhile is not overwritten. */
async function revisionOf({ command, session }: PaidRun<WebhooksCommand>) {
  const listed = await session.webhooks.list();
  if (!listed.ok) return listed;
  return { ok: true as const, value: listed.value.find(({ id }) => id === command.subject)?.revision ?? null };
}

function printWebhooks(
  reporter: Reporter,
  webhooks: readonly WebhookView[],
  error: ReturnType<typeof errorOf> | null = null,
): void {
  reporter.json({ webhooks, error });
  if (webhooks.length === 0) return reporter.line(reporter.words('webhooks.empty'));
  const rows = webhooks.map(({ id, url, enabled, eventTypes }) => [
    id,
    reporter.words(enabled ? 'webhooks.enabled' : 'webhooks.off'),
    url ?? '',
    eventTypes.join(', '),
  ]);
  reporter.line(table([columns(reporter, 'webhooks', ['id', 'state', 'url', 'events']), ...rows]));
}

function printDeliveries(
  reporter: Reporter,
  deliveries: readonly DeliveryView[],
  facts: { readonly more?: boolean } = {},
): void {
  reporter.json({ deliveries, ...facts, error: null });
  if (deliveries.length === 0) return reporter.line(reporter.words('webhooks.noDeliveries'));
  const rows = deliveries.map(({ id, eventType, state, attempts, responseStatus, createdAt }) => [
    id,
    eventType ?? '',
    reporter.words(`webhooks.states.${state ?? 'unknown'}`),
    attempts === null ? '' : String(attempts),
    responseStatus === null ? '' : String(responseStatus),
    createdAt ?? '',
  ]);
  const names = ['id', 'event', 'state', 'attempts', 'answer', 'created'];
  reporter.line(table([columns(reporter, 'deliveries', names), ...rows]));
}
