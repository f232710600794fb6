import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { listLegacyVoices } from '../../shared/domain/speech/voices.ts';
import { lengthClock } from '../../shared/domain/time/time-code.ts';
import { addAmounts } from '../../shared/domain/ledger/paid-action.ts';
import { dailyUse, type DayOfUse } from '../../shared/domain/ledger/usage-by-day.ts';
import { readPages } from '../services/account/read-pages.ts';
import type { Ledger } from '../services/account/ledger.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok } from '../../shared/result/result.ts';
import { mayPassLater, type RunResult } from './ending.ts';
import type { HistoryCommand, ModelsCommand, RequestCommand, UsageCommand, VoicesCommand } from './options.ts';
import type { PaidRun } from './speak.ts';
import { visible, type Reporter } from './reporter.ts';

export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, at) => Math.max(found[at] ?? 0, visible(cell).length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? visible(cell) : visible(cell).padEnd((widths[at] ?? 0) + 2)))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

export const interrupted = makeFailure('stopped', { code: 'cancelled', layer: 'local' });

export const printUnlisted = (reporter: Reporter, failure: Failure): RunResult =>
  reporter.endWith(failure, mayPassLater(failure) ? [reporter.words('cli.ended.later')] : []);

export async function listVoices({ command, session, reporter, signal }: PaidRun<VoicesCommand>): Promise<RunResult> {
  if (command.isLegacy) return printLegacyVoices(command, reporter);
  const filter = {
    ...(command.language === null ? {} : { language: command.language }),
    ...(command.isOwnOnly ? { kind: 'custom' as const } : {}),
  };
  const voices = await session.client.speak.voices(filter, signal);
  if (!voices.ok) return printUnlisted(reporter, voices.error);
  const { items } = voices.value;
  reporter.json({ voices: items, error: null });
  if (items.length === 0) reporter.line(reporter.words('cli.voices.none'));
  else {
    const rows = items.map(({ voiceId, name, languages, gender, canManage }) => [
      voiceId,
      [name ?? '', ...(canManage ? [reporter.words('cli.voices.own')] : [])].join(' ').trim(),
      languages.join(', '),
      gender ?? '',
    ]);
    reporter.line(table([columns(reporter, 'voices', ['id', 'name', 'languages', 'gender']), ...rows]));
  }
  return 'done';
}

/** The voices of the legacy API are its moods, which no route lists. */
function printLegacyVoices({ language }: VoicesCommand, reporter: Reporter): RunResult {
  const voices = listLegacyVoices((key) => reporter.words(`speak.legacyVoices.${key}`)).filter(
    ({ languages }) => language === null || languages.includes(language),
  );
  reporter.json({
    voices: voices.map(({ id, name, languages }) => ({ voiceId: id, name, languages, kind: 'legacy' })),
    error: null,
  });
  const rows = voices.map(({ id, name, languages }) => [id, name, languages.join(', ')]);
  reporter.line(table([columns(reporter, 'voices', ['id', 'name', 'languages']), ...rows]));
  return 'done';
}

export async function listModels({ session, reporter, signal }: PaidRun<ModelsCommand>): Promise<RunResult> {
  const catalog = await session.client.ask.models(signal);
  if (!catalog.ok) return printUnlisted(reporter, catalog.error);
  const { models, creditsPerUsd } = catalog.value;
  reporter.json({ models, creditsPerUsd, error: null });
  if (models.length === 0) reporter.line(reporter.words('cli.models.none'));
  else {
    const rows = models.map(({ id, inputPrice, outputPrice, seesImages, readsDocuments }) => [
      id,
      inputPrice ?? '?',
      outputPrice ?? '?',
      [...(seesImages ? [reporter.words('cli.models.images')] : []), ...(readsDocuments ? ['PDF'] : [])].join(', '),
    ]);
    reporter.line(table([columns(reporter, 'models', ['id', 'input', 'output', 'reads']), ...rows]));
    reporter.line(reporter.words('cli.models.prices', { credits: creditsPerUsd ?? '?' }));
  }
  return 'done';
}

