import { randomUUID } from 'node:crypto';
import { cleanId } from '../../../shared/domain/failures/clean-text.ts';
import { classify } from '../../../shared/domain/failures/classify.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { judgeMessages } from '../../../shared/wire/attachment-limits.ts';
import { limits } from '../../../shared/wire/limits.ts';
import type { JsonObject } from '../../../shared/wire/json-access.ts';
import {
  readAskFile,
  readAskFiles,
  readCompletion,
  readModels,
  readQuestionStatus,
  type AskFile,
  type AskFilePage,
  type ModelCatalog,
  type QuestionStatus,
  type TokenUsage,
} from '../../../shared/wire/read-ask.ts';
import { CompletionStream, type StreamedAnswer } from '../http/completion-stream.ts';
import type { Reply } from '../http/call.ts';
import type { OpenBodySink } from '../http/transport.ts';
import { bodyOf, unreadable, type Caller } from '../http/resource-call.ts';
import type { UploadSource } from '../stt-api.ts';

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly file: { readonly file_id: string } };

export interface AskMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ContentPart[];
  readonly tool_call_id?: string;
}

export interface Question {
  readonly model: string;
  readonly messages: readonly AskMessage[];
  readonly maxCompletionTokens: number;
  readonly temperature?: number;
  /** The most it can cost, in credits as decimal text, where the prices are known. */
  readonly estimateCredits?: string | undefined;
  /** Durable, minted by the caller: the service answers a repeat with 409 and never charges it. */
  readonly idempotencyKey: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly text: string;
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
  /** What its status is asked by. */
  readonly llmRequestId: string | null;
}

/**
 * An answer that did not arrive complete: what arrived is kept, and nothing is asked again automatically (E-102 to
 * E-107).
 */
export interface BrokenAnswer {
  readonly failure: Failure;
  readonly partial: string;
  /** The id to look up with `status` before anything else; null: only the key is left to ask by. */
  readonly llmRequestId: string | null;
  /** Pieces that could not be parsed and are missing from `partial`, as received. */
  readonly unreadable?: readonly string[];
}

export interface AskApi {
  models(signal?: AbortSignal): Promise<Result<ModelCatalog, Failure>>;
  /** The whole answer at once; repeated only where it was refused unprocessed. */
  ask(question: Question): Promise<Result<Answer, BrokenAnswer>>;
  /** Piece by piece; complete only when the service sent `[DONE]`. Repeated only where it was refused unprocessed. */
  askStreaming(question: Question, onText: (piece: string) => void): Promise<Result<Answer, BrokenAnswer>>;
  /** Free; may be asked at any time. */
  status(llmRequestId: string, signal?: AbortSignal): Promise<Result<QuestionStatus, Failure>>;
  /** The service does not recognise a repeat: after a lost answer look through `files` first. */
  upload(
    source: UploadSource,
    /** `model`: the one that will be asked; without it the service chooses where the file is stored. */
    about: { readonly purpose?: 'vision' | 'document'; readonly model?: string },
    signal?: AbortSignal,
  ): Promise<Result<AskFile, Failure>>;
  files(
    page: { readonly limit?: number; readonly after?: string; readonly purpose?: 'vision' | 'document' },
    signal?: AbortSignal,
  ): Promise<Result<AskFilePage, Failure>>;
  file(fileId: string, signal?: AbortSignal): Promise<Result<AskFile, Failure>>;
  removeFile(fileId: string, signal?: AbortSignal): Promise<Result<null, Failure>>;
}

