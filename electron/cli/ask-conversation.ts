import { resolve } from 'node:path';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { foldText } from '../../shared/domain/text/fold-text.ts';
import { clock } from '../../shared/domain/time/time-code.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AskCommand } from './command.ts';
import type { RunResult } from './ending.ts';
import type { Reporter } from './reporter.ts';

interface Run {
  readonly command: AskCommand;
  readonly workspace: Workspace;
  readonly reporter: Reporter;
  readonly language: InterfaceLanguage;
  readonly signal: AbortSignal;
}

/** Asks in a conversation that the library keeps, as the window does; the answer is saved while it comes. */
export async function askInConversation(run: Run, question: string): Promise<RunResult> {
  const { command, workspace, reporter, language, signal } = run;
  const { conversations } = workspace;
  try {
    const place = findPlace(run);
    const model = place.ok ? await chooseModel(run, place.value.conversationId) : place;
    if (!place.ok) return reporter.endWith(place.error);
    if (!model.ok) return reporter.endWith(model.error);
    const { conversationId, transcriptIds } = place.value;
    const title = question.slice(0, 120);
    const wanted = {
      conversationId,
      transcriptIds,
      task: 'question' as const,
      question,
      files: command.attach.map((path) => resolve(path)),
      model: model.value,
      language,
    };
    const estimate = await conversations.estimate(wanted);
    const credits = estimate.ok ? estimate.value.credits : null;
    reporter.status(
      credits === null
        ? reporter.words('cli.ask.workingUnpriced', { model: model.value })
        : reporter.words('cli.ask.working', { model: model.value, credits }),
      { step: 'asking', model: model.value, ...(credits === null ? {} : { mostCredits: credits }) },
    );
    // Interrupted while the price was looked up: nothing is asked.
    if (signal.aborted) return 'failed';
    let exchangeId = '';
    const stop = () => {
      conversations.stop(exchangeId);
    };
    signal.addEventListener('abort', stop);
    const answered = await conversations.ask({ ...wanted, title, again: null }, (progress) => {
      if (progress.kind === 'text') return reporter.piece(progress.piece);
      exchangeId = progress.exchange.id;
      if (signal.aborted) stop();
    });
    signal.removeEventListener('abort', stop);
    reporter.endPieces();
    if (!answered.ok) return reporter.endWith(answered.error);
    const { answer, citations, failure, llmRequestId, ...exchange } = answered.value;
    if (exchange.state !== 'done' && failure !== null) return reporter.endWith(failure);
    reporter.json({
      answer,
      citations,
      conversationId: exchange.conversationId,
      model: model.value,
      finishReason: failure?.code === 'answer_cut' ? 'length' : null,
      credits: exchange.credits,
      requestId: llmRequestId,
      error: null,
    });
    if (!reporter.isJson) {
      for (const { mark, startMs } of citations) reporter.note(`[${mark}] ${clock(startMs)}`);
      if (failure !== null) reporter.note(reporter.explain(failure));
      if (exchange.credits !== null) reporter.note(reporter.words('cli.ask.cost', { credits: exchange.credits }));
      reporter.note(reporter.words('cli.ask.goesOn', { id: exchange.conversationId }));
    }
    return exchange.state === 'done' ? 'done' : 'failed';
  } finally {
    await workspace.close();
  }
}

/** The named conversation, and the transcripts it is about plus those of the command; both by id or title. */
function findPlace({ command, workspace }: Run): Result<{ conversationId: string | null; transcriptIds: string[] }> {
  const missing = (code: string) => err(makeFailure('E-040', { code, outcome: 'not_sent', layer: 'local' }));
  const listed = workspace.deletion.list();
  if (!listed.ok) return listed;
  const added: string[] = [];
  for (const name of command.about) {
    const found = listed.value.find(({ id, title }) => id === name || foldText(title).text === foldText(name).text);
    if (found === undefined) return missing('unknown_transcript');
    added.push(found.id);
  }
  if (command.conversation === 'new') return ok({ conversationId: null, transcriptIds: added });
  const wanted = command.conversation ?? '';
  const conversations = workspace.conversations.list();
  if (!conversations.ok) return conversations;
  const one = conversations.value.find(
    ({ id, title }) => id === wanted || foldText(title).text === foldText(wanted).text,
  );
  if (one === undefined) return missing('unknown_conversation');
  return ok({ conversationId: one.id, transcriptIds: [...new Set([...one.transcriptIds, ...added])] });
}

/** The named model, or the cheapest one that reads the files of the conversation, as without a conversation. */
async function chooseModel(
  { command, workspace, signal }: Run,
  conversationId: string | null,
): Promise<Result<string, Failure>> {
  if (command.model !== null) return ok(command.model);
  const catalog = await workspace.conversations.models(signal);
  if (!catalog.ok) return catalog;
  const opened = conversationId === null ? null : workspace.conversations.open(conversationId);
  if (opened?.ok === false) return opened;
  const hasFiles = command.attach.length > 0 || opened?.value.exchanges.some(({ files }) => files.length > 0) === true;
  const [cheapest] = catalog.value.models
    .filter(({ seesImages, readsDocuments }) => !hasFiles || (seesImages && readsDocuments))
    .toSorted((one, other) => Number(one.outputPrice ?? Infinity) - Number(other.outputPrice ?? Infinity));
  return cheapest === undefined
    ? err(makeFailure('E-040', { code: 'no_model', outcome: 'not_sent', layer: 'local' }))
    : ok(cheapest.id);
}
