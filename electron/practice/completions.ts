import {
  newId,
  found,
  inTurn,
  json,
  keyed,
  readIdempotencyKey,
  readJson,
  Refusal,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { bill, creditsPerUsd, refuseUnaffordable, settle, toCredits, wholeCredits } from './credits.ts';
import { extractAnswer, tokensOf } from './extract.ts';
import type { Fault } from './faults.ts';
import { findFile } from './llm-files.ts';
import {
  findModel,
  inLlmEnvelope,
  llmProblem,
  models,
  priceVersion,
  refuseLlm,
  tokenUnits,
  type Model,
} from './models.ts';
import type { Services } from './services.ts';
import { get } from './state.ts';

/** A question and its usage; never its text. */
export interface LlmRequest {
  readonly id: string;
  readonly model: string;
  status: 'completed' | 'usage_pending';
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly units: number;
  readonly createdAtMs: number;
}

function listModels(): Answer {
  const data = models.map((model) => ({
    id: model.id,
    object: 'model',
    created: 0,
    owned_by: 'practice',
    name: model.name,
    context_window: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    input_cents_per_million_tokens: model.inputCents,
    output_cents_per_million_tokens: model.outputCents,
    capabilities: { vision: model.takesFiles, document: model.takesFiles, streaming: true },
  }));
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
    if (!model.takesFiles) refuseLlm(422, 'unsupported_attachment', 'This model takes no files of this kind.');
    return file;
  });
  return [...new Set(names)].map(({ fileName }) => fileName);
}

/** Unknown usage is settled after a while; until then further questions are refused. */
function refusePendingUsage({ state, limits, now }: Services): void {
  for (const request of Object.values(state.llmRequests)) {
    if (request.status !== 'usage_pending') continue;
    if (now() - request.createdAtMs < limits.usageReconcileMs)
      refuseLlm(409, 'llm_usage_pending', 'The use of an earlier question is not known yet.');
    settle(state, request.id, request.units);
    request.status = 'completed';
  }
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
function complete(question: Question, idempotencyKey: string, exchange: Exchange, services: Services): Completion {
  const { state, save, now } = services;
  const usedBy = get(state.used, `llm ${idempotencyKey}`)?.subject;
  if (usedBy !== undefined) {
    const error = {
      message: 'This Idempotency-Key was used. Its answer is not repeated.',
      type: 'request_error',
      code: 'duplicate_idempotency_key',
      llm_request_id: usedBy,
    };
    throw new Refusal(json(409, { error }, { 'x-llm-request-id': usedBy }));
  }
  const model = found(findModel(question.model), llmProblem(400, 'validation_error', 'There is no such model.'));
  refusePendingUsage(services);
  const unseen = namesOfFiles(question, model, services);
  const texts = question.messages.filter(({ role }) => role !== 'assistant' && role !== 'system').map(textOf);
  const maxTokens = Math.min(question.max_completion_tokens, model.maxOutputTokens);
  const inputTokens = question.messages.reduce((sum, one) => sum + tokensOf(textOf(one)) + 4, 0);
  if (inputTokens > model.contextTokens)
    refuseLlm(400, 'validation_error', `The question has more than ${model.contextTokens} tokens.`);
  const { text, finish } = extractAnswer(texts, unseen, maxTokens);
  const outputTokens = tokensOf(text);
  const isPending = exchange.faults.some(({ fault }) => fault === 'usage-pending');
  const request: LlmRequest = {
    id: newId('llm'),
    model: model.id,
    status: isPending ? 'usage_pending' : 'completed',
    inputTokens,
    outputTokens,
    units: tokenUnits(model, inputTokens, outputTokens),
    createdAtMs: now(),
  };
  const reserved = tokenUnits(model, unseen.length > 0 ? model.contextTokens : inputTokens, maxTokens);
  refuseUnaffordable(state, exchange.caller, reserved);
  state.llmRequests[request.id] = request;
  state.used[`llm ${idempotencyKey}`] = { fingerprint: '', subject: request.id };
  bill(state, {
    subject: request.id,
    requestId: exchange.requestId,
    keyId: exchange.caller.id,
    product: 'llm',
    operation: 'chat.completions',
    units: isPending ? reserved : request.units,
    state: isPending ? 'held' : 'settled',
    atMs: request.createdAtMs,
    route: 'POST /v1/chat/completions',
    idempotencyKey,
    audioSha256: createHash('sha256').update(JSON.stringify(question.messages)).digest('hex'),
    fields: { model: model.id, stream: question.stream },
  });
  save();
  return { request, text, finish };
}

const createCompletion = (exchange: Exchange, services: Services): Promise<Answer> =>
  inLlmEnvelope(async () => {
    const key = readIdempotencyKey(exchange.request);
    const question = await readJson(exchange.request, body);
    const completion = await inTurn(`llm ${key}`, () => complete(question, key, exchange, services));
    const { request, text, finish } = completion;
    const headers = { 'x-llm-request-id': request.id };
    if (question.stream)
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', ...headers },
        body: () => streamCompletion(completion, services.limits.streamPieceMs, exchange.faults),
      };
    const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }];
    return json(200, { ...headOf(request), object: 'chat.completion', choices, usage: usageOf(request) }, headers);
  });

