import type { LibraryStore } from '../../storage/sqlite-library-store.ts';
import { z } from 'zod';
import {
  askMessages,
  askSource,
  markedLines,
  roughTokens,
  type AskMessageText,
  type AskSource,
  type Citation,
  type SpokenLine,
} from '../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask, mostAnswerTokens, usualAnswerTokens } from '../../../shared/domain/assistant/ask-tasks.ts';
import {
  lineBatches,
  lineMessages,
  linesAsTranscript,
  missingLines,
  readLines,
  withLines,
  type MarkedLines,
} from '../../../shared/domain/assistant/line-tasks.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { InterfaceLanguage, SpeechLanguage } from '../../../shared/domain/languages.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { addAmounts, estimateQuestion } from '../../../shared/domain/ledger/paid-action.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { judgeFiles } from '../../service/ask.ts';
import { createAnswering, withFiles, type Following } from './answering.ts';
import { mostCredits, type AssistantService, type ModelCatalog } from './assistant-service.ts';
import {
  chargedFor,
  type AskEstimate,
  type AskProgress,
  type AskWanted,
  type CitedLine,
  type ConversationLine,
  type Exchange,
  type ExchangeFile,
  type OpenedConversation,
  type PricedExchange,
} from './conversations.ts';
import { readNote, type StoredTranscript } from '../library/store.ts';
import type { ConversationStore } from '../../storage/sqlite-conversations.ts';

const catalogForMs = 5 * 60_000;
const refuseFiles = (fault: string) =>
  err(makeFailure('attachment-unusable', { code: `attachment_${fault}`, outcome: 'not_sent', layer: 'local' }));
const unknownItem = (code: string) =>
  err(makeFailure('deleted-at-service', { code, outcome: 'not_sent', layer: 'local' }));

const noted = lazySchema(() => z.array(z.string()));

export interface ConversationPorts {
  readonly store: ConversationStore;
  readonly notes: Pick<LibraryStore, 'note' | 'saveNote'>;
  readonly transcript: LibraryStore['transcript'];
  /** A dictation by its id; null: there is none. */
  readonly dictation: (id: string) => (AskSource & { readonly language: SpeechLanguage }) | null;
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly assistant: AssistantService;
  readonly isGone: (transcriptId: string) => boolean;
  readonly isTrashed: (id: string) => boolean;
  /** `beside`: whose recording it is of; null: of none. */
  readonly addTranscript: (
    beside: StoredTranscript | null,
    title: string,
    transcript: Transcript,
  ) => Result<{ readonly transcriptId: string }>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
}