export async function listHistory({ command, session, reporter, signal }: PaidRun<HistoryCommand>): Promise<RunResult> {
  const listed = await readPages(
    async (cursor, found) => {
      const limit = command.limit - found;
      const page = await session.client.speak.list({ limit, ...(cursor === null ? {} : { cursor }) }, signal);
      return page.ok && page.value.items.length === 0 ? ok({ items: [], nextCursor: null }) : page;
    },
    ({ id }) => id,
    (found) => found >= command.limit,
  );
  if (!listed.ok) return printUnlisted(reporter, listed.error);
  const generations = listed.value.slice(0, command.limit);
  // The audio addresses are signed, so they stay inside the app.
  reporter.json({ generations: generations.map(({ audio: _audio, ...rest }) => rest), error: null });
  if (generations.length === 0) reporter.line(reporter.words('cli.history.none'));
  else {
    const rows = generations.map(({ id, createdAt, language, text }) => [
      id,
      createdAt ?? '',
      language ?? '',
      (text ?? '').replaceAll(/\s+/gu, ' ').slice(0, 60),
    ]);
    reporter.line(table([columns(reporter, 'history', ['id', 'created', 'language', 'text']), ...rows]));
  }
  return 'done';
}

export async function printRequest({
  command,
  session,
  reporter,
  signal,
}: PaidRun<RequestCommand>): Promise<RunResult> {
  const status = await session.client.ask.status(command.requestId, signal);
  if (!status.ok) return printUnlisted(reporter, status.error);
  const { outcome, rawStatus, credits, usage } = status.value;
  const { inputTokens, outputTokens } = usage;
  reporter.json({
    requestId: command.requestId,
    outcome,
    status: rawStatus,
    credits,
    inputTokens,
    outputTokens,
    error: null,
  });
  reporter.line(
    [
      reporter.words(`cli.request.${outcome}`),
      ...(credits === null ? [] : [reporter.words('cli.ask.cost', { credits: addAmounts([credits]) })]),
    ].join(' '),
  );
  return 'done';
}

export const columns = (reporter: Reporter, list: string, names: readonly string[]): readonly string[] =>
  names.map((name) => reporter.words(`cli.${list}.columns.${name}`));

export function printUsage(ledger: Ledger, command: UsageCommand, reporter: Reporter, nowMs: number): boolean {
  const fromMs = nowMs - command.days * 86_400_000;
  const listed = ledger.list({ fromMs, toMs: nowMs + 1 });
  if (!listed.ok) {
    reporter.failure(listed.error);
    return false;
  }
  const days = dailyUse(listed.value, (atMs) => -new Date(atMs).getTimezoneOffset());
  reporter.json({ days, error: null });
  if (days.length === 0) reporter.line(reporter.words('cli.spent.none', { days: command.days }));
  else {
    const names = ['day', 'product', 'accepted', 'uncertain', 'amount', 'credits'] as const;
    const rows = days.map((day) => [
      day.day,
      day.product,
      String(day.accepted),
      String(day.uncertain),
      amount(day, reporter),
      cost(day, reporter),
    ]);
    reporter.line(table([columns(reporter, 'spent', names), ...rows]));
    if (days.some(({ uncertain }) => uncertain > 0)) reporter.line(reporter.words('cli.spent.uncertain'));
  }
  return true;
}

function amount({ characters, audioMs, tokens }: DayOfUse, reporter: Reporter): string {
  return [
    ...(characters > 0 ? [reporter.words('cli.spent.characters', { count: characters })] : []),
    ...(audioMs > 0 ? [lengthClock(audioMs)] : []),
    ...(tokens > 0 ? [reporter.words('cli.spent.tokens', { count: tokens })] : []),
  ].join(', ');
}

function cost({ credits, unreported, expectedCredits }: DayOfUse, reporter: Reporter): string {
  if (unreported === 0) return credits;
  const values = { credits, count: unreported, expected: expectedCredits };
  return reporter.words(expectedCredits === '0' ? 'cli.spent.unreported' : 'cli.spent.partly', values);
}
