import { createHash } from 'node:crypto';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { classify } from '../../shared/domain/failures/classify.ts';
import { cleanId } from '../../shared/domain/failures/clean-text.ts';
import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import {
  judgeMessages,
  attachmentExtension,
  judgeAttachment,
  limits,
  type AttachmentFault,
  type AttachmentPurpose,
} from './limits.ts';
import {
  type JsonObject,
  asArray,
  asFilledText,
  asJsonObject,
  asText,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asCount,
  asDecimal,
  asFlag,
  exactCredits,
  fieldsOf,
  objectsIn,
  readNamed,
  readWithId,
  readPage,
} from './values.ts';
import { bodyOf, unreadable, within, type Reply } from './http.ts';
import type { Caller } from './caller.ts';
import type { OpenBodySink, BodySink } from './transport.ts';
import type { UploadSource } from './upload.ts';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

const idleMs = 60_000;

/** No answer takes as long as this, whatever trickles in. */
const longestMs = 15 * 60_000;
const largestStreamBytes = 64 * 1024 * 1024;

const keptUnreadable = 100;
const keptCharacters = 4096;
const noUsage: TokenUsage = { inputTokens: null, outputTokens: null, credits: null };

/** A piece that can't be parsed is noted and reading goes on, because the rest of the answer is paid for. */
export class CompletionStream {
  readonly #onText: (piece: string) => void;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: (event) => this.#take(event) });
  #isAfterReturn = false;
  #isAtEnd = false;
  readonly #answer: StreamedAnswer = {
    text: '',
    finishReason: null,
    usage: noUsage,
    isDone: false,
    error: null,
    unreadable: [],
  };

  readonly #strange: string[] = [];
  readonly #names = new Set(['message', 'error']);

  constructor(onText: (piece: string) => void) {
    this.#onText = onText;
  }

  /** An event that the end cut off is none, except `[DONE]`. */
  end(): StreamedAnswer {
    this.#isAtEnd = true;
    this.#parser.feed('\n\n');
    const { text, unreadable } = this.#answer;
    return { ...this.#answer, unreadable: text === '' ? [...unreadable, ...this.#strange] : unreadable };
  }

  /** Silence is measured in bytes, so that an SSE comment counts as a sign of life. */
  taker(stallMs = idleMs): BodySink {
    return {
      maxBytes: largestStreamBytes,
      stallMs,
      longestMs,
      write: (chunk) => {
        this.#feed(this.#decoder.decode(chunk, { stream: true }));
        return undefined;
      },
      isEnough: () => this.#isOver,
    };
  }

  /** The parser would hold a lone CR back until a later line ends, and an event that has come whole with it. */
  #feed(text: string): void {
    if (text === '') return;
    this.#parser.feed((this.#isAfterReturn ? text.replace(/^\n/u, '') : text).replaceAll(/\r\n?/gu, '\n'));
    this.#isAfterReturn = text.endsWith('\r');
  }

  get #isOver(): boolean {
    return this.#answer.isDone || this.#answer.error !== null;
  }

  #take({ event = 'message', data }: EventSourceMessage): void {
    if (this.#isOver) return;
    if (data.trim() === '[DONE]') this.#answer.isDone = true;
    if (this.#isOver || this.#isAtEnd) return;
    const json = parseGuardedJson(data);
    const piece = json.isJson ? readStreamPiece(json.value) : null;
    if (piece === null) {
      const { unreadable } = this.#answer;
      if (this.#names.has(event) && unreadable.length < keptUnreadable) unreadable.push(data.slice(0, keptCharacters));
      return;
    }
    if (piece.kind === 'text') this.#names.add(event);
    if (piece.kind === 'error') this.#answer.error = piece.body;
    else if (event === 'error') this.#answer.error = { error: json.isJson ? json.value : {} };
    else if (piece.kind === 'text') this.#add(piece);
    // The shape is none we know: it may be noise or the text itself. The end of the stream decides which.
    else this.#strange.push(data.slice(0, keptCharacters));
    if (this.#strange.length > keptUnreadable) this.#strange.shift();
  }

  #add(piece: { readonly text: string; readonly finishReason: string | null; readonly usage: TokenUsage }): void {
    const answer = this.#answer;
    answer.text += piece.text;
    answer.finishReason = piece.finishReason ?? answer.finishReason;
    answer.usage = {
      inputTokens: piece.usage.inputTokens ?? answer.usage.inputTokens,
      outputTokens: piece.usage.outputTokens ?? answer.usage.outputTokens,
      credits: piece.usage.credits ?? answer.usage.credits,
    };
    if (piece.text !== '') this.#onText(piece.text);
  }
}

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
  readonly estimateCredits?: string | undefined;
  /** Durable, minted by the caller: the service answers a repeat with 409 and never charges it. */
  readonly idempotencyKey: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly text: string;
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
  readonly llmRequestId: string | null;
}

