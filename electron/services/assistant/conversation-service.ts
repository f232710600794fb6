import {
  askMessages,
  askSource,
  findCitations,
  markedLines,
  roughTokens,
} from '../../../shared/domain/assistant/ask-messages.ts';
import type { AskSource, Citation, SpokenLine } from '../../../shared/domain/assistant/ask-messages.ts';
import { mostAnswerTokens } from '../../../shared/domain/assistant/ask-tasks.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addAmounts, estimateQuestion } from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { LibraryStore } from '../library/store.ts';
import type { AssistantService, ModelCatalog, QuestionWanted } from './assistant-service.ts';
import type { AskWanted, CitedLine, ConversationService } from './conversations.ts';
import type { ConversationStore, Exchange } from './conversation-store.ts';

export interface ConversationPorts {
  readonly store: ConversationStore;
  readonly transcript: LibraryStore['transcript'];
  /** The label of a speaker without a name. */
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly assistant: AssistantService;
  /** Whether a transcript is on its way out. */
  readonly isGone: (transcriptId: string) => boolean;
  /** Reads the trash once; the returned function checks each conversation. */
  readonly isTrashed: () => (id: string) => boolean;
  readonly now: () => number;
  readonly newId: () => string;
}

const saveEveryMs = 700;
const catalogForMs = 5 * 60_000;
const unknownItem = (code: string) => err(makeFailure('E-040', { code, outcome: 'not_sent', layer: 'local' }));

