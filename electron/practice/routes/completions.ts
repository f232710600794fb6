import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { refuseUnaffordable, type Unaffordable } from '../billing/credits.ts';
import { creditsPerUsd, toCredits, wholeCredits } from '../billing/units.ts';
import { asLlmProblem, llmProblem, json, type Answer } from '../http/answer.ts';
import { inTurn, readIdempotencyKey } from '../http/idempotency-key.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange, KeyedExchange } from '../http/route.ts';
import { streamCompletion, type Completion } from '../llm/completion-stream.ts';
import { extractAnswer } from '../llm/extract.ts';
import type { LlmRequest } from '../llm/llm-requests.ts';
import { findModel, models, priceVersion, tokensOf, tokenUnits, type Model } from '../llm/models.ts';
import type { Services } from '../services.ts';

/** GET /v1/models */
export function listModels(): Answer {
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
    capabilities: { vision: model.vision, document: model.document, streaming: true },
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

/** A message with the text of its files in front of the question about them. */
function withWords(message: Message, { llmFiles }: Services): string {
  return [...filesOf(message).map((id) => llmFiles.textOf(id)), textOf(message)]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Names of the files that contain no text. */
function unseenIn(question: Question, { llmFiles, now }: Services): readonly string[] {
  const ids = [...new Set(question.messages.flatMap(filesOf))].filter((id) => llmFiles.textOf(id) === '');
  return ids.map((id) => llmFiles.read(id, now())?.fileName ?? id);
}

/** Each question checks again whether its files may be used with this model. */
function refuseFiles(question: Question, model: Model, { llmFiles, now }: Services): Answer | null {
  for (const id of question.messages.flatMap(filesOf)) {
    const file = llmFiles.read(id, now());
    if (file === null) return llmProblem(422, 'attachment_unavailable', 'A file is deleted, expired or unknown.');
    if (!(file.purpose === 'vision' ? model.vision : model.vision && model.document))
      return llmProblem(422, 'unsupported_attachment', 'This model takes no files of this kind.');
  }
  return null;
}

/** Unknown usage is settled after a while; until then further questions are refused. */
function refusePendingUsage({ llmRequests, credits, limits, now }: Services): Answer | null {
  for (const { id, units, createdAtMs } of llmRequests.withPendingUsage()) {
    if (now() - createdAtMs < limits.usageReconcileMs)
      return llmProblem(409, 'llm_usage_pending', 'The use of an earlier question is not known yet.');
    credits.settle(id, { units });
    llmRequests.complete(id);
  }
  return null;
}

const usageOf = ({ inputTokens, outputTokens }: LlmRequest): Record<string, number> => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

interface Work {
  readonly request: LlmRequest;
  readonly completion: Completion;
  readonly reservedUnits: number;
}

/** Works out the cost of a question. The reservation covers all input and the maximum output. */
function workOn(question: Question, model: Model, services: Services): Work {
  const atMs = services.now();
  const texts = question.messages.filter(({ role }) => role !== 'assistant' && role !== 'system').map(textOf);
  const fileIds = [...new Set(question.messages.flatMap(filesOf))];
  const documents = fileIds.map((id) => services.llmFiles.textOf(id)).filter((words) => words !== '');
  const hasFiles = question.messages.some((one) => filesOf(one).length > 0);
  const maxTokens = Math.min(question.max_completion_tokens, model.maxOutputTokens);
  const inputTokens = question.messages.reduce((sum, one) => sum + tokensOf(withWords(one, services)) + 4, 0);
  const { text, finish } = extractAnswer({ texts, documents, unseen: unseenIn(question, services) }, maxTokens);
  const outputTokens = tokensOf(text);
  const request: LlmRequest = {
    id: `llm_${randomUUID().replaceAll('-', '')}`,
    model: model.id,
    status: 'completed',
    inputTokens,
    outputTokens,
    units: tokenUnits(model, inputTokens, outputTokens),
    createdAtMs: atMs,
  };
  return {
    request,
    completion: {
      id: request.id,
      created: Math.floor(atMs / 1000),
      model: model.id,
      text,
      finish,
      usage: usageOf(request),
    },
    reservedUnits: tokenUnits(model, hasFiles ? model.contextTokens : inputTokens, maxTokens),
  };
}

/** Reserves, records, and settles what is known. */
function account(
  { request, reservedUnits }: Work,
  question: Question,
  idempotencyKey: string,
  { caller, requestId, faults }: KeyedExchange,
  { transaction, credits, llmRequests, ledger }: Services,
): Unaffordable | null {
  const { id, units, createdAtMs: atMs } = request;
  const isPending = faults.some(({ fault }) => fault === 'usage-pending');
  return transaction(() => {
    const charge = { subject: id, requestId, keyId: caller.id, product: 'llm' as const, operation: 'chat.completions' };
    const refusal = credits.holdAll(caller, [{ ...charge, units: reservedUnits, atMs }]);
    if (refusal !== null) return refusal;
    llmRequests.add({ ...request, status: isPending ? 'usage_pending' : 'completed' }, idempotencyKey);
    ledger.add({
      atMs,
      route: 'POST /v1/chat/completions',
      idempotencyKey,
      contentSha256: createHash('sha256').update(JSON.stringify(question.messages)).digest('hex'),
      fields: { model: request.model, stream: question.stream },
      subject: id,
    });
    if (!isPending) credits.settle(id, { units });
    return null;
  });
}

function answerOf(completion: Completion, question: Question, { faults }: KeyedExchange, { limits }: Services): Answer {
  const headers = { 'x-llm-request-id': completion.id };
  if (question.stream) {
    return {
      kind: 'stream',
      status: 200,
      contentType: 'text/event-stream; charset=utf-8',
      open: () => streamCompletion(completion, limits.streamPieceMs, faults),
      length: null,
      headers,
    };
  }
  const { id, created, model, text, finish, usage } = completion;
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }];
  return json(200, { id, object: 'chat.completion', created, model, choices, usage }, headers);
}

