import { keyStateOf, type KeyView } from '../../shared/domain/account/account-views.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { AccountUsageCommand, KeysCommand, RequestsCommand } from './command.ts';
import type { RunResult } from './ending.ts';
import { readPages } from '../services/account/read-pages.ts';
import { columns, interrupted, table, printUnlisted } from './lists.ts';
import { visible, type Reporter } from './reporter.ts';
import type { PaidRun } from './speak.ts';

/** The usage of the account, as the service counts it. */
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

/** The requests of the account, newest first. */
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

/** Lists, makes and changes the API keys of the account. */
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

/**
 * A secret that the service shows once: on standard output in a line of its own, and never in a log. `whenLost` says how
 * to get another.
 */
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