export function createConversationService(ports: ConversationPorts) {
  const { store, transcript, nameSpeaker, assistant, isGone, isTrashed, now, newId } = ports;
  const running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<unknown> }>();
  let isClosing = false;
  const questionFiles = createQuestionFiles(ports);
  store.endInterrupted();

  const { models, prepare, estimateOf } = createPreparing(ports);

  const begin = (
    id: string,
    wanted: AskWanted,
    estimate: string | null,
    { kept, files }: Prepared,
  ): Result<Exchange> => {
    const found = wanted.conversationId === null ? ok(null) : store.find(wanted.conversationId);
    if (!found.ok) return found;
    if (wanted.conversationId !== null && found.value === null) return unknownItem('unknown_conversation');
    const atMs = now();
    const conversation = found.value ?? { id: newId(), title: wanted.title, createdAtMs: atMs };
    const { transcriptIds, sources = null } = wanted;
    const saved = store.save({ ...conversation, changedAtMs: atMs, transcriptIds, sources });
    if (!saved.ok) return saved;
    const { task, question, model } = wanted;
    const exchange: Exchange = {
      id,
      conversationId: conversation.id,
      askedAtMs: atMs,
      task,
      question,
      files: files.at(-1) ?? [],
      model,
      estimate,
      answer: kept?.answer ?? '',
      citations: kept?.citations ?? [],
      state: 'asking',
      failure: null,
      llmRequestId: null,
      credits: kept?.credits ?? null,
    };
    const written = store.saveExchange(exchange);
    return written.ok ? ok(exchange) : written;
  };

  const { answer, answerLines, settled, upload } = createAnswering({
    store,
    assistant,
    now,
    isClosing: () => isClosing,
  });

  const follow = async (
    begun: Exchange,
    { requests: [messages = []], lines, files }: Prepared,
    sent: { readonly maxTokens: number; readonly sendsAgain: boolean },
    to: Omit<Following, 'lines'>,
  ): Promise<Exchange> => {
    const whole = { ...to, lines };
    const { task } = begun;
    if (isLineTask(task)) return answerLines(begun, task, sent, whole);
    if (files.some((some) => some.length > 0)) await questionFiles.settled(to.signal);
    const uploaded: (readonly ExchangeFile[])[] = [];
    for (const some of files) {
      const there = await upload(some, begun.model, to.signal);
      if (!there.ok) {
        const isStopped = to.signal.aborted;
        return { ...begun, state: isStopped ? 'stopped' : 'failed', failure: isStopped ? null : there.error };
      }
      uploaded.push(there.value);
    }
    const turns = messages.filter(({ role }) => role === 'user');
    const withAll = messages.map((message) => withFiles(message, uploaded[turns.indexOf(message)] ?? []));
    const own = { ...begun, files: uploaded.at(-1) ?? [] };
    store.saveExchange(own);
    // A file of an earlier question may have another id by now.
    const ids = uploaded.flat().flatMap(({ fileId }) => fileId ?? []);
    if (ids.length > 0) questionFiles.remember(ids);
    return answer(own, { ...sent, messages: withAll }, whole);
  };

  return {
    models,

    async estimate(wanted: Omit<AskWanted, 'title' | 'again'>): Promise<Result<AskEstimate>> {
      const prepared = await prepare({ ...wanted, again: null });
      if (!prepared.ok) return prepared;
      const { requests, lines } = prepared.value;
      const { credits, usual } = await estimateOf(wanted, prepared.value);
      const tokens = roughTokens(requests.flat());
      return ok({ tokens, credits, usual, lines: isLineTask(wanted.task) ? lines.size : 0, requests: requests.length });
    },

    inspectFile: (path: string) => assistant.inspect(path),

    saveLines(exchangeId: string, title: string): Result<{ readonly transcriptId: string }> {
      const found = store.exchange(exchangeId);
      if (!found.ok) return found;
      const exchange = found.value;
      if (exchange === null || !isLineTask(exchange.task) || exchange.state !== 'done')
        return unknownItem('unknown_exchange');
      const askedId = exchange.citations[0]?.transcriptId ?? '';
      const read = isGone(askedId) ? ok(null) : transcript(askedId);
      if (!read.ok) return read;
      const dictated = read.value === null ? ports.dictation(askedId) : null;
      const source = read.value === null ? dictated : askSource(read.value, nameSpeaker);
      if (source === null) return unknownItem('unknown_transcript');
      const segments = new Map(exchange.citations.map(({ mark, segmentId }) => [mark, segmentId]));
      const said = new Map(source.lines.map((line) => [line.segmentId, line]));
      const lines = [...segments].flatMap(([mark, id]) => {
        const line = said.get(id);
        return line === undefined ? [] : [[mark, line] as const];
      });
      const texts = readLines(exchange.answer, new Map(lines));
      const bySegment = new Map([...texts].map(([mark, text]) => [segments.get(mark) ?? '', text]));
      const written = read.value?.transcript ?? linesAsTranscript(source.lines, dictated?.language ?? 'uz');
      return ports.addTranscript(read.value, title, withLines(written, exchange.task, bySegment));
    },

    /** Fails only when nothing was sent: deleted-at-service, earlier-question-pending, a full disk. */
    async ask(wanted: AskWanted, onProgress: (progress: AskProgress) => void): Promise<Result<Exchange>> {
      const pending = store.pending();
      if (!pending.ok) return pending;
      if (pending.value !== null && pending.value.id !== wanted.again)
        return err(
          makeFailure('earlier-question-pending', { code: 'llm_usage_pending', outcome: 'not_sent', layer: 'local' }),
        );
      const before = wanted.again === null ? ok(null) : store.exchange(wanted.again);
      if (!before.ok) return before;
      // An answer that came stays, with what it cost; the new one follows it.
      const isKept = before.value !== null && before.value.answer !== '' && !isLineTask(wanted.task);
      const id = isKept || wanted.again === null ? newId() : wanted.again;
      const reserved = new Set([id, wanted.again ?? id]);
      if (reserved.values().some((one) => running.has(one))) return unknownItem('still_asking');
      const abort = new AbortController();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      // Reserved before the first wait: the same exchange asked twice would be charged twice.
      for (const one of reserved) running.set(one, { abort, ended });
      try {
        const prepared = await prepare(wanted);
        if (!prepared.ok) return prepared;
        const { credits, maxTokens, readsFiles } = await estimateOf(wanted, prepared.value);
        if (!readsFiles) return refuseFiles('model');
        if (abort.signal.aborted) return err(makeFailure('stopped', { code: 'interrupted', outcome: 'not_sent' }));
        const begun = begin(id, wanted, credits, prepared.value);
        if (!begun.ok) return begun;
        onProgress({ kind: 'began', exchange: begun.value });
        const onText = (piece: string, citations: readonly Citation[] | null) =>
          onProgress({ kind: 'text', piece, ...(citations === null ? {} : { citations }) });
        // Asking once more was confirmed with its possible cost; an unsettled question keeps its key.
        const sendsAgain = wanted.again !== null && pending.value === null;
        const sent = { maxTokens, sendsAgain };
        const last = await follow(begun.value, prepared.value, sent, { onText, signal: abort.signal });
        const saved = store.saveExchange(last);
        if (!saved.ok) return saved;
        const isSettled = last.llmRequestId === null || isLineTask(last.task);
        return ok(isSettled || isClosing ? last : await settled(last));
      } finally {
        for (const one of reserved) running.delete(one);
        end();
      }
    },

    stop: (exchangeId: string): void => running.get(exchangeId)?.abort.abort(),

    list(): Result<readonly ConversationLine[]> {
      const listed = store.list();
      if (!listed.ok) return listed;
      return ok(listed.value.filter(({ id }) => !isTrashed(id)));
    },

    open(id: string): Result<OpenedConversation> {
      const found = store.find(id);
      if (!found.ok) return found;
      if (found.value === null) return unknownItem('unknown_conversation');
      const stored = store.exchanges(id);
      if (!stored.ok) return stored;
      const exchanges = priced(stored.value);
      return ok({
        ...found.value,
        exchanges,
        cited: citedLines(exchanges.flatMap(({ citations }) => citations)),
        credits: addAmounts(exchanges.flatMap(({ credits }) => credits ?? [])),
      });
    },

    rename(id: string, title: string): Result<null> {
      const found = store.find(id);
      if (!found.ok) return found;
      return found.value === null ? unknownItem('unknown_conversation') : store.save({ ...found.value, title });
    },

    async end(id: string): Promise<Result<null>> {
      const exchanges = store.exchanges(id);
      if (!exchanges.ok) return exchanges;
      for (const exchange of exchanges.value) {
        const one = running.get(exchange.id);
        one?.abort.abort();
        await one?.ended;
      }
      return ok(null);
    },

    async settle(exchangeId: string): Promise<Result<Exchange>> {
      const found = store.exchange(exchangeId);
      if (!found.ok) return found;
      if (found.value === null || running.has(exchangeId)) return unknownItem('unknown_exchange');
      return ok(await settled(found.value));
    },

    sweepFiles: (): Promise<void> => questionFiles.sweep(() => running.size > 0),

    async close(): Promise<void> {
      isClosing = true;
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([questionFiles.close(), ...[...running.values()].map(({ ended }) => ended)]);
    },
  };

  function priced(exchanges: readonly Exchange[]): readonly PricedExchange[] {
    const costs = assistant.costs();
    return exchanges.map((one) => {
      const credits = chargedFor(one, costs);
      const isOpen = credits === null && one.estimate !== null;
      return { ...one, credits, usual: isOpen ? assistant.usualCost(one.estimate) : null };
    });
  }

  function citedLines(citations: readonly Citation[]): readonly CitedLine[] {
    const byTranscript = new Map<string, readonly SpokenLine[]>();
    for (const transcriptId of new Set(citations.map((one) => one.transcriptId))) {
      const read = readSource(ports, transcriptId);
      byTranscript.set(transcriptId, read.ok && read.value !== null ? read.value.lines : []);
    }
    const once = new Map(citations.map((one) => [`${one.transcriptId}/${one.segmentId}`, one]));
    return [...once.values()]
      .map((one) => ({
        ...one,
        line: byTranscript.get(one.transcriptId)?.find(({ segmentId }) => segmentId === one.segmentId) ?? null,
      }))
      .toSorted((one, other) =>
        one.transcriptId === other.transcriptId
          ? one.startMs - other.startMs
          : one.transcriptId.localeCompare(other.transcriptId),
      );
  }
}