function complete(exchange: KeyedExchange, services: Services, idempotencyKey: string, question: Question): Answer {
  const known = services.llmRequests.findByKey(idempotencyKey);
  if (known !== null) {
    const error = {
      message: 'This Idempotency-Key was used. Its answer is not repeated.',
      type: 'request_error',
      code: 'duplicate_idempotency_key',
      llm_request_id: known.id,
    };
    return json(409, { error }, { 'x-llm-request-id': known.id });
  }
  const model = findModel(question.model);
  if (model === null) return llmProblem(400, 'validation_error', 'There is no such model.');
  const refusal = refusePendingUsage(services) ?? refuseFiles(question, model, services);
  if (refusal !== null) return refusal;
  const work = workOn(question, model, services);
  if (work.request.inputTokens > model.contextTokens)
    return llmProblem(400, 'validation_error', `The question has more than ${model.contextTokens} tokens.`);
  const unaffordable = refuseUnaffordable(account(work, question, idempotencyKey, exchange, services));
  return unaffordable === null ? answerOf(work.completion, question, exchange, services) : asLlmProblem(unaffordable);
}

/** POST /v1/chat/completions */
export async function createCompletion(exchange: KeyedExchange, services: Services): Promise<Answer> {
  const key = readIdempotencyKey(exchange.request);
  if (!key.ok) return asLlmProblem(key.error);
  const question = await readJson(exchange.request, body);
  if (!question.ok) return asLlmProblem(question.error);
  return inTurn(services.admissions, `llm ${key.value}`, async () =>
    complete(exchange, services, key.value, question.value),
  );
}

/** GET /v1/llm/requests/{id} */
export function readLlmRequest({ params }: Exchange, { llmRequests }: Services): Answer {
  const request = llmRequests.read(params['id'] ?? '');
  if (request === null) return llmProblem(404, 'not_found', 'There is no request with this identifier.');
  const isKnown = request.status === 'completed';
  return json(200, {
    id: request.id,
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
