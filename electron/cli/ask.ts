import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAmounts } from '../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { AskMessage, BrokenAnswer } from '../api/resources/ask.ts';
import type { AskCommand } from './command.ts';
import { filePort } from '../platform/node/file-port.ts';
import { helpAfter, resultOf, type RunResult } from './ending.ts';
import { placeFile, unfinishedBeside } from './place-file.ts';
import type { PaidRun } from './speak.ts';
import { visible, visibleText } from './reporter.ts';

type Run = PaidRun<AskCommand>;

/** Asks a model and shows its answer as it comes. */
export async function askQuestion(run: Run, text: string): Promise<RunResult> {
  const { command, session, reporter, signal } = run;
  const messages: readonly AskMessage[] = [
    ...(command.system === null ? [] : [{ role: 'system' as const, content: command.system }]),
    { role: 'user', content: text },
  ];
  const chosen = await session.assistant.chooseModel(command.model, messages, command.maxTokens, signal);
  if (!chosen.ok) return tell(run, chosen.error);
  const { model, estimate } = chosen.value;
  reporter.status(
    estimate === null
      ? reporter.words('cli.ask.workingUnpriced', { model })
      : reporter.words('cli.ask.working', { model, credits: estimate }),
    { step: 'asking', model, ...(estimate === null ? {} : { mostCredits: estimate }) },
  );
  const answer = await session.assistant.ask({
    ...chosen.value,
    messages,
    maxTokens: command.maxTokens,
    sendsAgain: command.sendsAgain,
    onText: (piece) => reporter.piece(piece),
    signal,
  });
  reporter.endPieces();
  if (!answer.ok) return tellBroken(run, answer.error);
  const { finishReason, llmRequestId, usage } = answer.value;
  const settled = await session.assistant.lookUp(llmRequestId, signal);
  const credits = settled?.credits ?? usage.credits;
  reporter.json({
    answer: answer.value.text,
    model,
    finishReason,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    credits,
    requestId: llmRequestId,
    error: null,
  });
  if (finishReason === 'length') reporter.note(reporter.words('cli.ask.cut'));
  if (credits !== null && !reporter.isJson) reporter.note(costWords(reporter, credits));
  return 'done';
}

async function tellBroken(run: Run, { failure, partial, llmRequestId, unreadable = [] }: BrokenAnswer) {
  const { session, reporter, signal } = run;
  const settled = await session.assistant.lookUp(llmRequestId, signal);
  const help = helpAfter(failure);
  const kept = await keep(partial, unreadable);
  const words = [
    ...(kept === null ? [] : [reporter.words('cli.ask.kept', { path: visible(kept) })]),
    ...(settled?.credits === null || settled === null ? [] : [costWords(reporter, settled.credits)]),
    ...(failure.row === 'E-070' ? [reporter.words('cli.ask.already')] : []),
    ...(help === null ? [] : [reporter.words(help === 'cli.goOn' ? 'cli.ask.notAgain' : help)]),
  ];
  const facts = partial === '' ? {} : { partial: visibleText(partial) };
  reporter.failure(failure, words, { ...facts, unreadable, kept, requestId: llmRequestId });
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

function tell({ reporter }: Run, failure: Failure): RunResult {
  const help = helpAfter(failure);
  reporter.failure(failure, help === null ? [] : [reporter.words(help)]);
  return resultOf(failure);
}

/** Amounts come with as many digits as the service counts; zeros at the end say nothing. */
const costWords = (reporter: Run['reporter'], credits: string): string =>
  reporter.words('cli.ask.cost', { credits: addAmounts([credits]) });
