import type { Workspace } from '../workspace/open-workspace.ts';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  askMessages,
  findCitations,
  markedLines,
  type AskMessageText,
  type AskSource,
  type SpokenLine,
} from '../../shared/domain/assistant/ask-messages.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { foldText } from '../../shared/domain/text/fold-text.ts';
import { clock } from '../../shared/domain/time/time-code.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { StoredLibrary } from '../workspace/stored-library.ts';
import { addAmounts } from '../../shared/domain/ledger/paid-action.ts';
import { inspectAttachment, judgeFiles, type AskMessage, type BrokenAnswer } from '../service/ask.ts';
import type { AskCommand } from './options.ts';
import { filePort } from '../platform/node/export-disk.ts';
import { helpAfter, type RunResult } from './ending.ts';
import { placeFile, unfinishedBeside } from '../platform/node/place-file.ts';
import type { PaidRun } from './speak.ts';
import { visible, visibleText, type Reporter } from './reporter.ts';

interface Run extends PaidRun<AskCommand> {
  readonly library: StoredLibrary;
  readonly language: InterfaceLanguage;
}

interface Prepared {
  readonly messages: readonly AskMessage[];
  readonly lines: ReadonlyMap<string, SpokenLine>;
  readonly titles: ReadonlyMap<string, string>;
  readonly uploadedIds: readonly string[];
}

export async function askQuestion(run: Run, text: string): Promise<RunResult> {
  const { command, session, reporter, signal } = run;
  const prepared = await prepare(run, text);
  if (!prepared.ok) return reporter.endWith(prepared.error);
  const { messages, lines, titles, uploadedIds } = prepared.value;
  const chosen = await session.assistant.chooseModel(command.model, messages, command.maxTokens, signal);
  if (!chosen.ok) return reporter.endWith(chosen.error);
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
    ...(command.temperature === null ? {} : { temperature: command.temperature }),
    sendsAgain: command.sendsAgain,
    onText: (piece) => reporter.piece(piece),
    signal,
  });
  reporter.endPieces();
  if (!answer.ok) return reportBroken(run, answer.error);
  const { finishReason, llmRequestId, usage } = answer.value;
  // After a failure they stay, so that the same question is the same request.
  for (const fileId of uploadedIds) await session.assistant.detach(fileId, signal);
  const settled = await session.assistant.lookUp(llmRequestId, signal);
  const credits = settled?.credits ?? usage.credits;
  const citations = findCitations(answer.value.text, lines);
  reporter.json({
    answer: answer.value.text,
    ...(lines.size === 0 ? {} : { citations }),
    model,
    finishReason,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    credits,
    requestId: llmRequestId,
    error: null,
  });
  if (!reporter.isJson)
    for (const { mark, transcriptId, startMs } of citations)
      reporter.note(`[${mark}] ${clock(startMs)} ${visible(titles.get(transcriptId) ?? '')}`);
  if (finishReason === 'length') reporter.note(reporter.words('cli.ask.cut'));
  if (credits !== null && !reporter.isJson) reporter.note(costWords(reporter, credits));
  return 'done';
}

