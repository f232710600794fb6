import {
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
  type JsonObject,
} from './values.ts';

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