const headOf = ({ id, model, createdAtMs }: LlmRequest) => ({ id, created: Math.floor(createdAtMs / 1000), model });

function readLlmRequest({ id }: Exchange, { state }: Services): Answer {
  const unknown = llmProblem(404, 'not_found', 'There is no request with this identifier.');
  const request = found(get(state.llmRequests, id), unknown);
  const isKnown = request.status === 'completed';
  return json(200, {
    id,
    object: 'llm.request',
    model: request.model,
    status: request.status,
    usage: isKnown ? usageOf(request) : null,
    credits: isKnown ? toCredits(request.units).toFixed(8) : null,
    credits_debited: isKnown ? wholeCredits(request.units) : null,
    price_version: priceVersion,
    created_at: new Date(request.createdAtMs).toISOString(),
  });
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

function eventsOf({ request, text, finish }: Completion): readonly string[] {
  const chunk = (delta: unknown, finishReason: string | null, more = {}): string =>
    event({
      ...headOf(request),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finishReason }],
      ...more,
    });
  return [
    chunk({ role: 'assistant', content: '' }, null),
    // Words with the space after them, so that joining them restores the text.
    ...(text.match(/\S+\s*|\s+/g) ?? []).map((piece) => chunk({ content: piece }, null)),
    chunk({}, finish, { usage: usageOf(request) }),
    'data: [DONE]\n\n',
  ];
}

function broken(events: readonly string[], fault: Extract<Fault, { fault: 'stream' }>): readonly string[] {
  const before = events.slice(0, fault.afterEvents);
  switch (fault.how) {
    case 'cut':
      return before;
    case 'no-done':
      return events.slice(0, -1);
    case 'error-event':
      return [...before, event({ error: { message: 'Practice fault.', type: 'request_error', code: fault.code } })];
    case 'junk':
      return [...before, ': a comment\n\n', 'nonsense\n\n', 'data: {half\n\n', ...events.slice(fault.afterEvents)];
    case 'crlf':
      return events.map((one) => one.replaceAll('\n', '\r\n'));
    case 'single-bytes':
      return events;
  }
}

function streamCompletion(completion: Completion, pieceMs: number, faults: readonly Fault[]): Readable {
  const fault = faults.find((one) => one.fault === 'stream');
  const events = fault === undefined ? eventsOf(completion) : broken(eventsOf(completion), fault);
  async function* write(): AsyncGenerator<Buffer> {
    for (const one of events) {
      if (pieceMs > 0) await wait(pieceMs);
      const bytes = Buffer.from(one);
      if (fault?.how !== 'single-bytes') yield bytes;
      else for (const byte of bytes) yield Buffer.from([byte]);
    }
    if (fault?.how === 'cut') throw new Error('cut by a fault');
  }
  return Readable.from(write(), { objectMode: false });
}

export const completionRoutes: readonly Route[] = [
  keyed('GET', '/v1/models', 'llm:read', listModels),
  keyed('POST', '/v1/chat/completions', 'llm:write', createCompletion),
  keyed('GET', '/v1/llm/requests/:id', 'llm:read', readLlmRequest),
];