export type ConversationService = ReturnType<typeof createConversationService>;

interface QuestionFilesPorts {
  readonly store: Pick<ConversationStore, 'fileIds'>;
  readonly notes: Pick<LibraryStore, 'note' | 'saveNote'>;
  readonly assistant: Pick<AssistantService, 'detach'>;
  readonly log: Logger;
}

/** Ids are noted apart from conversations: a file goes at the service after its conversation. */
export function createQuestionFiles({ store, notes, assistant, log }: QuestionFilesPorts) {
  const stop = new AbortController();
  let last: Promise<void> = Promise.resolve();

  const read = (): readonly string[] => readNote(notes, 'question-files', noted(), []);
  const remember = (uploaded: readonly string[] = []): readonly string[] | null => {
    const used = store.fileIds();
    if (!used.ok) return null;
    const before = read();
    const all = [...new Set([...before, ...used.value, ...uploaded])];
    if (all.length > before.length) notes.saveNote('question-files', JSON.stringify(all));
    return all.filter((id) => !used.value.includes(id));
  };
  const sweep = async (isAsking: () => boolean): Promise<void> => {
    for (const id of remember() ?? []) {
      // A question that is being asked may be about to use the same content again.
      if (isAsking() || stop.signal.aborted) return;
      const removed = await assistant.detach(id, stop.signal);
      if (!removed.ok) {
        log.write({ event: 'not-deleted-at-service', level: 'warn', row: removed.error.row });
        return;
      }
      notes.saveNote('question-files', JSON.stringify(read().filter((one) => one !== id)));
    }
  };

  return {
    remember: (uploaded: readonly string[]): void => void remember(uploaded),
    /** Waits for deletions: a file that is uploaded meanwhile could be the one that is going. */
    async settled(signal: AbortSignal): Promise<void> {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (!signal.aborted) await Promise.race([last, aborted]);
    },
    sweep(isAsking: () => boolean): Promise<void> {
      // A sweep that throws must not keep the next one from starting.
      last = last
        .then(() => sweep(isAsking))
        .catch(() => log.write({ event: 'not-deleted-at-service', level: 'warn' }));
      return last;
    },
    async close(): Promise<void> {
      stop.abort();
      await last;
    },
  };
}