async function prepare({ command, session, library, language, signal }: Run, text: string): Promise<Result<Prepared>> {
  const listed = command.about.length === 0 ? ok([]) : library.list();
  if (!listed.ok) return listed;
  const sources: AskSource[] = [];
  for (const name of command.about) {
    const found = listed.value.find(({ id, title }) => id === name || foldText(title).text === foldText(name).text);
    const read = found === undefined ? null : library.read(found.id);
    if (found === undefined || read === null)
      return err(
        makeFailure('deleted-at-service', { code: 'unknown_transcript', outcome: 'not_sent', layer: 'local' }),
      );
    if (!read.ok) return read;
    const transcriptId = found.id;
    sources.push({
      transcriptId,
      title: read.value.title,
      lines: read.value.segments.map((segment) => ({ ...segment, transcriptId })),
    });
  }
  const attachable = await judgeAttached(command.attach);
  if (!attachable.ok) return attachable;
  const fileIds: string[] = [];
  const uploadedIds: string[] = [];
  for (const path of command.attach) {
    // oxlint-disable-next-line no-await-in-loop -- the service takes four at a time, and a refused one ends it
    const attached = await session.assistant.attach(resolve(path), command.model, signal);
    if (!attached.ok) return attached;
    const { fileId, isUploaded } = attached.value;
    fileIds.push(fileId);
    if (isUploaded) uploadedIds.push(fileId);
  }
  const about: readonly AskMessageText[] =
    sources.length === 0
      ? [{ role: 'user', content: text }]
      : askMessages(sources, [], { task: 'question', question: text }, language);
  const messages = about.map((message, at): AskMessage => {
    if (at < about.length - 1 || fileIds.length === 0) return message;
    const files = fileIds.map((file_id) => ({ type: 'file' as const, file: { file_id } }));
    return { role: 'user', content: [{ type: 'text', text: message.content }, ...files] };
  });
  const system = command.system === null ? [] : [{ role: 'system' as const, content: command.system }];
  return ok({
    messages: [...system, ...messages],
    lines: markedLines(sources),
    titles: new Map(sources.map(({ transcriptId, title }) => [transcriptId, title])),
    uploadedIds,
  });
}

async function judgeAttached(paths: readonly string[]): Promise<Result<null>> {
  const fault = judgeFiles([paths.length]);
  if (fault !== null)
    return err(
      makeFailure('attachment-unusable', { code: `attachment_${fault}`, outcome: 'not_sent', layer: 'local' }),
    );
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one file after another in memory
    const inspected = await inspectAttachment(resolve(path));
    if (!inspected.ok) return inspected;
  }
  return ok(null);
}

async function reportBroken(run: Run, { failure, partial, llmRequestId, unreadable = [] }: BrokenAnswer) {
  const { session, reporter, signal } = run;
  const settled = await session.assistant.lookUp(llmRequestId, signal);
  const help = helpAfter(failure);
  const kept = await keep(partial, unreadable);
  const words = [
    ...(kept === null ? [] : [reporter.words('cli.ask.kept', { path: visible(kept) })]),
    ...(settled?.credits === null || settled === null ? [] : [costWords(reporter, settled.credits)]),
    ...(failure.kind === 'question-already-asked' ? [reporter.words('cli.ask.already')] : []),
    ...(help === null ? [] : [reporter.words(help === 'cli.goOn' ? 'cli.ask.notAgain' : help)]),
  ];
  const facts = partial === '' ? {} : { partial: visibleText(partial) };
  return reporter.endWith(failure, words, { ...facts, unreadable, kept, requestId: llmRequestId });
}

/** Saves the received part of a paid answer, and what of it could not be parsed. Null: nothing was received. */
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

const costWords = (reporter: Run['reporter'], credits: string): string =>
  reporter.words('cli.ask.cost', { credits: addAmounts([credits]) });

interface ConversationRun {
  readonly command: AskCommand;
  readonly workspace: Workspace;
  readonly reporter: Reporter;
  readonly language: InterfaceLanguage;
  readonly signal: AbortSignal;
}

export async function askInConversation(run: ConversationRun, question: string): Promise<RunResult> {
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

function findPlace({
  command,
  workspace,
}: ConversationRun): Result<{ conversationId: string | null; transcriptIds: string[] }> {
  const missing = (code: string) =>
    err(makeFailure('deleted-at-service', { code, outcome: 'not_sent', layer: 'local' }));
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

async function chooseModel(
  { command, workspace, signal }: ConversationRun,
  conversationId: string | null,
): Promise<Result<string>> {
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
    ? err(makeFailure('deleted-at-service', { code: 'no_model', outcome: 'not_sent', layer: 'local' }))
    : ok(cheapest.id);
}