/** What arrived is kept, and nothing is asked again automatically. */
export interface BrokenAnswer {
  readonly failure: Failure;
  readonly partial: string;
  /** The id to look up with `status` before anything else; null: only the key is left to ask by. */
  readonly llmRequestId: string | null;
  readonly unreadable?: readonly string[];
}

/** Questions to a model and what they may hold (contract 4.3, 4.4). `idleMs`: longest silence of a stream. */
export function createAskApi(caller: Caller, idleMs?: number) {
  /** What the service would refuse is refused here, before it is charged or counted (contract 8). */
  const send = async (question: Question, sinkBody?: OpenBodySink): Promise<Result<Reply>> => {
    const fault = judgeMessages(question.messages);
    if (fault !== null)
      return err(
        makeFailure('attachment-unusable', { code: `attachment_${fault}`, outcome: 'not_sent', layer: 'local' }),
      );
    return caller.send('ask.complete', {
      json: {
        model: question.model,
        messages: question.messages,
        max_completion_tokens: question.maxCompletionTokens,
        ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
        ...(sinkBody === undefined ? {} : { stream: true }),
      },
      idempotencyKey: question.idempotencyKey,
      estimateCredits: question.estimateCredits,
      attempts: 'if-refused',
      ...(sinkBody === undefined ? {} : { sinkBody }),
      signal: question.signal,
    });
  };

  return {
    models: (signal?: AbortSignal) => caller.read('ask.models', { signal }),

    /** The whole answer at once; repeated only where it was refused unprocessed. */
    async ask(question: Question): Promise<Result<Answer, BrokenAnswer>> {
      const reply = await send(question);
      return reply.ok ? whole(reply.value) : err(broken(reply.error, ''));
    },

    /** Piece by piece; complete only when the service sent `[DONE]`. Repeated only where it was refused unprocessed. */
    async askStreaming(question: Question, onText: (piece: string) => void): Promise<Result<Answer, BrokenAnswer>> {
      const stream = new CompletionStream(onText);
      let llmRequestId: string | null = null;
      const reply = await send(question, ({ contentType, headers }) => {
        llmRequestId = cleanId(headers['x-llm-request-id']) ?? null;
        return /^text\/event-stream/iu.test(contentType) ? stream.taker(idleMs) : null;
      });
      if (reply.ok && !reply.value.isTaken && isEventStream(reply.value.text)) {
        // A stream under another content type was read as a whole.
        void stream.taker().write(Buffer.from(reply.value.text));
      } else if (reply.ok && !reply.value.isTaken) {
        const answer = whole(reply.value);
        if (answer.ok) onText(answer.value.text);
        return answer;
      }
      return endOf(stream.end(), reply, llmRequestId);
    },

    status: (id: string, signal?: AbortSignal) => caller.read('ask.request', { values: { id }, signal }),

    upload: (
      source: UploadSource,
      about: { readonly purpose?: 'vision' | 'document'; readonly model?: string },
      signal?: AbortSignal,
    ) =>
      caller.read('ask.files.upload', {
        form: {
          fields: { ...about },
          files: [{ field: 'file', source }],
        },
        attempts: 'if-refused',
        signal,
      }),
    files: (
      {
        limit,
        after,
        purpose,
      }: { readonly limit?: number; readonly after?: string; readonly purpose?: 'vision' | 'document' },
      signal?: AbortSignal,
    ): Promise<Result<AskFilePage>> =>
      caller.read('ask.files.list', { query: { limit: within(limits.pages.files, limit), after, purpose }, signal }),
    file: (file_id: string, signal?: AbortSignal) => caller.read('ask.files.read', { values: { file_id }, signal }),
    removeFile: (file_id: string, signal?: AbortSignal) =>
      caller.change('ask.files.remove', { values: { file_id }, signal }, true),
  };
}

export type AskApi = ReturnType<typeof createAskApi>;

const isEventStream = (text: string): boolean => /^\s*(?:data|event|id|retry)?:/u.test(text);