interface Prepared {
  readonly requests: readonly (readonly AskMessageText[])[];
  readonly lines: MarkedLines;
  readonly kept: Exchange | null;
  /** Of each question of the conversation, the new one last. */
  readonly files: readonly (readonly ExchangeFile[])[];
}

type SourcePorts = Pick<ConversationPorts, 'transcript' | 'dictation' | 'isGone' | 'nameSpeaker'>;

function readSource({ transcript, dictation, isGone, nameSpeaker }: SourcePorts, id: string): Result<AskSource | null> {
  const read = isGone(id) ? ok(null) : transcript(id);
  if (!read.ok) return read;
  return ok(read.value === null ? dictation(id) : askSource(read.value, nameSpeaker));
}

function createPreparing(ports: ConversationPorts) {
  const { store, assistant, now } = ports;
  let catalog: { readonly value: ModelCatalog; readonly atMs: number } | null = null;

  const models = async (signal?: AbortSignal): Promise<Result<ModelCatalog>> => {
    if (catalog !== null && now() - catalog.atMs < catalogForMs) return ok(catalog.value);
    const read = await assistant.models(signal);
    if (read.ok) catalog = { value: read.value, atMs: now() };
    return read;
  };

  const sourcesOf = (transcriptIds: readonly string[]): Result<readonly AskSource[]> => {
    const sources: AskSource[] = [];
    for (const transcriptId of transcriptIds) {
      const read = readSource(ports, transcriptId);
      if (!read.ok) return read;
      if (read.value === null) return unknownItem('unknown_transcript');
      sources.push(read.value);
    }
    return ok(sources);
  };

  const filesOf = async (wanted: Pick<AskWanted, 'files'>): Promise<Result<readonly ExchangeFile[]>> => {
    const files: ExchangeFile[] = [];
    for (const path of wanted.files) {
      const inspected = await assistant.inspect(path);
      if (!inspected.ok) return inspected;
      files.push({ ...inspected.value, path, fileId: null });
    }
    return ok(files);
  };

  const prepare = async (wanted: Omit<AskWanted, 'title'>): Promise<Result<Prepared>> => {
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