/** Questions to a model and what they may hold (contract 4.3, 4.4). `idleMs`: longest silence of a stream. */
export function createAskApi(caller: Caller, idleMs?: number): AskApi {
  const { fields } = caller.wire;
  /** What the service would refuse is refused here, before it is charged or counted (contract 8). */
  const send = async (question: Question, takeBody?: OpenBodySink): Promise<Result<Reply, Failure>> => {
    const fault = judgeMessages(question.messages);
    if (fault !== null)
      return err(makeFailure('E-079', { code: `attachment_${fault}`, outcome: 'not_sent', layer: 'local' }));
    return caller.send('ask.complete', {
      json: {
        model: question.model,
        messages: question.messages,
        max_completion_tokens: question.maxCompletionTokens,
        ...(question.temperature === undefined ? {} : { [fields['ask.temperature']]: question.temperature }),
        ...(takeBody === undefined ? {} : { [fields['ask.stream']]: true }),
      },
      idempotencyKey: question.idempotencyKey,
      estimateCredits: question.estimateCredits,
      attempts: 'if-refused',
      ...(takeBody === undefined ? {} : { takeBody }),
      signal: question.signal,
    });
  };

  return {
    models: (signal) => caller.read('ask.models', readModels, { signal }),

    async ask(question) {
      const reply = await send(question);
      return reply.ok ? whole(caller, reply.value) : err(broken(reply.error, ''));
    },

    async askStreaming(question, onText) {
      const stream = new CompletionStream(onText, caller.wire.aliases);
      let llmRequestId: string | null = null;
      const reply = await send(question, ({ contentType, headers }) => {
        llmRequestId = cleanId(headers['x-llm-request-id']) ?? null;
        return /^text\/event-stream/iu.test(contentType) ? stream.taker(idleMs) : null;
      });
      if (reply.ok && !reply.value.isTaken && isEventStream(reply.value.text)) {
        // A stream under another content type was read as a whole.
        void stream.taker().write(Buffer.from(reply.value.text));
      } else if (reply.ok && !reply.value.isTaken) {
        const answer = whole(caller, reply.value);
        if (answer.ok) onText(answer.value.text);
        return answer;
      }
      return endOf(stream.answer, reply, llmRequestId);
    },

    status: (id, signal) =>
      caller.read('ask.request', readQuestionStatus, { target: 'resource', values: { id }, signal }),

    upload: (source, about, signal) =>
      caller.read('ask.files.upload', readAskFile, {
        form: {
          fields: { ...about },
          files: [{ field: 'file', source }],
          boundary: `ovoz-${randomUUID()}`,
        },
        attempts: 'if-refused',
        signal,
      }),
    files: ({ limit, after, purpose }, signal) => {
      const range = limits.pages.files;
      const count = Math.min(range.max, Math.max(range.min, Math.trunc(limit ?? range.default)));
      return caller.read('ask.files.list', readAskFiles, { query: { limit: count, after, purpose }, signal });
    },
    file: (file_id, signal) =>
      caller.read('ask.files.read', readAskFile, { target: 'resource', values: { file_id }, signal }),
    removeFile: (file_id, signal) =>
      caller.change('ask.files.remove', { target: 'resource', values: { file_id }, signal }, true),
  };
}

const isEventStream = (text: string): boolean => /^\s*(?:data|event|id|retry)?:/u.test(text);

const broken = (failure: Failure, partial: string): BrokenAnswer => ({
  failure,
  partial,
  // A repeated key is answered with the id of the first question, in the header or in the body.
  llmRequestId: failure.llmRequestId ?? (failure.row === 'E-070' ? (failure.requestId ?? null) : null),
});

/** A completion that came as JSON, requested or not (E-108). */
function whole(caller: Caller, reply: Reply): Result<Answer, BrokenAnswer> {
  const read = readCompletion(bodyOf(reply, caller.wire));
  if (read === null) return err(broken(unreadable(reply, false), ''));
  const { text, finishReason, usage } = read;
  return ok({ text, finishReason, usage, llmRequestId: reply.llmRequestId });
}

function endOf(
  answer: StreamedAnswer,
  reply: Result<Reply, Failure>,
  llmRequestId: string | null,
): Result<Answer, BrokenAnswer> {
  const { text, finishReason, usage } = answer;
  const brokenBy = (failure: Failure): Result<Answer, BrokenAnswer> => err({ failure, partial: text, llmRequestId });
  const facts = llmRequestId === null ? {} : { llmRequestId };
  if (answer.isDone) {
    const { unreadable } = answer;
    if (text !== '' && unreadable.length === 0) return ok({ text, finishReason, usage, llmRequestId });
    const failure = makeFailure('E-106', { code: 'piece_missing', outcome: 'accepted', ...facts });
    return err({ failure, partial: text, llmRequestId, unreadable });
  }
  if (answer.error !== null) return brokenBy({ ...failureInStream(answer.error), ...facts });
  if (!reply.ok && reply.error.code === 'cancelled' && reply.error.outcome === 'unknown') {
    return brokenBy(makeFailure('E-107', { code: 'stopped', ...facts }));
  }
  if (!reply.ok && reply.error.envelope !== 'truncated') {
    const own = broken(reply.error, text);
    return err({ ...own, llmRequestId: own.llmRequestId ?? llmRequestId });
  }
  const isSilent = !reply.ok && reply.error.code === 'receive_stalled';
  return brokenBy(makeFailure(isSilent ? 'E-104' : 'E-102', { code: 'stream_incomplete', ...facts }));
}

/**
 * An error in a data event (E-103): the row of its code where it has one; the stream's status was 200 and means
 * nothing.
 */
function failureInStream(body: JsonObject): Failure {
  const { status: _, ...seen } = classify(
    { kind: 'answer', status: 400, headers: {}, body: JSON.stringify(body) },
    { request: 'create-with-key', target: 'route', area: 'ask', serverNowMs: 0 },
  );
  if (seen.row !== 'E-076') return { ...seen, outcome: 'unknown' };
  return makeFailure('E-103', { code: seen.code, requestId: seen.requestId, details: seen.details });
}