const broken = (failure: Failure, partial: string): BrokenAnswer => ({
  failure,
  partial,
  // A repeated key is answered with the id of the first question, in the header or in the body.
  llmRequestId:
    failure.llmRequestId ?? (failure.kind === 'question-already-asked' ? (failure.requestId ?? null) : null),
});

function whole(reply: Reply): Result<Answer, BrokenAnswer> {
  const read = readCompletion(bodyOf(reply));
  if (read === null) return err(broken(unreadable(reply, false), ''));
  const { text, finishReason, usage } = read;
  return ok({ text, finishReason, usage, llmRequestId: reply.llmRequestId });
}

function endOf(
  answer: StreamedAnswer,
  reply: Result<Reply>,
  llmRequestId: string | null,
): Result<Answer, BrokenAnswer> {
  const { text, finishReason, usage } = answer;
  const brokenBy = (failure: Failure): Result<Answer, BrokenAnswer> => err({ failure, partial: text, llmRequestId });
  const facts = llmRequestId === null ? {} : { llmRequestId };
  if (answer.isDone) {
    const { unreadable } = answer;
    if (text !== '' && unreadable.length === 0) return ok({ text, finishReason, usage, llmRequestId });
    const failure = makeFailure('stream-piece-unreadable', { code: 'piece_missing', outcome: 'accepted', ...facts });
    return err({ failure, partial: text, llmRequestId, unreadable });
  }
  if (answer.error !== null) return brokenBy({ ...failureInStream(answer.error), ...facts });
  if (!reply.ok && reply.error.code === 'cancelled' && reply.error.outcome === 'unknown')
    return brokenBy(makeFailure('stopped', { code: 'stopped', ...facts }));
  if (!reply.ok && reply.error.envelope !== 'truncated') {
    const own = broken(reply.error, text);
    return err({ ...own, llmRequestId: own.llmRequestId ?? llmRequestId });
  }
  const isSilent = !reply.ok && reply.error.code === 'receive_stalled';
  return brokenBy(
    makeFailure(isSilent ? 'stream-silent' : 'stream-stopped-early', { code: 'stream_incomplete', ...facts }),
  );
}

/** stream-failed: the row of its code where it has one; the stream's status was 200 and means nothing. */
function failureInStream(body: JsonObject): Failure {
  const { status: _, ...seen } = classify(
    { kind: 'answer', status: 400, headers: {}, body: JSON.stringify(body) },
    { request: 'create-with-key', target: 'route', area: 'ask', serverNowMs: 0 },
  );
  if (seen.kind !== 'question-rejected') return { ...seen, outcome: 'unknown' };
  return makeFailure('stream-failed', { code: seen.code, requestId: seen.requestId, details: seen.details });
}

interface StreamedAnswer {
  text: string;
  finishReason: string | null;
  usage: TokenUsage;
  /** `[DONE]` was seen: the only sign that the answer is whole. */
  isDone: boolean;
  error: JsonObject | null;
  readonly unreadable: string[];
}

const rowOf = {
  empty: 'attachment-unusable',
  too_large: 'attachment-too-large',
  other_type: 'attachment-type',
  too_many_pages: 'attachment-unusable',
} as const;

export const judgeFiles = (counts: readonly number[]): AttachmentFault | null =>
  judgeMessages(
    counts.map((count) => ({
      role: 'user',
      content: [{ type: 'text' }, ...Array.from({ length: count }, () => ({ type: 'file' }))],
    })),
  );

export interface AttachmentFacts {
  readonly name: string;
  readonly sizeBytes: number;
  readonly purpose: AttachmentPurpose;
}

type Inspected = AttachmentFacts & { readonly bytes: Buffer; readonly mtimeMs: number };

export async function inspectAttachment(path: string): Promise<Result<Inspected>> {
  const name = basename(path);
  const refuse = (fault: AttachmentFault) =>
    err(
      makeFailure(rowOf[fault as keyof typeof rowOf], {
        code: `attachment_${fault}`,
        outcome: 'not_sent',
        layer: 'local',
        params: { name },
      }),
    );
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true)
    return err(makeFailure('file-unreadable', { code: 'file_missing', outcome: 'not_sent', params: { name } }));
  if (found.size > limits.attachment.fileBytes) return refuse('too_large');
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null)
    return err(makeFailure('file-unreadable', { code: 'file_unreadable', outcome: 'not_sent', params: { name } }));
  const judged = judgeAttachment(bytes);
  if (typeof judged === 'object') return refuse(judged.fault);
  return ok({ name, sizeBytes: bytes.length, purpose: judged, bytes, mtimeMs: found.mtimeMs });
}

