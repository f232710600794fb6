import {
  askMessages,
  askSource,
  markedLines,
  roughTokens,
  type AskMessageText,
  type AskSource,
} from '../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask, mostAnswerTokens, usualAnswerTokens } from '../../../shared/domain/assistant/ask-tasks.ts';
import {
  lineBatches,
  lineMessages,
  missingLines,
  type MarkedLines,
} from '../../../shared/domain/assistant/line-tasks.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addAmounts, estimateQuestion } from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { judgeFiles } from '../../api/resources/attach-file.ts';
import type { LibraryStore } from '../library/store.ts';
import { mostCredits, type AssistantService, type ModelCatalog } from './assistant-service.ts';
import type { AskWanted } from './conversations.ts';
import type { ConversationStore, Exchange, ExchangeFile } from './conversation-store.ts';

/** What a question sends: the messages of one request, or of several over all lines. */
export interface Prepared {
  readonly requests: readonly (readonly AskMessageText[])[];
  readonly lines: MarkedLines;
  /** The exchange with the lines received so far. */
  readonly kept: Exchange | null;
  /** Of each question of the conversation, the new one last. */
  readonly files: readonly (readonly ExchangeFile[])[];
}

interface PreparingPorts {
  readonly store: Pick<ConversationStore, 'exchanges'>;
  readonly transcript: LibraryStore['transcript'];
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly assistant: AssistantService;
  readonly isGone: (transcriptId: string) => boolean;
  readonly now: () => number;
}

const catalogForMs = 5 * 60_000;
export const refuseFiles = (fault: string) =>
  err(makeFailure('E-079', { code: `attachment_${fault}`, outcome: 'not_sent', layer: 'local' }));
export const unknownItem = (code: string) => err(makeFailure('E-040', { code, outcome: 'not_sent', layer: 'local' }));

/** Turns what is wanted into what is sent, and estimates its highest cost; all limits are checked here. */
export function createPreparing({ store, transcript, nameSpeaker, assistant, isGone, now }: PreparingPorts) {
  let catalog: { readonly value: ModelCatalog; readonly atMs: number } | null = null;

  const models = async (signal?: AbortSignal): Promise<Result<ModelCatalog, Failure>> => {
    if (catalog !== null && now() - catalog.atMs < catalogForMs) return ok(catalog.value);
    const read = await assistant.models(signal);
    if (read.ok) catalog = { value: read.value, atMs: now() };
    return read;
  };

  const sourcesOf = (transcriptIds: readonly string[]): Result<readonly AskSource[]> => {
    const sources: AskSource[] = [];
    for (const transcriptId of transcriptIds) {
      const read = isGone(transcriptId) ? ok(null) : transcript(transcriptId);
      if (!read.ok) return read;
      if (read.value === null) return unknownItem('unknown_transcript');
      sources.push(askSource(read.value, nameSpeaker));
    }
    return ok(sources);
  };

  const filesOf = async (wanted: Pick<AskWanted, 'files'>): Promise<Result<readonly ExchangeFile[], Failure>> => {
    const files: ExchangeFile[] = [];
    for (const path of wanted.files) {
      // oxlint-disable-next-line no-await-in-loop -- four at most
      const inspected = await assistant.inspect(path);
      if (!inspected.ok) return inspected;
      files.push({ ...inspected.value, path, fileId: null });
    }
    return ok(files);
  };

  /** What a question sends, following the earlier questions of its conversation with their files. */
  const prepare = async (wanted: Omit<AskWanted, 'title'>): Promise<Result<Prepared, Failure>> => {
    const sources = sourcesOf(wanted.transcriptIds);
    if (!sources.ok) return sources;
    const before = wanted.conversationId === null ? ok([]) : store.exchanges(wanted.conversationId);
    if (!before.ok) return before;
    const at = before.value.findIndex(({ id }) => id === wanted.again);
    const again = before.value[at];
    const own = again === undefined ? await filesOf(wanted) : ok(again.files);
    if (!own.ok) return own;
    const lines = markedLines(sources.value);
    const { task } = wanted;
    if (isLineTask(task)) {
      if (sources.value.length !== 1) return unknownItem('one_transcript');
      // Marks are line numbers: after an edit of the transcript they may mean other lines, so the received ones are dropped.
      const isSame = again?.citations.every(({ mark, segmentId }) => lines.get(mark)?.segmentId === segmentId) ?? false;
      const kept = isSame ? (again ?? null) : null;
      const parts = lineBatches(missingLines(kept?.answer ?? '', lines)).map((batch) => lineMessages(task, batch));
      return ok({ requests: parts, lines, kept, files: [] });
    }
    // The received part of an interrupted answer belongs to the conversation; an answer that never came does not.
    const earlier = before.value
      .slice(0, at < 0 ? undefined : at)
      .flatMap(({ task: earlierTask, ...one }) =>
        one.answer === '' || isLineTask(earlierTask) ? [] : [{ ...one, task: earlierTask }],
      );
    const messages = askMessages(sources.value, earlier, { ...wanted, task }, wanted.language);
    const files = [...earlier.map((one) => one.files), own.value];
    const fault = judgeFiles(files.map((some) => some.length));
    return fault === null ? ok({ requests: [messages], lines, kept: null, files }) : refuseFiles(fault);
  };

  const estimateOf = async ({ model, task }: Pick<AskWanted, 'model' | 'task'>, { requests, files }: Prepared) => {
    const known = await models();
    const found = known.ok ? known.value.models.find(({ id }) => id === model) : undefined;
    const maxTokens = Math.min(mostAnswerTokens[task], found?.maxOutputTokens ?? mostAnswerTokens[task]);
    const creditsPerUsd = known.ok ? known.value.creditsPerUsd : null;
    const all = files.flat();
    const costs = requests.map((messages) => {
      const bytes = Buffer.byteLength(JSON.stringify(messages));
      return found === undefined ? null : mostCredits({ ...found, creditsPerUsd }, bytes, all.length > 0, maxTokens);
    });
    const credits = costs.every((cost) => cost !== null) ? addAmounts(costs) : null;
    // An answer by lines is about as long as they are.
    const probable = requests.map((messages) => {
      const tokens = roughTokens(messages);
      const answer = Math.min(maxTokens, isLineTask(task) ? tokens : usualAnswerTokens);
      return found === undefined || all.length > 0
        ? null
        : estimateQuestion({ ...found, creditsPerUsd }, tokens, answer);
    });
    const isPriced = credits !== null && probable.every((cost) => cost !== null);
    const usual = isPriced ? (assistant.usualCost(credits) ?? addAmounts(probable)) : null;
    // PDFs need both (contract 4.3).
    const reads = (purpose: ExchangeFile['purpose']) =>
      found === undefined || (found.seesImages && (purpose === 'vision' || found.readsDocuments));
    return { credits, usual, maxTokens, readsFiles: all.every(({ purpose }) => reads(purpose)) };
  };

  return { models, prepare, estimateOf };
}
