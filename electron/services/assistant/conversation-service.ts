import {
  askSource,
  roughTokens,
  type Citation,
  type SpokenLine,
} from '../../../shared/domain/assistant/ask-messages.ts';
import { isLineTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import { readLines, withLines } from '../../../shared/domain/assistant/line-tasks.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addAmounts } from '../../../shared/domain/ledger/paid-action.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { LibraryStore, StoredTranscript } from '../library/store.ts';
import { createAnswering, withFiles, type Following } from './answering.ts';
import type { AssistantService } from './assistant-service.ts';
import type { AskWanted, CitedLine, ConversationService } from './conversations.ts';
import type { ConversationStore, Exchange, ExchangeFile } from './conversation-store.ts';
import { createQuestionFiles } from './question-files.ts';
import { createPreparing, refuseFiles, unknownItem, type Prepared } from './prepare-question.ts';

export interface ConversationPorts {
  readonly store: ConversationStore;
  readonly notes: Pick<LibraryStore, 'note' | 'saveNote'>;
  readonly transcript: LibraryStore['transcript'];
  /** The label of a speaker without a name. */
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly assistant: AssistantService;
  /** Whether a transcript is on its way out. */
  readonly isGone: (transcriptId: string) => boolean;
  /** Reads the trash once; the returned function checks each conversation. */
  readonly isTrashed: () => (id: string) => boolean;
  /** Adds a transcript of the same recording to the library. */
  readonly addTranscript: (
    beside: StoredTranscript,
    title: string,
    transcript: Transcript,
  ) => Result<{ readonly transcriptId: string }>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
}

export function createConversationService(ports: ConversationPorts): ConversationService {
  const { store, transcript, nameSpeaker, assistant, isGone, isTrashed, now, newId } = ports;
  const running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<unknown> }>();
  let isClosing = false;
  const questionFiles = createQuestionFiles(ports);
  store.endInterrupted();

  const { models, prepare, estimateOf } = createPreparing(ports);

  /** Creates the exchange, and saves it with its conversation before anything is sent. */
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
    const saved = store.save({ ...conversation, changedAtMs: atMs, transcriptIds: wanted.transcriptIds });
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

  /** Uploads the files and asks. */
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
      // oxlint-disable-next-line no-await-in-loop -- the service takes few at a time
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

    async estimate(wanted) {
      const prepared = await prepare({ ...wanted, again: null });
      if (!prepared.ok) return prepared;
      const { requests, lines } = prepared.value;
      const { credits, usual } = await estimateOf(wanted, prepared.value);
      const tokens = roughTokens(requests.flat());
      return ok({ tokens, credits, usual, lines: isLineTask(wanted.task) ? lines.size : 0, requests: requests.length });
    },

    inspectFile: (path) => assistant.inspect(path),

    saveLines(exchangeId, title) {
      const found = store.exchange(exchangeId);
      if (!found.ok) return found;
      const exchange = found.value;
      if (exchange === null || !isLineTask(exchange.task) || exchange.state !== 'done')
        return unknownItem('unknown_exchange');
      const transcriptId = exchange.citations[0]?.transcriptId;
      const read = transcriptId === undefined || isGone(transcriptId) ? ok(null) : transcript(transcriptId);
      if (!read.ok) return read;
      if (read.value === null) return unknownItem('unknown_transcript');
      const segments = new Map(exchange.citations.map(({ mark, segmentId }) => [mark, segmentId]));
      const said = new Map(askSource(read.value, nameSpeaker).lines.map((line) => [line.segmentId, line]));
      const lines = [...segments].flatMap(([mark, id]) => {
        const line = said.get(id);
        return line === undefined ? [] : [[mark, line] as const];
      });
      const texts = readLines(exchange.answer, new Map(lines));
      const bySegment = new Map([...texts].map(([mark, text]) => [segments.get(mark) ?? '', text]));
      return ports.addTranscript(read.value, title, withLines(read.value.transcript, exchange.task, bySegment));
    },

    async ask(wanted, onProgress) {
      const pending = store.pending();
      if (!pending.ok) return pending;
      if (pending.value !== null && pending.value.id !== wanted.again)
        return err(makeFailure('E-074', { code: 'llm_usage_pending', outcome: 'not_sent', layer: 'local' }));
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
        if (abort.signal.aborted) return err(makeFailure('E-107', { code: 'interrupted', outcome: 'not_sent' }));
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

    stop: (exchangeId) => running.get(exchangeId)?.abort.abort(),

    list() {
      const listed = store.list();
      if (!listed.ok) return listed;
      const isOut = isTrashed();
      return ok(listed.value.filter(({ id }) => !isOut(id)));
    },

    open(id) {
      const found = store.find(id);
      if (!found.ok) return found;
      if (found.value === null) return unknownItem('unknown_conversation');
      const exchanges = store.exchanges(id);
      if (!exchanges.ok) return exchanges;
      return ok({
        ...found.value,
        exchanges: exchanges.value,
        cited: citedLines(exchanges.value.flatMap(({ citations }) => citations)),
        credits: addAmounts(exchanges.value.flatMap(({ credits }) => credits ?? [])),
      });
    },

    rename(id, title) {
      const found = store.find(id);
      if (!found.ok) return found;
      return found.value === null ? unknownItem('unknown_conversation') : store.save({ ...found.value, title });
    },

    async end(id) {
      const exchanges = store.exchanges(id);
      if (!exchanges.ok) return exchanges;
      for (const exchange of exchanges.value) {
        const one = running.get(exchange.id);
        one?.abort.abort();
        // oxlint-disable-next-line no-await-in-loop -- at most one is arriving
        await one?.ended;
      }
      return ok(null);
    },

    async settle(exchangeId) {
      const found = store.exchange(exchangeId);
      if (!found.ok) return found;
      if (found.value === null || running.has(exchangeId)) return unknownItem('unknown_exchange');
      return ok(await settled(found.value));
    },

    sweepFiles: () => questionFiles.sweep(() => running.size > 0),

    async close() {
      isClosing = true;
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([questionFiles.close(), ...[...running.values()].map(({ ended }) => ended)]);
    },
  };

  function citedLines(citations: readonly Citation[]): readonly CitedLine[] {
    const byTranscript = new Map<string, readonly SpokenLine[]>();
    for (const transcriptId of new Set(citations.map((one) => one.transcriptId))) {
      const read = isGone(transcriptId) ? ok(null) : transcript(transcriptId);
      const lines = read.ok && read.value !== null ? askSource(read.value, nameSpeaker).lines : [];
      byTranscript.set(transcriptId, lines);
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
