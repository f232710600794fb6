import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { bill, creditsPerUsd, refuseUnaffordable, toCredits, toUnits, wholeCredits } from './credits.ts';
import { extractAnswer, tokensOf } from './extract.ts';
import { withForm, type Form } from './form.ts';
import {
  codeOf,
  createOnce,
  digest,
  found,
  isJson,
  json,
  newId,
  readIdempotencyKey,
  readJson,
  Refusal,
  route,
  type Answer,
  type Exchange,
  type Once,
  type Route,
} from './http.ts';
import type { Services } from './services.ts';
import { get, time } from './state.ts';

interface Model {
  readonly id: string;
  readonly name: string;
  readonly context_window: number;
  readonly max_output_tokens: number;
  /** US cents. */
  readonly input_cents_per_million_tokens: number;
  readonly output_cents_per_million_tokens: number;
  readonly capabilities: { readonly vision: boolean; readonly document: boolean; readonly streaming: boolean };
}

const priceVersion = 'practice-1';

const quotingModel: Model = {
  id: 'practice-extract',
  name: 'Practice: quotes your text',
  context_window: 32_000,
  max_output_tokens: 4096,
  input_cents_per_million_tokens: 100,
  output_cents_per_million_tokens: 400,
  capabilities: { vision: false, document: false, streaming: true },
};
const models: readonly Model[] = [
  quotingModel,
  {
    ...quotingModel,
    id: 'practice-extract-files',
    name: 'Practice: quotes your text, takes files',
    context_window: 64_000,
    input_cents_per_million_tokens: 200,
    output_cents_per_million_tokens: 800,
    capabilities: { vision: true, document: true, streaming: true },
  },
];

const findModel = (id: string): Model | undefined => models.find((model) => model.id === id);

/** The cost of tokens, exact to a hundred-millionth of a credit. */
function tokenUnits(model: Model, inputTokens: number, outputTokens: number): number {
  const inputCents = (inputTokens * model.input_cents_per_million_tokens) / 1_000_000;
  const outputCents = (outputTokens * model.output_cents_per_million_tokens) / 1_000_000;
  return toUnits(((inputCents + outputCents) / 100) * creditsPerUsd);
}

/** The envelope of the handlers for language models (contract 7). */
const llmProblem = (status: number, code: string, message: string, headers = {}): Answer =>
  json(status, { error: { message, type: 'request_error', code } }, headers);

function refuseLlm(...args: Parameters<typeof llmProblem>): never {
  throw new Refusal(llmProblem(...args));
}

/** Writes what `work` refuses in the standard envelope as these handlers write it. */
async function inLlmEnvelope<T>(
  work: () => Promise<T>,
  statusOf: (status: number, code: string) => number = (status) => status,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.answer === null) throw error;
    const { status, headers, body } = error.answer;
    const message = isJson(body) ? body['message'] : undefined;
    if (typeof message !== 'string') throw error;
    const code = codeOf(error) ?? 'validation_error';
    return refuseLlm(statusOf(status, code), code, message, headers);
  }
}

/** A question and its usage; never its text. */
export interface LlmRequest {
  readonly id: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly units: number;
  readonly createdAtMs: number;
}

function listModels(): Answer {
  const data = models.map((model) => ({ ...model, object: 'model', created: 0, owned_by: 'practice' }));
  return json(200, { object: 'list', data, credits_per_usd: creditsPerUsd, price_version: priceVersion });
}

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('file'), file: z.strictObject({ file_id: z.string() }) }),
]);
const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(part).min(1).max(12)]) }),
  z.looseObject({
    role: z.enum(['system', 'assistant', 'tool']),
    content: z.string(),
    tool_call_id: z.string().optional(),
  }),
]);
type Message = z.output<typeof message>;

const filesOf = ({ content }: Message): readonly string[] =>
  typeof content === 'string' ? [] : content.flatMap((one) => (one.type === 'file' ? [one.file.file_id] : []));
const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n');

const body = z
  .looseObject({
    model: z.string(),
    messages: z.array(message).min(1).max(500),
    max_completion_tokens: z.int().min(1).max(4096).default(1024),
    stream: z.boolean().default(false),
    temperature: z.number().min(0).max(2).optional(),
  })
  .refine(({ messages }) => messages.every((one) => filesOf(one).length <= 4), {
    error: 'at most 4 files in a message',
  })
  .refine(({ messages }) => messages.flatMap(filesOf).length <= 16, { error: 'at most 16 files in a conversation' });
