import type { DeliveryView, WebhookView } from '../../shared/domain/webhooks/webhook.ts';
import { keyStateOf, type KeyView } from '../../shared/domain/account/account-views.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { AccountUsageCommand, KeysCommand, RequestsCommand, WebhooksCommand } from './options.ts';
import { resultOf, type RunResult } from './ending.ts';
import { readPages } from '../services/account/read-pages.ts';
import { columns, interrupted, table, printUnlisted } from './lists.ts';
import { visible, errorOf, type Reporter } from './reporter.ts';
import type { PaidRun } from './speak.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';

export async function printAccountUsage(run: PaidRun<AccountUsageCommand>): Promise<RunResult> {
  const { command, session, reporter } = run;
  const report = await session.account.usage(command.account);
  if (!report.ok) return printUnlisted(reporter, report.error);
  const { days, products, credits, requests, service } = report.value;
  const used = days.filter((day) => day.requests > 0 || day.credits > 0);
  const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const listed = used.map((day) => ({ day: dayOf(day.fromMs), requests: day.requests, credits: day.credits }));
  reporter.json({ days: listed, products, requests, credits, service, error: null });
  if (requests === 0) reporter.line(reporter.words('account.empty.title'));
  else {
    const amounts = (of: { readonly requests: number; readonly credits: number }) => [
      String(of.requests),
      String(of.credits),
    ];
    reporter.line(
      table([
        ['day', 'requests', 'credits'].map((name) => reporter.words(`account.${name}`)),
        ...listed.map((day) => [day.day, ...amounts(day)]),
      ]),
    );
    const nameOf = (product: string): string => {
      const key = `account.products.${product}`;
      const name = reporter.words(key);
      return name === key ? product : name;
    };
    reporter.line('');
    reporter.line(
      table([
        ['product', 'requests', 'credits'].map((name) => reporter.words(`account.${name}`)),
        ...products.map((one) => [nameOf(one.product), ...amounts(one)]),
      ]),
    );
  }
  reporter.line(reporter.words('account.countedByService'));
  return 'done';
}

export async function listRequests({ command, session, reporter, signal }: PaidRun<RequestsCommand>) {
  const { filter, limit } = command;
  const listed = await readPages(
    async (cursor) => {
      if (signal.aborted) return err(interrupted);
      const page = await session.account.log(filter, cursor);
      return page.ok ? ok({ items: page.value.entries, nextCursor: page.value.nextCursor }) : page;
    },
    ({ requestId }) => requestId,
    (found) => found >= limit,
  );
  if (!listed.ok) return printUnlisted(reporter, listed.error);
  const shown = listed.value.slice(0, limit);
  reporter.json({ requests: shown, error: null });
  if (shown.length === 0) reporter.line(reporter.words('account.log.empty'));
  else {
    const rows = shown.map(({ at, method, route, status, latencyMs, usage, requestId }) => [
      at ?? '',
      [method, route].filter((part) => part !== null).join(' '),
      status === null ? '' : String(status),
      latencyMs === null ? '' : reporter.words('account.log.ms', { value: latencyMs }),
      usage?.credits ?? '',
      requestId ?? '',
    ]);
    const heads = ['time', 'request', 'status', 'took', 'credits', 'requestId'];
    reporter.line(table([heads.map((name) => reporter.words(`account.log.${name}`)), ...rows]));
  }
  return 'done' as const;
}

export async function manageKeys(run: PaidRun<KeysCommand>): Promise<RunResult> {
  const { command, session, reporter } = run;
  const { action, subject, wanted } = command;
  const { account } = session;
  const which = wanted.allowedIps?.join(', ') ?? '';
  const refused = (failure: Failure): RunResult =>
    reporter.endWith(failure, faultsOf(reporter, 'account.keys', failure, { which }));
  switch (action) {
    case 'list': {
      const listed = await account.keys();
      if (!listed.ok) return printUnlisted(reporter, listed.error);
      printKeys(reporter, listed.value);
      return 'done';
    }
    case 'create': {
      const made = await account.createKey({ ...wanted, name: subject });
      if (!made.ok) return refused(made.error);
      const name = made.value.name ?? subject;
      const sentences = [reporter.words('cli.keys.made', { name }), reporter.words('cli.keys.noSecret')] as const;
      printSecret(run, { key: made.value }, made.value.id, sentences, account.secrets);
      return 'done';
    }
    case 'disable':
    case 'enable': {
      const changed = await account.updateKey(subject, { enabled: action === 'enable' });
      if (!changed.ok) return refused(changed.error);
      printKeys(reporter, [changed.value]);
      return 'done';
    }
    case 'revoke':
    case 'delete': {
      const gone = action === 'revoke' ? await account.revokeKey(subject) : await account.removeKey(subject);
      if (!gone.ok) return refused(gone.error);
      reporter.json({ id: subject, error: null });
      reporter.line(reporter.words(action === 'revoke' ? 'cli.keys.revoked' : 'cli.keys.deleted', { id: subject }));
      return 'done';
    }
  }
}

function printKeys(reporter: Reporter, keys: readonly KeyView[]): void {
  reporter.json({ keys, error: null });
  if (keys.length === 0) return reporter.line(reporter.words('account.keys.empty'));
  const nowMs = Date.now();
  const rows = keys.map((key) => [
    key.id,
    key.name ?? '',
    key.maskedKey ?? '',
    reporter.words(`account.keys.states.${keyStateOf(key, nowMs)}`),
    key.expiresAt ?? reporter.words('account.keys.never'),
    Object.entries(key.permissions)
      .map(([id, level]) => `${id}=${level}`)
      .join(', '),
  ]);
  reporter.line(table([columns(reporter, 'keys', ['id', 'name', 'key', 'state', 'expires', 'permissions']), ...rows]));
}

/** On standard output in a line of its own, and never in a log. `whenLost` says how to get another. */
export function printSecret(
  { reporter }: Pick<PaidRun<never>, 'reporter'>,
  made: Readonly<Record<string, unknown>>,
  id: string,
  [sentence, whenLost]: readonly [string, string],
  secrets: PaidRun<never>['session']['account']['secrets'],
): void {
  const secret = secrets.get(id)?.reveal() ?? null;
  secrets.drop(id);
  reporter.json({ ...made, secret, error: null });
  if (secret === null) return reporter.line(whenLost);
  for (const line of [sentence, secret, reporter.words('account.once.hint')]) reporter.line(line);
}

/** What is wrong with each field, in the words of the window's form; else as the service said it. */
export function faultsOf(
  { words }: Reporter,
  area: 'account.keys' | 'webhooks',
  { fields = {} }: Failure,
  values: Readonly<Record<string, string>> = {},
): readonly string[] {
  return Object.entries(fields).map(([field, problem]) => {
    const key = `${area}.faults.${field}.${problem}`;
    const found = words(key, values);
    return found === key ? `${visible(field)}: ${visible(problem)}` : found;
  });
}

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
    const conflict = makeFailure('webhook-unchanged', { code: 'webhook_revision_conflict', outcome: 'refused' });
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
