import { addAmounts, estimateQuestion } from '../../shared/domain/ledger/paid-action.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { AskMessage, BrokenAnswer } from '../api/resources/ask.ts';
import type { AskCommand } from './command.ts';
import { helpAfter, noteFailure, openWish } from './session.ts';
import type { PaidRun } from './speak.ts';
import { visibleText } from './teller.ts';

type Run = PaidRun<AskCommand>;

interface Chosen {
  readonly model: string;
  /** The most it can cost, credits as decimal text; null: the prices are not told. */
  readonly estimate: string | null;
}

/** Asks a model and shows its answer as it comes. Answers whether it came whole. */
export async function askQuestion(run: Run, text: string): Promise<boolean> {
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

  if (chosen.estimate !== null) {
    teller.status(teller.words('cli.ask.working', { model: chosen.model, credits: chosen.estimate }));
  }
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
  return true;
}

/** The model that was named, or the first of the catalogue; its prices bound the cost. */
async function chooseModel(
  { command, session, signal }: Run,
  messages: readonly AskMessage[],
): Promise<Chosen | Failure> {
  const catalog = await session.client.ask.models(signal);
  // A key that may ask but not read prices can still ask, when the model is named.
  if (!catalog.ok && command.model === null) return catalog.error;
  const { models, creditsPerUsd } = catalog.ok ? catalog.value : { models: [], creditsPerUsd: null };
  const model = command.model === null ? models[0] : models.find(({ id }) => id === command.model);
  const id = command.model ?? model?.id;
  if (id === undefined) return makeFailure('E-040', { code: 'no_model', outcome: 'not_sent' });
  if (model === undefined) return { model: id, estimate: null };
  const bytes = Buffer.byteLength(JSON.stringify(messages));
  return { model: id, estimate: estimateQuestion({ ...model, creditsPerUsd }, bytes, command.maxTokens) };
}

/** What the service recorded of a question: free, and written to the ledger on the way. */
async function lookUp({ session, signal }: Run, llmRequestId: string | null) {
  if (llmRequestId === null || signal.aborted) return null;
  const status = await session.client.ask.status(llmRequestId, signal);
  return status.ok ? status.value : null;
}

async function tellBroken(run: Run, { failure, partial, llmRequestId }: BrokenAnswer): Promise<false> {
  const { teller } = run;
  const settled = await lookUp(run, llmRequestId);
  const help = helpAfter(failure);
  const words = [
    ...(settled?.credits === null || settled === null ? [] : [costWords(teller, settled.credits)]),
    ...(failure.row === 'E-070' ? [teller.words('cli.ask.already')] : []),
    ...(help === null ? [] : [teller.words(help === 'cli.goOn' ? 'cli.ask.notAgain' : help)]),
  ];
  const facts = partial === '' ? {} : { partial: visibleText(partial) };
  teller.failure(failure, words, { ...facts, requestId: llmRequestId });
  return false;
}

function tell({ teller }: Run, failure: Failure): false {
  const help = helpAfter(failure);
  teller.failure(failure, help === null ? [] : [teller.words(help)]);
  return false;
}

/** Amounts come with as many digits as the service counts; zeros at the end say nothing. */
const costWords = (teller: Run['teller'], credits: string): string =>
  teller.words('cli.ask.cost', { credits: addAmounts([credits]) });
