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
import type { AskMessage, BrokenAnswer } from '../api/resources/ask.ts';
import { inspectAttachment, judgeFiles } from '../api/resources/attach-file.ts';
import type { AskCommand } from './command.ts';
import { filePort } from '../platform/node/file-port.ts';
import { helpAfter, type RunResult } from './ending.ts';
import { placeFile, unfinishedBeside } from '../platform/node/place-file.ts';
import type { PaidRun } from './speak.ts';
import { visible, visibleText } from './reporter.ts';

interface Run extends PaidRun<AskCommand> {
  readonly library: StoredLibrary;
  readonly language: InterfaceLanguage;
}

/** What is sent, and what belongs to it. */
interface Prepared {
  readonly messages: readonly AskMessage[];
  readonly lines: ReadonlyMap<string, SpokenLine>;
  readonly titles: ReadonlyMap<string, string>;
  /** The files that this run uploaded. */
  readonly uploadedIds: readonly string[];
}

/** Asks a model and shows its answer as it comes. */
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
  // Nothing asks with these files again; after a failure they stay, so that the same question is the same request. A
  // file that was at the service already may belong to a conversation.
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

/** Builds the question, with its transcripts as data and its files by id; transcripts are named by id or title. */
async function prepare({ command, session, library, language, signal }: Run, text: string): Promise<Result<Prepared>> {
  const listed = command.about.length === 0 ? ok([]) : library.list();
  if (!listed.ok) return listed;
  const sources: AskSource[] = [];
  for (const name of command.about) {
    const found = listed.value.find(({ id, title }) => id === name || foldText(title).text === foldText(name).text);
    const read = found === undefined ? null : library.read(found.id);
    if (found === undefined || read === null)
      return err(makeFailure('E-040', { code: 'unknown_transcript', outcome: 'not_sent', layer: 'local' }));
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

/** Refuses files that the question can't have, before one of them is uploaded. */
async function judgeAttached(paths: readonly string[]): Promise<Result<null>> {
  const fault = judgeFiles([paths.length]);
  if (fault !== null)
    return err(makeFailure('E-079', { code: `attachment_${fault}`, outcome: 'not_sent', layer: 'local' }));
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
    ...(failure.row === 'E-070' ? [reporter.words('cli.ask.already')] : []),
    ...(help === null ? [] : [reporter.words(help === 'cli.goOn' ? 'cli.ask.notAgain' : help)]),
  ];
  const facts = partial === '' ? {} : { partial: visibleText(partial) };
  return reporter.endWith(failure, words, { ...facts, unreadable, kept, requestId: llmRequestId });
}

/**
 * Saves the received part of a paid answer, and what of it could not be parsed, in this folder. Null: nothing was
 * received.
 */
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

/** The service reports amounts with many digits; trailing zeros mean nothing. */
const costWords = (reporter: Run['reporter'], credits: string): string =>
  reporter.words('cli.ask.cost', { credits: addAmounts([credits]) });