/** A file at the service. `isUploaded`: by this call; otherwise it was there, and others may use it. */
export interface AttachedFile {
  readonly fileId: string;
  readonly isUploaded: boolean;
}

/** The service does not recognise repeats, so a file is named by its content and searched for first. */
export async function attachFile(
  api: AskApi,
  path: string,
  model: string | null,
  signal: AbortSignal,
): Promise<Result<AttachedFile>> {
  const inspected = await inspectAttachment(path);
  if (!inspected.ok) return inspected;
  const { bytes, purpose, sizeBytes, mtimeMs } = inspected.value;
  const contentName = `${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.${attachmentExtension(bytes)}`;
  const there = await api.files({ limit: limits.pages.files.max }, signal);
  if (there.ok) {
    const same = there.value.files.find((file) => file.filename === contentName && file.bytes === bytes.length);
    if (same !== undefined) return ok({ fileId: same.id, isUploaded: false });
    if (there.value.files.length >= limits.attachment.activePerAccount)
      return err(
        makeFailure('attachment-limit', { code: 'attachment_quota_exceeded', outcome: 'not_sent', layer: 'local' }),
      );
  }
  const about = { purpose, ...(model === null ? {} : { model }) };
  const uploaded = await api.upload({ path, name: contentName, sizeBytes, mtimeMs }, about, signal);
  return uploaded.ok ? ok({ fileId: uploaded.value.id, isUploaded: true }) : uploaded;
}

/** The models (assumptions: model-entry); null when there is no list. */
export function readModels(body: unknown) {
  const page = readPage(body, ['models'], readModel);
  if (page === null) return null;
  const names = ['credits_per_usd', 'creditsPerUsd', 'credits_per_dollar'];
  const around = unwrap(body).flatMap((source) => [source, ...objectsIn(source, ['pricing', 'meta'])]);
  return { models: page.items, creditsPerUsd: pickFrom(around, names, asDecimal) ?? null };
}

const readModel = (value: unknown) =>
  readWithId(value, [], ['id', 'model', 'model_id'], (id, { text, count }, source) => {
    const prices = [source, ...objectsIn(source, ['pricing', 'prices', 'price'])];
    return {
      id,
      name: text('name', 'display_name'),
      /** US cents per million tokens, as decimal text. */
      inputPrice: priceIn(prices, 'input'),
      outputPrice: priceIn(prices, 'output'),
      seesImages: hasFlag(source, 'vision'),
      readsDocuments: hasFlag(source, 'document'),
      maxOutputTokens: count('max_output_tokens', 'max_completion_tokens', 'max_tokens'),
      /** The service reserves all of it for a question with files (contract 8). */
      contextTokens: count('context_window', 'context_tokens', 'context_length', 'max_context_tokens'),
    };
  });

/** The first amount whose name mentions `side` and not cached input. */
function priceIn(sources: readonly JsonObject[], side: 'input' | 'output'): string | null {
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      const isPrice = name.includes(side) && !/cach|max|token_limit|modalit/u.test(name);
      const amount = isPrice ? asDecimal(value) : undefined;
      if (amount !== undefined) return amount;
    }
  }
  return null;
}

function hasFlag(model: JsonObject, name: 'vision' | 'document'): boolean {
  const places = [model, ...objectsIn(model, ['capabilities', 'features', 'supports'])];
  const names = [name, `${name}s`, `supports_${name}`, `supports_${name}s`];
  const flag = pickFrom(places, names, asFlag);
  const list = pick(model, ['capabilities', 'features', 'modalities'], asArray) ?? [];
  return flag ?? list.some((item) => typeof item === 'string' && names.includes(item.toLowerCase()));
}

/** A completion as JSON (assumptions: completion-body); null when it contains no text at all. */
export function readCompletion(body: unknown) {
  const source = readNamed(body, ['completion'], ['choices', 'message', 'content', 'output_text']);
  if (source === null) return null;
  const choice = (pick(source, ['choices'], asArray) ?? []).find(isJsonObject) ?? source;
  const message = pick(choice, ['message', 'delta'], asJsonObject) ?? choice;
  const text = pick(message, ['content', 'text', 'output_text'], contentText);
  if (text === undefined) return null;
  return {
    id: fieldsOf(source).id('id'),
    text,
    finishReason: fieldsOf(choice).text('finish_reason', 'stop_reason'),
    usage: readUsage(source),
  };
}

/** Text, or the joined texts of content parts. */
function contentText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  return value
    .map((part) => (isJsonObject(part) ? (pick(part, ['text', 'content'], asText) ?? '') : (asText(part) ?? '')))
    .join('');
}