type Question = z.output<typeof body>;

/** Names of the files of a question; each question checks again whether they may be used with this model. */
function namesOfFiles(question: Question, model: Model, services: Services): readonly string[] {
  const names = question.messages.flatMap(filesOf).map((id) => {
    const gone = llmProblem(422, 'attachment_unavailable', 'A file is deleted, expired or unknown.');
    const file = found(findFile(id, services), gone);
    if (!model.capabilities.document)
      refuseLlm(422, 'unsupported_attachment', 'This model takes no files of this kind.');
    return file;
  });
  return [...new Set(names)].map(({ fileName }) => fileName);
}

const usageOf = ({ inputTokens, outputTokens }: LlmRequest) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

interface Completion {
  readonly request: LlmRequest;
  readonly text: string;
  readonly finish: 'stop' | 'length';
}

/** Answers a question. The reservation covers all input and the maximum output. */
function complete(question: Question, once: Once, exchange: Exchange, services: Services): Completion {
  const { state, save, now } = services;
  const model = found(findModel(question.model), llmProblem(400, 'validation_error', 'There is no such model.'));
  const unseen = namesOfFiles(question, model, services);
  const texts = question.messages.filter(({ role }) => role !== 'assistant' && role !== 'system').map(textOf);
  const maxTokens = Math.min(question.max_completion_tokens, model.max_output_tokens);
  const inputTokens = question.messages.reduce((sum, one) => sum + tokensOf(textOf(one)) + 4, 0);
  if (inputTokens > model.context_window)
    refuseLlm(400, 'validation_error', `The question has more than ${model.context_window} tokens.`);
  const reserved = tokenUnits(model, unseen.length > 0 ? model.context_window : inputTokens, maxTokens);
  refuseUnaffordable(state, exchange.caller, reserved);
  const { text, finish } = extractAnswer(texts, unseen, maxTokens);
  const outputTokens = tokensOf(text);
  const units = tokenUnits(model, inputTokens, outputTokens);
  const request: LlmRequest = {
    id: newId('llm'),
    model: model.id,
    inputTokens,
    outputTokens,
    units,
    createdAtMs: now(),
  };
  state.llmRequests[request.id] = request;
  once.use(request.id);
  bill(services, exchange, {
    subject: request.id,
    product: 'llm',
    operation: 'chat.completions',
    units,
    state: 'settled',
    route: 'POST /v1/chat/completions',
    idempotencyKey: once.key,
    audioSha256: digest(JSON.stringify(question.messages)),
    fields: { model: model.id, stream: question.stream },
  });
  save();
  return { request, text, finish };
}

function refuseRepeated(id: string): never {
  const message = 'This Idempotency-Key was used. Its answer is not repeated.';
  const error = { message, type: 'request_error', code: 'duplicate_idempotency_key', llm_request_id: id };
  throw new Refusal(json(409, { error }, { 'x-llm-request-id': id }));
}

const createCompletion = (exchange: Exchange, services: Services): Promise<Answer> =>
  inLlmEnvelope(async () => {
    const key = readIdempotencyKey(exchange.request);
    const question = await readJson(exchange.request, body);
    const create = (once: Once): Completion => complete(question, once, exchange, services);
    // Whatever is asked with it: a used key is only told whose it is.
    const completion = await createOnce(services, 'llm', key, '', create, refuseRepeated);
    const { request, text, finish } = completion;
    const headers = { 'x-llm-request-id': request.id };
    if (question.stream)
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', ...headers },
        body: () => Readable.from(streamCompletion(completion, services.limits.streamPieceMs), { objectMode: false }),
      };
    const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }];
    return json(200, { ...headOf(request), object: 'chat.completion', choices, usage: usageOf(request) }, headers);
  });

const headOf = ({ id, model, createdAtMs }: LlmRequest) => ({ id, created: Math.floor(createdAtMs / 1000), model });

