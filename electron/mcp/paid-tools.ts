import {
  closeIfRefused,
  openPaidRequest,
  sendUntilTaken,
  type PaidRequest,
} from '../services/account/paid-requests.ts';
import { estimateMs } from '../../shared/domain/speech/speech-document.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { AskMessage } from '../api/resources/ask.ts';
import type { ServiceSession } from '../workspace/workspace.ts';
import {
  answerTooLarge,
  largestMessage,
  numberOf,
  optionalText,
  refused,
  speechTooLong,
  textOf,
  type ServicePorts,
  type ToolAnswer,
  type ToolCall,
} from './tool.ts';

/**
 * The paid request behind a call: under the idempotency key that the call names, otherwise under the key of the same
 * content until an answer has come, so that a call repeated after a crash is not charged twice.
 */
export function paidCall(
  session: ServiceSession,
  idempotencyKey: string | undefined,
  content: readonly string[],
): Result<PaidRequest> {
  if (idempotencyKey === undefined) return openPaidRequest(session, ['tool', ...content], false);
  return ok({ open: { fingerprint: '', actionId: idempotencyKey, createdAtMs: 0, remoteId: null }, isNew: false });
}

/** The answer has what was paid for, so the same call is a new request from now on. */
export function settle(session: ServiceSession, { open }: PaidRequest): void {
  if (open.fingerprint !== '') session.ledger.closeRequest(open.fingerprint);
}

const defaultTokens = 1024;
const charactersPerToken = 4;

export async function chatCompletions({ input, signal }: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const opened = await ports.session();
  if (!opened.ok) return refused(opened.error);
  const session = opened.value;
  const messages = input['messages'] as readonly AskMessage[];
  const maxTokens = numberOf(input, 'max_tokens', defaultTokens);
  const temperature = input['temperature'] === undefined ? undefined : numberOf(input, 'temperature', 1);
  const chosen = await session.assistant.chooseModel(textOf(input, 'model'), messages, maxTokens, signal);
  if (!chosen.ok) return refused(chosen.error);
  const { model, estimate } = chosen.value;
  const asked = messages.reduce((sum, { content }) => sum + content.length, 0);
  // The answer costs too, and it may be as long as was allowed.
  const characters = asked + maxTokens * charactersPerToken;
  const spend = { requests: 1, audioMs: 0, characters, isRough: true };
  const allowed = await ports.consent(
    { tool: 'chat_completions', action: 'spend', estimate: spend, items: [model] },
    signal,
  );
  if (!allowed.ok) return refused(allowed.error);
  const content = ['chat', model, JSON.stringify(messages), String(maxTokens), String(temperature ?? '')];
  const request = paidCall(session, optionalText(input, 'idempotency_key'), content);
  if (!request.ok) return refused(request.error);
  const { actionId: idempotencyKey } = request.value.open;
  const answer = await session.client.ask.ask({
    model,
    messages,
    maxCompletionTokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    estimateCredits: estimate ?? undefined,
    idempotencyKey,
    signal,
  });
  if (!answer.ok) {
    const { failure, partial, llmRequestId } = answer.error;
    closeIfRefused(session, request.value, failure);
    return refused(failure, {
      idempotency_key: idempotencyKey,
      ...(llmRequestId === null ? {} : { llm_request_id: llmRequestId }),
      ...(partial === '' ? {} : { text: partial }),
    });
  }
  settle(session, request.value);
  const { text, finishReason, usage, llmRequestId } = answer.value;
  return ok({
    id: llmRequestId,
    text,
    finish_reason: finishReason,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, credits: usage.credits },
    idempotency_key: idempotencyKey,
  });
}

const sampleRateAt = 24;
/** 16-bit mono at 24 kHz (contract 4.5). */
const speechBytesPerSecond = 48_000;
/** What a message has besides the audio, in bytes. */
const roomForFacts = 4096;

export async function textToSpeech({ input, signal }: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const opened = await ports.session();
  if (!opened.ok) return refused(opened.error);
  const session = opened.value;
  const [text, language, voiceId] = [textOf(input, 'text'), textOf(input, 'language'), textOf(input, 'voice_id')];
  const speed = numberOf(input, 'speed', 1);
  const characters = Array.from(text).length;
  const expectedBytes = (estimateMs(characters, speed) / 1000) * speechBytesPerSecond;
  if ((expectedBytes * 4) / 3 + roomForFacts > largestMessage) return refused(speechTooLong());
  const estimate = { requests: 1, audioMs: 0, characters, isRough: false };
  const allowed = await ports.consent({ tool: 'text_to_speech', action: 'spend', estimate, items: [] }, signal);
  if (!allowed.ok) return refused(allowed.error);
  const content = ['speak', text, language, voiceId, String(speed)];
  const request = paidCall(session, optionalText(input, 'idempotency_key'), content);
  if (!request.ok) return refused(request.error);
  const { actionId: idempotencyKey } = request.value.open;
  const facts = { idempotency_key: idempotencyKey };
  return ports.withTarget(async (target, read) => {
    const say = () => session.client.speak.speak({ text, language, voiceId, speed, idempotencyKey, target, signal });
    const spoken = await sendUntilTaken(session, request.value, say, { signal });
    if (!spoken.ok) return refused(spoken.error, facts);
    if (spoken.value.kind === 'pending')
      return ok({ status: spoken.value.status ?? 'pending', generation_id: spoken.value.generationId, ...facts });
    const wav = Buffer.from(await read());
    const audio = wav.toString('base64');
    if (audio.length + roomForFacts > largestMessage) return refused(answerTooLarge(spoken.value.requestId), facts);
    settle(session, request.value);
    return ok({
      audio_base64: audio,
      format: 'wav',
      sample_rate: wav.readUInt32LE(sampleRateAt),
      ...facts,
    });
  });
}
