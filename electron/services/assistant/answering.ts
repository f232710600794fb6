import { findCitations, type AskMessageText, type Citation } from '../../../shared/domain/assistant/ask-messages.ts';
import {
  lineBatches,
  lineMessages,
  missingLines,
  type MarkedLines,
} from '../../../shared/domain/assistant/line-tasks.ts';
import type { LineTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addAmounts } from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { AssistantService, QuestionWanted } from './assistant-service.ts';
import type { Exchange, ExchangeFile } from './conversations.ts';
import type { ConversationStore } from '../../storage/sqlite-conversations.ts';

export interface Following {
  readonly lines: MarkedLines;
  readonly onText: (piece: string, citations: readonly Citation[] | null) => void;
  readonly signal: AbortSignal;
}

type Sent = Pick<QuestionWanted, 'messages' | 'maxTokens' | 'sendsAgain'>;

const saveEveryMs = 700;
/** How often lines are requested; a round that brings none of them is the last one. */
const mostRounds = 3;

interface AnsweringPorts {
  readonly store: Pick<ConversationStore, 'saveExchange'>;
  readonly assistant: AssistantService;
  readonly now: () => number;
  readonly isClosing: () => boolean;
}

// Whoever stopped an answer may ask again at once; a cost that comes later is read later.
const longestSettlingMs = 2_000;

/** Gets the answer to a question that is on disk already, and saves it while it arrives. */
export function createAnswering({ store, assistant, now, isClosing }: AnsweringPorts) {
  const following = (begun: Exchange, { lines, onText }: Following) => {
    let text = begun.answer;
    let savedAtMs = now();
    const shown = (more: Partial<Exchange> = {}): Exchange => ({
      ...begun,
      answer: text,
      citations: findCitations(text, lines),
      ...more,
    });
    return {
      shown,
      text: () => text,
      replace: (whole: string) => (text = whole),
      add: (piece: string, citations: readonly Citation[] | null) => {
        text += piece;
        if (now() - savedAtMs > saveEveryMs) {
          savedAtMs = now();
          store.saveExchange(shown());
        }
        onText(piece, citations);
      },
    };
  };
  const endedBy = (failure: Failure, text: string, signal: AbortSignal): Partial<Exchange> => {
    const isStopped = signal.aborted && (failure.kind === 'stopped' || failure.code === 'cancelled');
    if (isStopped) return { state: isClosing() ? 'interrupted' : 'stopped' };
    return { state: text === '' ? 'failed' : 'broken', failure };
  };
  const ask = async (begun: Exchange, sent: Sent, onText: (piece: string) => void, signal: AbortSignal) =>
    assistant.ask({ model: begun.model, estimate: begun.estimate, ...sent, onText, signal });

  return {
    async answer(this: void, begun: Exchange, sent: Sent, to: Following): Promise<Exchange> {
      const { shown, add, replace, text } = following(begun, to);
      const onText = (piece: string) => {
        add(piece, piece.includes(']') ? findCitations(text() + piece, to.lines) : null);
      };
      const asked = await ask(begun, sent, onText, to.signal);
      if (asked.ok) {
        replace(asked.value.text);
        const { llmRequestId, usage, finishReason } = asked.value;
        const failure = finishReason === 'length' ? makeFailure('stream-complete-extra', { code: 'answer_cut' }) : null;
        return shown({ state: 'done', llmRequestId, credits: usage.credits, failure });
      }
      const { failure, partial, llmRequestId } = asked.error;
      if (partial.length > text().length) replace(partial);
      return shown({ ...endedBy(failure, text(), to.signal), llmRequestId });
    },

    /** In parts that a model can answer at once, then the missing lines; nothing is asked for twice. */
    async answerLines(
      this: void,
      begun: Exchange,
      task: LineTask,
      sent: Omit<Sent, 'messages'>,
      to: Following,
    ): Promise<Exchange> {
      const { shown, add, text } = following(begun, to);
      const costs: (string | null)[] = begun.answer === '' ? [] : [begun.credits];
      let llmRequestId: string | null = null;
      const end = (more: Partial<Exchange>): Exchange => {
        const isKnown = costs.every((cost) => cost !== null);
        return shown({ ...more, credits: isKnown ? addAmounts(costs) : null, llmRequestId });
      };
      for (let round = 0; round < mostRounds; round += 1) {
        const missing = missingLines(text(), to.lines);
        for (const batch of lineBatches(missing)) {
          if (text() !== '' && !text().endsWith('\n')) add('\n', null);
          const marks = [...batch.keys()].map((mark) => `[${mark}]`).join('');
          const citations = findCitations(text() + marks, to.lines);
          let isFirst = true;
          const onText = (piece: string) => {
            add(piece, isFirst ? citations : null);
            isFirst = false;
          };
          const request = { ...sent, messages: lineMessages(task, batch) };
          const asked = await ask(begun, request, onText, to.signal);
          llmRequestId = asked.ok ? asked.value.llmRequestId : asked.error.llmRequestId;
          const status = await assistant.lookUp(llmRequestId, AbortSignal.timeout(longestSettlingMs));
          const charged = asked.ok ? asked.value.usage.credits : null;
          if (asked.ok || llmRequestId !== null) costs.push(status?.credits ?? charged);
          if (!asked.ok) return end(endedBy(asked.error.failure, text(), to.signal));
          store.saveExchange(shown());
        }
        const leftCount = missingLines(text(), to.lines).size;
        if (leftCount === 0) return end({ state: 'done' });
        // The same requests again would be charged again, for more than was shown and admitted.
        if (leftCount === missing.size) break;
      }
      return end({ state: 'broken', failure: makeFailure('stream-piece-unreadable', { code: 'lines_missing' }) });
    },

    async settled(this: void, exchange: Exchange): Promise<Exchange> {
      const status = await assistant.lookUp(exchange.llmRequestId, AbortSignal.timeout(longestSettlingMs));
      const after = status?.credits == null ? exchange : { ...exchange, credits: addAmounts([status.credits]) };
      // Quitting does not wait for this; what the service recorded can be read later.
      if (!isClosing()) store.saveExchange(after);
      return after;
    },

    async upload(
      this: void,
      files: readonly ExchangeFile[],
      model: string,
      signal: AbortSignal,
    ): Promise<Result<readonly ExchangeFile[]>> {
      const uploaded: ExchangeFile[] = [];
      for (const file of files) {
        const attached = await assistant.attach(file.path, model, signal);
        if (!attached.ok && (attached.error.kind !== 'file-unreadable' || file.fileId === null)) return attached;
        uploaded.push(attached.ok ? { ...file, fileId: attached.value.fileId } : file);
      }
      return ok(uploaded);
    },
  };
}

export const withFiles = (message: AskMessageText, files: readonly ExchangeFile[]) =>
  files.length === 0
    ? message
    : {
        role: message.role,
        content: [
          { type: 'text' as const, text: message.content },
          ...files.flatMap(({ fileId }) =>
            fileId === null ? [] : [{ type: 'file' as const, file: { file_id: fileId } }],
          ),
        ],
      };