function readLlmRequest({ id }: Exchange, { state }: Services): Answer {
  const unknown = llmProblem(404, 'not_found', 'There is no request with this identifier.');
  const request = found(get(state.llmRequests, id), unknown);
  return json(200, {
    id,
    object: 'llm.request',
    model: request.model,
    status: 'completed',
    usage: usageOf(request),
    credits: toCredits(request.units).toFixed(8),
    credits_debited: wholeCredits(request.units),
    price_version: priceVersion,
    created_at: time(request.createdAtMs),
  });
}

async function* streamCompletion({ request, text, finish }: Completion, pieceMs: number): AsyncGenerator<Buffer> {
  const chunk = (delta: unknown, finishReason: string | null, more = {}): string => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    return JSON.stringify({ ...headOf(request), object: 'chat.completion.chunk', choices, ...more });
  };
  const events = [
    chunk({ role: 'assistant', content: '' }, null),
    // Words with the space after them, so that joining them restores the text.
    ...(text.match(/\S+\s*|\s+/g) ?? []).map((piece) => chunk({ content: piece }, null)),
    chunk({}, finish, { usage: usageOf(request) }),
    '[DONE]',
  ];
  for (const event of events) {
    if (pieceMs > 0) await wait(pieceMs);
    yield Buffer.from(`data: ${event}\n\n`);
  }
}

/** A file that questions may name. Nothing of its content is kept, because answers use nothing of it. */
export interface LlmFile {
  readonly seq: number;
  readonly id: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly purpose: 'vision' | 'document';
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const mostPages = 100;
const mostActive = 25;
const mostAttempts = 100;
const mostAtOnce = 4;
const dayMs = 86_400_000;
const keptMs = 30 * dayMs;

const noFile = llmProblem(404, 'not_found', 'There is no file with this identifier.');
const refuseQuota = (words: string): never =>
  refuseLlm(429, 'attachment_quota_exceeded', words, { 'retry-after': '60' });
const wrong = (words: string): never => refuseLlm(422, 'validation_error', words);

/** Files that are not expired, oldest first. */
const active = ({ state, now }: Services): readonly LlmFile[] =>
  Object.values(state.llmFiles).filter(({ expiresAtMs }) => expiresAtMs > now());

const findFile = (id: string, services: Services): LlmFile | undefined =>
  active(services).find((file) => file.id === id);

const writtenFile = ({ id, fileName: filename, bytes, purpose, createdAtMs, expiresAtMs }: LlmFile) => {
  const [created, expires] = [createdAtMs, expiresAtMs].map((ms) => Math.floor(ms / 1000));
  return { id, object: 'file', bytes, filename, purpose, created_at: created, expires_at: expires };
};

const uploadFields = z.strictObject({
  model: z.string().optional(),
  purpose: z.enum(['vision', 'document']).optional(),
});

async function keep({ files: [file], fields: given, unexpected }: Form, services: Services): Promise<Answer> {
  const { state, save, now } = services;
  if (unexpected.length > 0) wrong('A field was sent twice, or is not known.');
  const order = uploadFields.safeParse(given).data;
  if (order === undefined) return wrong('A field is not right, or is not known.');
  if (file.sizeBytes === 0) wrong('The file is empty.');
  const purpose = purposeOf(await readFile(file.path));
  if (order.purpose !== undefined && order.purpose !== purpose)
    wrong(`The file is for ${purpose}, which is not what was asked for.`);
  if (order.model !== undefined) {
    const model = findModel(order.model);
    if (model === undefined) return wrong('There is no such model.');
    if (!model.capabilities.document)
      refuseLlm(422, 'unsupported_attachment', 'This model takes no files of this kind.');
  }
  if (active(services).length >= mostActive) refuseQuota(`There are ${mostActive} files already. Delete some.`);
  const kept: LlmFile = {
    seq: (state.seq += 1),
    id: newId('file'),
    fileName: file.fileName.slice(0, 200),
    bytes: file.sizeBytes,
    purpose,
    createdAtMs: now(),
    expiresAtMs: now() + keptMs,
  };
  state.llmFiles[kept.id] = kept;
  save();
  return json(201, writtenFile(kept));
}

async function uploadFile(exchange: Exchange, services: Services): Promise<Answer> {
  const { state, uploading, now, uploadsDir: folder, limits } = services;
  // Every upload counts, whatever becomes of it.
  state.uploadTimes = [...state.uploadTimes.filter((atMs) => atMs > now() - dayMs), now()];
  if (state.uploadTimes.length > mostAttempts) refuseQuota(`There were ${mostAttempts} uploads in the last day.`);
  if (uploading.size >= mostAtOnce) refuseQuota(`At most ${mostAtOnce} uploads at a time.`);
  uploading.add(exchange.requestId);
  const rules = {
    folder,
    field: 'file',
    maxFiles: 1,
    maxBytes: 4 * 1024 * 1024,
    tooLargeCode: 'file_too_large',
    deadlineMs: limits.attachmentUploadMs,
  };
  try {
    return await inLlmEnvelope(
      () => withForm(exchange, rules, (form) => keep(form, services)),
      (status, code) => (code === 'validation_error' ? 422 : status),
    );
  } finally {
    uploading.delete(exchange.requestId);
  }
}

const filesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  purpose: z.enum(['vision', 'document']).optional(),
  after: z.string().optional(),
});