export function createConversationService(ports: ConversationPorts): ConversationService {
  const { store, transcript, nameSpeaker, assistant, isGone, isTrashed, now, newId } = ports;
  const running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<unknown> }>();
  let catalog: { readonly value: ModelCatalog; readonly atMs: number } | null = null;
  let isClosing = false;
  store.endInterrupted();

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

  /** The messages of a question, following the earlier messages of its conversation. */
  const prepare = (wanted: Omit<AskWanted, 'title'>) => {
    const sources = sourcesOf(wanted.transcriptIds);
    if (!sources.ok) return sources;
    const before = wanted.conversationId === null ? ok([]) : store.exchanges(wanted.conversationId);
    if (!before.ok) return before;
    const at = before.value.findIndex(({ id }) => id === wanted.again);
    // The received part of an interrupted answer belongs to the conversation; an answer that never came does not.
    const earlier = before.value.slice(0, at < 0 ? undefined : at).filter(({ answer }) => answer !== '');
    const messages = askMessages(sources.value, earlier, wanted, wanted.language);
    return ok({ messages, lines: markedLines(sources.value) });
  };

  const estimateOf = async (
    { model, task }: Pick<AskWanted, 'model' | 'task'>,
    messages: Parameters<typeof roughTokens>[0],
  ): Promise<{ readonly credits: string | null; readonly maxTokens: number }> => {
    const known = await models();
    const found = known.ok ? known.value.models.find(({ id }) => id === model) : undefined;
    const maxTokens = Math.min(mostAnswerTokens[task], found?.maxOutputTokens ?? mostAnswerTokens[task]);
    const bytes = Buffer.byteLength(JSON.stringify(messages));
    const perUsd = known.ok ? known.value.creditsPerUsd : null;
    const credits = found && estimateQuestion({ ...found, creditsPerUsd: perUsd }, bytes, maxTokens);
    return { credits: credits ?? null, maxTokens };
  };

  /** Creates the exchange, and saves it with its conversation before anything is sent. */
  const begin = (wanted: AskWanted, estimate: string | null): Result<Exchange> => {
    const found = wanted.conversationId === null ? ok(null) : store.find(wanted.conversationId);
    if (!found.ok) return found;
    if (wanted.conversationId !== null && found.value === null) return unknownItem('unknown_conversation');
    const atMs = now();
    const conversation = found.value ?? { id: newId(), title: wanted.title, createdAtMs: atMs };
    const saved = store.save({ ...conversation, changedAtMs: atMs, transcriptIds: wanted.transcriptIds });
    if (!saved.ok) return saved;
    const { task, question, model } = wanted;
    const exchange: Exchange = {
      id: wanted.again ?? newId(),
      conversationId: conversation.id,
      askedAtMs: atMs,
      task,
      question,
      model,
      estimate,
      answer: '',
      citations: [],
      state: 'asking',
      failure: null,
      llmRequestId: null,
      credits: null,
    };
    const written = store.saveExchange(exchange);
    return written.ok ? ok(exchange) : written;
  };

  const settled = async (exchange: Exchange): Promise<Exchange> => {
    const status = await assistant.lookUp(exchange.llmRequestId, new AbortController().signal);
    const after = status?.credits == null ? exchange : { ...exchange, credits: addAmounts([status.credits]) };
    // Quitting does not wait for this; what the service recorded can be read later.
    if (!isClosing) store.saveExchange(after);
    return after;
  };

  const answer = async (
    begun: Exchange,
    sent: Pick<QuestionWanted, 'messages' | 'maxTokens' | 'sendsAgain'>,
    lines: ReadonlyMap<string, SpokenLine>,
    onText: (piece: string, citations: readonly Citation[] | null) => void,
    signal: AbortSignal,
  ): Promise<Exchange> => {
    let text = '';
    let savedAtMs = now();
    const withText = (more: Partial<Exchange>): Exchange => ({
      ...begun,
      answer: text,
      citations: findCitations(text, lines),
      ...more,
    });
    const asked = await assistant.ask({
      model: begun.model,
      estimate: begun.estimate,
      messages: sent.messages,
      maxTokens: sent.maxTokens,
      sendsAgain: sent.sendsAgain,
      onText(piece) {
        text += piece;
        if (now() - savedAtMs > saveEveryMs) {
          savedAtMs = now();
          store.saveExchange(withText({}));
        }
        onText(piece, piece.includes(']') ? findCitations(text, lines) : null);
      },
      signal,
    });
    if (asked.ok) {
      text = asked.value.text;
      const { llmRequestId, usage, finishReason } = asked.value;
      const failure = finishReason === 'length' ? makeFailure('E-110', { code: 'answer_cut' }) : null;
      return withText({ state: 'done', llmRequestId, credits: usage.credits, failure });
    }
    const { failure, partial, llmRequestId } = asked.error;
    if (partial.length > text.length) text = partial;
    const isStopped = signal.aborted && (failure.row === 'E-107' || failure.code === 'cancelled');
    if (isStopped) return withText({ state: isClosing ? 'interrupted' : 'stopped', llmRequestId });
    return withText({ state: text === '' ? 'failed' : 'broken', failure, llmRequestId });
  };

  return {
    models,

    async estimate(wanted) {
      const prepared = prepare({ ...wanted, again: null });
      if (!prepared.ok) return prepared;
      const { messages } = prepared.value;
      const { credits } = await estimateOf(wanted, messages);
      return ok({ tokens: roughTokens(messages), credits });
    },

    async ask(wanted, onProgress) {
      const pending = store.pending();
      if (!pending.ok) return pending;
      if (pending.value !== null && pending.value.id !== wanted.again)
        return err(makeFailure('E-074', { code: 'llm_usage_pending', outcome: 'not_sent', layer: 'local' }));
      if (wanted.again !== null && running.has(wanted.again)) return unknownItem('still_asking');
      const prepared = prepare(wanted);
      if (!prepared.ok) return prepared;
      const { messages, lines } = prepared.value;
      const { credits, maxTokens } = await estimateOf(wanted, messages);
      const abort = new AbortController();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const begun = begin(wanted, credits);
      if (!begun.ok) return begun;
      const { id } = begun.value;
      running.set(id, { abort, ended });
      try {
        onProgress({ kind: 'began', exchange: begun.value });
        const onText = (piece: string, citations: readonly Citation[] | null) =>
          onProgress({ kind: 'text', piece, ...(citations === null ? {} : { citations }) });
        // Asking once more was confirmed with its possible cost; an unsettled question keeps its key.
        const sendsAgain = wanted.again !== null && pending.value === null;
        const last = await answer(begun.value, { messages, maxTokens, sendsAgain }, lines, onText, abort.signal);
        const saved = store.saveExchange(last);
        if (!saved.ok) return saved;
        return ok(last.llmRequestId === null || isClosing ? last : await settled(last));
      } finally {
        running.delete(id);
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

    async close() {
      isClosing = true;
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
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