function readUsage(source: JsonObject) {
  const places = [pick(source, ['usage'], asJsonObject) ?? {}, source];
  return {
    inputTokens: pickFrom(places, ['prompt_tokens', 'input_tokens'], asCount) ?? null,
    outputTokens: pickFrom(places, ['completion_tokens', 'output_tokens'], asCount) ?? null,
    credits: exactCredits(places) ?? pickFrom(places, ['credits_debited'], asDecimal) ?? null,
  };
}

export type TokenUsage = ReturnType<typeof readUsage>;

/**
 * One data event of a stream (assumptions: completion-stream). `error` is the object of a failure within the stream.
 */
export type StreamPiece =
  | { readonly kind: 'text'; readonly text: string; readonly finishReason: string | null; readonly usage: TokenUsage }
  | { readonly kind: 'error'; readonly body: JsonObject }
  | { readonly kind: 'other' };

/** Parses one data event of a stream (contract 4.3); null when it is no object. */
export function readStreamPiece(body: unknown): StreamPiece | null {
  if (!isJsonObject(body)) return null;
  if (isJsonObject(body['error']) || typeof body['error'] === 'string') return { kind: 'error', body };
  const choice = (pick(body, ['choices'], asArray) ?? []).find(isJsonObject);
  if (choice === undefined) {
    const usage = readUsage(body);
    return usage.outputTokens === null ? { kind: 'other' } : { kind: 'text', text: '', finishReason: null, usage };
  }
  const delta = pick(choice, ['delta', 'message'], asJsonObject) ?? choice;
  return {
    kind: 'text',
    text: pick(delta, ['content', 'text'], contentText) ?? '',
    finishReason: fieldsOf(choice).text('finish_reason'),
    usage: readUsage(body),
  };
}

export interface QuestionStatus {
  readonly id: string | null;
  /** The outcome; `unknown` means "not finished" like `running`. */
  readonly outcome: 'running' | 'settled' | 'failed' | 'usage-pending' | 'unknown';
  readonly rawStatus: string | null;
  readonly credits: string | null;
  readonly wholeCredits: number | null;
  readonly usage: TokenUsage;
}

const outcomes: readonly (readonly [RegExp, QuestionStatus['outcome']])[] = [
  [/usage_pending|reconcil|settling/u, 'usage-pending'],
  [/^(?:completed|complete|succeeded|success|settled|finished|done|billed)$/u, 'settled'],
  [/^(?:failed|error|errored|cancelled|canceled|rejected|refused|expired|released|not_charged)$/u, 'failed'],
  [/^(?:pending|queued|running|processing|in_progress|streaming|started|reserved)$/u, 'running'],
];

/** The status of a question (assumptions: request-status); null when the body contains neither state nor amounts. */
export function readQuestionStatus(body: unknown): QuestionStatus | null {
  const source = readNamed(body, ['request', 'llm_request'], ['status', 'state', 'usage', 'credits']);
  if (source === null) return null;
  const { id, text, count } = fieldsOf(source);
  const word = text('status', 'state');
  const known = outcomes.find(([pattern]) => pattern.test((word ?? '').toLowerCase()))?.[1];
  return {
    id: id('id', 'request_id'),
    outcome: known ?? 'unknown',
    rawStatus: word,
    credits: exactCredits([source]) ?? readUsage(source).credits,
    wholeCredits: count('credits_debited', 'whole_credits', 'debited_credits'),
    usage: readUsage(source),
  };
}

/** One attachment (contract 2.9); null without an identifier. */
export const readAskFile = (body: unknown) =>
  readWithId(body, ['file'], ['id'], (id, { count, text, unix }) => ({
    id,
    bytes: count('bytes', 'size'),
    filename: text('filename', 'name'),
    purpose: text('purpose'),
    createdAtMs: unix('created_at'),
    expiresAtMs: unix('expires_at'),
  }));

/** A page of attachments (contract 2.9); null when there is no list. */
export function readAskFiles(body: unknown) {
  const page = readPage(body, ['files'], readAskFile);
  if (page === null) return null;
  const hasMore = pickFrom(unwrap(body), ['has_more'], asFlag) ?? false;
  const last = pickFrom(unwrap(body), ['last_id'], asFilledText) ?? page.items.at(-1)?.id;
  return { files: page.items, after: hasMore && last !== undefined ? last : null };
}

export type AskFilePage = NonNullable<ReturnType<typeof readAskFiles>>;
