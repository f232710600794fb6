import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAmounts, estimateQuestion } from '../../shared/domain/ledger/paid-action.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { AskMessage, BrokenAnswer } from '../api/resources/ask.ts';
import type { AskCommand } from './command.ts';
import { filePort } from '../platform/node/file-port.ts';
import { resultOf, type RunResult } from './ending.ts';
import { placeFile, unfinishedBeside } from './place-file.ts';
import { helpAfter, noteFailure, openWish } from './session.ts';
import type { PaidRun } from './speak.ts';
import { visible, visibleText } from './teller.ts';

type Run = PaidRun<AskCommand>;

interface Chosen {
  readonly model: string;
  /** The most it can cost, credits as decimal text; null: the prices are not told. */
  readonly estimate: string | null;
}

/** Asks a model and shows its answer as it comes. */
export async function askQuestion(run: Run, text: string): Promise<RunResult> {
  const { command, session, teller, signal } = run;
  const messages: readonly AskMessage[] = [
    ...(command.system === null ? [] : [{ role: 'system' as const, content: command.system }]),
    { role: 'user', content: text },
  ];
  const chosen = await chooseModel(run, messages);
  if ('row' in chosen) return tell(run, chosen);
  const parts = ['ask', chosen.model, command.system ?? '', text, String(command.maxTokens)];
  const opened = openWish(session, parts, { sendsAgain: command.sendsAgain, nowMs: Date.now() });
  if (!opened.ok) return tell(run, opened.error);

  const { model, estimate } = chosen;
  teller.status(
    estimate === null
      ? teller.words('cli.ask.workingUnpriced', { model })
      : teller.words('cli.ask.working', { model, credits: estimate }),
    { step: 'asking', model, ...(estimate === null ? {} : { mostCredits: estimate }) },
  );
  const answer = await session.client.ask.askStreaming(
    {
      model: chosen.model,
      messages,
      maxCompletionTokens: command.maxTokens,
      estimateCredits: chosen.estimate ?? undefined,
      idempotencyKey: opened.value.wish.actionId,
      signal,
    },
    (piece) => teller.piece(piece),
  );
  teller.endPieces();
  if (!answer.ok) {
    noteFailure(session, opened.value, answer.error.failure);
    return tellBroken(run, answer.error);
  }
  session.ledger.closeWish(opened.value.wish.fingerprint);
  const { finishReason, llmRequestId, usage } = answer.value;
  const settled = await lookUp(run, llmRequestId);
  const credits = settled?.credits ?? usage.credits;
  teller.json({
    answer: answer.value.text,
    model: chosen.model,
    finishReason,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    credits,
    requestId: llmRequestId,
    error: null,
  });
  if (finishReason === 'length') teller.note(teller.words('cli.ask.cut'));
  if (credits !== null && !teller.isJson) teller.note(costWords(teller, credits));
  return 'done';
}

/** The model that was named, or the cheapest of the catalogue; its prices bound the cost. */
async function chooseModel(
  { command, session, signal }: Run,
  messages: readonly AskMessage[],
): Promise<Chosen | Failure> {
  const catalog = await session.client.ask.models(signal);
  // A key that may ask but not read prices can still ask, when the model is named.
  if (!catalog.ok && command.model === null) return catalog.error;
  const { models, creditsPerUsd } = catalog.ok ? catalog.value : { models: [], creditsPerUsd: null };
  const bytes = Buffer.byteLength(JSON.stringify(messages));
  const offers = models.map((model) => ({
    model: model.id,
    estimate: estimateQuestion({ ...model, creditsPerUsd }, bytes, command.maxTokens),
  }));
  if (command.model === null) return cheapest(offers) ?? unknownModel('no_model');
  const named = offers.find(({ model }) => model === command.model);
  if (named !== undefined) return named;
  return models.length > 0 ? unknownModel('unknown_model') : { model: command.model, estimate: null };
}

const unknownModel = (code: string): Failure => makeFailure('E-040', { code, outcome: 'not_sent', layer: 'local' });

/** One without a price is taken only when none has one. */
const cheapest = (offers: readonly Chosen[]): Chosen | undefined =>
  offers.toSorted((a, b) => Number(a.estimate ?? Infinity) - Number(b.estimate ?? Infinity))[0];

/** What the service recorded of a question: free, and written to the ledger on the way. */
async function lookUp({ session, signal }: Run, llmRequestId: string | null) {
  if (llmRequestId === null || signal.aborted) return null;
  const status = await session.client.ask.status(llmRequestId, signal);
  return status.ok ? status.value : null;
}

async function tellBroken(run: Run, { failure, partial, llmRequestId, unreadable = [] }: BrokenAnswer) {
  const { teller } = run;
  const settled = await lookUp(run, llmRequestId);
  const help = helpAfter(failure);
  const kept = await keep(partial, unreadable);
  const words = [
    ...(kept === null ? [] : [teller.words('cli.ask.kept', { path: visible(kept) })]),
    ...(settled?.credits === null || settled === null ? [] : [costWords(teller, settled.credits)]),
    ...(failure.row === 'E-070' ? [teller.words('cli.ask.already')] : []),
    ...(help === null ? [] : [teller.words(help === 'cli.goOn' ? 'cli.ask.notAgain' : help)]),
  ];
  const facts = partial === '' ? {} : { partial: visibleText(partial) };
  teller.failure(failure, words, { ...facts, unreadable, kept, requestId: llmRequestId });
  return resultOf(failure);
}

/** Puts what came of a paid answer, and what of it can't be read, into a file of this folder. Null: nothing came. */
async function keep(partial: string, unreadable: readonly string[]): Promise<string | null> {
  if (partial === '' && unreadable.length === 0) return null;
  const target = resolve('answer.txt');
  const unfinished = unfinishedBeside(target);
  try {
    const written = await filePort.writeWhole(unfinished, `${[partial, ...unreadable].join('\n').trim()}\n`);
    const placed = written.ok ? await placeFile(unfinished, target, false) : written;
    return placed.ok ? placed.value : null;
  } finally {
    await rm(unfinished, { force: true });
  }
}

function tell({ teller }: Run, failure: Failure): RunResult {
  const help = helpAfter(failure);
  teller.failure(failure, help === null ? [] : [teller.words(help)]);
  return resultOf(failure);
}

/** Amounts come with as many digits as the service counts; zeros at the end say nothing. */
const costWords = (teller: Run['teller'], credits: string): string =>
  teller.words('cli.ask.cost', { credits: addAmounts([credits]) });