function listFiles({ query }: Exchange, services: Services): Answer {
  const asked = filesQuery.safeParse(Object.fromEntries(query)).data;
  const last = asked?.after === undefined ? undefined : findFile(asked.after, services);
  if (asked === undefined || (asked.after !== undefined && last === undefined))
    return wrong('limit is 1 to 100, purpose is vision or document, and after is a file of this account.');
  const { limit, purpose } = asked;
  const rest = active(services)
    .filter((file) => file.seq < (last?.seq ?? Infinity) && (purpose === undefined || file.purpose === purpose))
    .toReversed();
  const data = rest.slice(0, limit).map(writtenFile);
  return json(200, {
    object: 'list',
    data,
    has_more: rest.length > limit,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
  });
}

const readOneFile = ({ id }: Exchange, services: Services): Answer =>
  json(200, writtenFile(found(findFile(id, services), noFile)));

/** No question can use it from now on. */
function deleteFile({ id }: Exchange, { state, save }: Services): Answer {
  if (get(state.llmFiles, id) === null) throw new Refusal(noFile);
  delete state.llmFiles[id];
  save();
  return json(200, { id, object: 'file', deleted: true });
}

/** How files of each kind begin and end, as latin1. */
const kinds = [
  { name: 'PNG', head: /^\x89PNG\r\n/, tail: /IEND.{4}$/s },
  { name: 'JPEG', head: /^\xff\xd8\xff/, tail: /\xff\xd9.{0,62}$/s },
  { name: 'GIF', head: /^GIF8[79]a/, tail: /;$/ },
  { name: 'WebP', head: /^RIFF.{4}WEBP/s, tail: /$/ },
  { name: 'PDF', head: /^%PDF-/, tail: /%%EOF.{0,1019}$/s },
] as const;

/** Recognises a file by its content, never by its name, and refuses one that can't be complete. */
function purposeOf(bytes: Buffer): LlmFile['purpose'] {
  const text = bytes.toString('latin1');
  const kind = kinds.find(({ head }) => head.test(text));
  if (kind === undefined)
    return refuseLlm(415, 'unsupported_media_type', 'Only PNG, JPEG, WebP, GIF and PDF are taken.');
  if (!kind.tail.test(text.slice(-1024))) refuseLlm(422, 'invalid_attachment', `The ${kind.name} has no end.`);
  if (kind.name !== 'PDF') return 'vision';
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  if (pages > mostPages) refuseLlm(422, 'invalid_attachment', `The PDF has more than ${mostPages} pages.`);
  return 'document';
}

const oneFile = '/v1/files/:fileId';

export const assistantRoutes: readonly Route[] = [
  route('GET', '/v1/models', listModels, 'llm:read'),
  route('POST', '/v1/chat/completions', createCompletion, 'llm:write'),
  route('GET', '/v1/llm/requests/:id', readLlmRequest, 'llm:read'),
  route('POST', '/v1/files', uploadFile, 'llm:write'),
  route('GET', '/v1/files', listFiles, 'llm:read'),
  route('GET', oneFile, readOneFile, 'llm:read'),
  route('DELETE', oneFile, deleteFile, 'llm:write'),
];
