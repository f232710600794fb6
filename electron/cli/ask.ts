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
  const { command, session, teller, signal } = run;
  const messages: readonly AskMessage[] = [
    ...(command.system === null ? [] : [{ role: 'system' as const, content: command.system }]),
    { role: 'user', content: text },
  ];
  const chosen = await session.assistant.chooseModel(command.model, messages, command.maxTokens, signal);
  if (!chosen.ok) return tell(run, chosen.error);
  const { model, estimate } = chosen.value;
  teller.status(
    estimate === null
      ? teller.words('cli.ask.workingUnpriced', { model })
      : teller.words('cli.ask.working', { model, credits: estimate }),
    { step: 'asking', model, ...(estimate === null ? {} : { mostCredits: estimate }) },
  );
  const answer = await session.assistant.ask({
    ...chosen.value,
    messages,
    maxTokens: command.maxTokens,
    sendsAgain: command.sendsAgain,
    onText: (piece) => teller.piece(piece),
    signal,
  });
  teller.endPieces();
  if (!answer.ok) return tellBroken(run, answer.error);
  const { finishReason, llmRequestId, usage } = answer.value;
  const settled = await session.assistant.lookUp(llmRequestId, signal);
  const credits = settled?.credits ?? usage.credits;
  teller.json({
    answer: answer.value.text,
    model,
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

async function tellBroken(run: Run, { failure, partial, llmRequestId, unreadable = [] }: BrokenAnswer) {
  const { session, teller, signal } = run;
  const settled = await session.assistant.lookUp(llmRequestId, signal);
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
