import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { sniff, takenFormats } from '../../shared/domain/media/sniff.ts';
import { estimateMs } from '../../shared/domain/speech/speech-document.ts';
import { estimateAudio, lengthBySize, type SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import { ok, err, type Result } from '../../shared/result/result.ts';
import type { EndpointName } from '../service/endpoints.ts';
import type { ToolName } from './tools.ts';
import type { NamedCall } from '../service/caller.ts';
import type { ServiceClient } from '../service/client.ts';
import type { AskMessage } from '../service/ask.ts';
import type { ServiceExportFormat, SubmitInput } from '../service/stt.ts';
import {
  sendUntilTaken,
  closeIfRefused,
  openPaidRequest,
  type PaidRequest,
} from '../services/account/paid-requests.ts';
import type { ServiceSession } from '../workspace/open-service-session.ts';
import type { Failure } from '../../shared/result/failure.ts';

const defaultTokens = 1024;
const charactersPerToken = 4;
const sampleRateAt = 24;

/** 16-bit mono at 24 kHz (contract 4.5). */
const speechBytesPerSecond = 48_000;

const roomForFacts = 4096;

export type ContractTool = (call: ToolCall, ports: ServicePorts) => Promise<ToolAnswer>;

const passes =
  (name: EndpointName, callOf: (input: ToolInput) => NamedCall = () => ({})): ContractTool =>
  async ({ input, signal }, ports) => {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const answer = await session.value.client.answer(name, { ...callOf(input), signal });
    return answer.ok ? answer : refused(answer.error);
  };

const deletes =
  (
    tool: ToolName,
    idName: string,
    remove: (client: ServiceClient, id: string, signal: AbortSignal) => Promise<Result<unknown>>,
  ): ContractTool =>
  async ({ input, signal }, ports) => {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const id = textOf(input, idName);
    const estimate = { requests: 0, audioMs: 0, characters: 0, isRough: false };
    const allowed = await ports.consent({ tool, action: 'delete', estimate, items: [id] }, signal);
    if (!allowed.ok) return refused(allowed.error);
    const done = await remove(session.value.client, id, signal);
    return done.ok ? ok({ [idName]: id, done: true }) : refused(done.error);
  };

const pageOf = (input: ToolInput): NamedCall => ({
  query: {
    ...(input['limit'] === undefined ? {} : { limit: numberOf(input, 'limit', 0) }),
    cursor: optionalText(input, 'cursor'),
  },
});
const one =
  (idName: string, wireName: string = idName) =>
  (input: ToolInput): NamedCall => ({ target: 'resource', values: { [wireName]: textOf(input, idName) } });

export const contractTools: Readonly<Record<ToolName, ContractTool>> = {
  list_models: passes('ask.models'),
  chat_completions: chatCompletions,
  get_llm_request: passes('ask.request', one('request_id', 'id')),
  list_tts_languages: passes('speak.languages'),
  list_voices: passes('voices.list', (input) => ({ query: { language: optionalText(input, 'language') } })),
  text_to_speech: textToSpeech,
  list_tts_generations: passes('speak.list', pageOf),
  get_tts_generation: passes('speak.read', one('generation_id')),
  delete_tts_generation: deletes('delete_tts_generation', 'generation_id', (client, id, signal) =>
    client.speak.remove(id, signal),
  ),
  speech_to_text: speechToText,
  get_transcription: passes('stt.read', one('transcription_id')),
  list_transcriptions: passes('stt.list', pageOf),
  update_transcription: passes('stt.rename', (input) => ({
    ...one('transcription_id')(input),
    json: { title: textOf(input, 'title') },
  })),
  delete_transcription: deletes('delete_transcription', 'transcription_id', (client, id, signal) =>
    client.stt.remove(id, signal),
  ),
  async export_transcription({ input, signal }, ports) {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const format = textOf(input, 'format') as ServiceExportFormat;
    const exported = await session.value.client.stt.export(textOf(input, 'transcription_id'), format, signal);
    if (!exported.ok) return refused(exported.error);
    return ok({ export_base64: Buffer.from(exported.value, 'utf8').toString('base64'), format });
  },
  isolate_voice: isolateVoice,
  get_isolation: passes('isolate.read', one('isolation_id', 'id')),
  list_isolations: passes('isolate.list', pageOf),
  async create_isolation_export({ input, signal }, ports) {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const made = await session.value.client.answer('isolate.exports.create', {
      ...one('isolation_id', 'id')(input),
      json: { format: textOf(input, 'format') },
      signal,
    });
    return made.ok ? made : refused(made.error);
  },
  get_isolation_export: passes('isolate.exports.read', (input) => ({
    target: 'resource',
    values: { id: textOf(input, 'isolation_id'), format: textOf(input, 'format') },
  })),
  hide_isolation: deletes('hide_isolation', 'isolation_id', (client, id, signal) => client.isolate.remove(id, signal)),
  async create_realtime_ticket({ input, signal }, ports) {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const service = textOf(input, 'service');
    // A ticket allows its holder to speak or dictate, which is charged.
    const estimate = { requests: 1, audioMs: 0, characters: 0, isRough: true };
    const asked = { tool: 'create_realtime_ticket', action: 'spend', estimate, items: [service] } as const;
    const allowed = await ports.consent(asked, signal);
    if (!allowed.ok) return refused(allowed.error);
    const ticket = await session.value.client.answer('realtime.ticket', {
      json: { transport: 'websocket', service },
      ...(service === 'tts' ? { permission: 'tts_realtime: access' } : {}),
      signal,
    });
    return ticket.ok ? ticket : refused(ticket.error);
  },
};

interface GivenAudio {
  readonly bytes: Uint8Array;
  readonly ending: string;
}

/** Decodes the audio in a message: base64 of a recording by its first bytes, or not-a-recording and nothing is sent. */
function readAudio(base64: string): Result<GivenAudio> {
  const text = base64.replaceAll(/\s/gu, '');
  const notAudio = (code: string) => err(makeFailure('not-a-recording', { code, outcome: 'not_sent', layer: 'local' }));
  if (text.length % 4 === 1 || !/^[A-Za-z0-9+/]+={0,2}$/u.test(text)) return notAudio('not_base64');
  const bytes = Buffer.from(text, 'base64');
  const found = sniff(bytes.subarray(0, 64 * 1024));
  const format = found.kind === 'media' ? takenFormats.find((known) => known === found.format) : undefined;
  return format === undefined ? notAudio('not_audio') : ok({ bytes, ending: `.${format}` });
}

/** An empty answer is neither the work nor its id: no-receipt, and the same call is a repeat under the same key. */
async function sendAudio(
  { input, signal }: ToolCall,
  ports: ServicePorts,
  tool: 'speech_to_text' | 'isolate_voice',
  choices: readonly string[],
  send: (
    asked: Pick<SubmitInput, 'idempotencyKey' | 'source'> & { readonly sha256: string },
    client: ServiceClient,
  ) => Promise<Result<object>>,
): Promise<ToolAnswer> {
  const audio = readAudio(textOf(input, 'audio_base64'));
  if (!audio.ok) return refused(audio.error);
  const opened = await ports.session();
  if (!opened.ok) return refused(opened.error);
  const session = opened.value;
  const { bytes, ending } = audio.value;
  const work = tool === 'isolate_voice' ? 'isolate' : 'transcribe';
  const estimate = estimateAudio(work, [lengthBySize(bytes.length)], true);
  const allowed = await ports.consent({ tool, action: 'spend', estimate, items: [] }, signal);
  if (!allowed.ok) return refused(allowed.error);
  return ports.withFile(bytes, ending, async ({ path, sizeBytes, mtimeMs, sha256 }) => {
    const request = paidCall(session, optionalText(input, 'idempotency_key'), [tool, sha256, ...choices]);
    if (!request.ok) return refused(request.error);
    const { actionId: idempotencyKey } = request.value.open;
    const facts = { idempotency_key: idempotencyKey };
    const source = { path, name: `recording${ending}`, sizeBytes, mtimeMs };
    const taken = await sendUntilTaken(
      session,
      request.value,
      () => send({ idempotencyKey, sha256, source }, session.client),
      { signal },
    );
    if (!taken.ok) return refused(taken.error, facts);
    if (Object.keys(taken.value).length === 0)
      return refused(localFailure('no-receipt', { code: 'tool_no_receipt', outcome: 'accepted' }), facts);
    settle(session, request.value);
    return ok({ ...taken.value, ...facts });
  });
}

export function speechToText(call: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const language = textOf(call.input, 'language') as SpeechLanguage;
  const includeSpeakers = call.input['include_speakers'] === true;
  return sendAudio(call, ports, 'speech_to_text', [language, String(includeSpeakers)], async (asked, client) => {
    const sent = await client.stt.submit({ ...asked, language, includeSpeakers, signal: call.signal });
    if (!sent.ok) return sent;
    const { remoteId, rawStatus, status, transcript } = sent.value;
    if (remoteId === null && transcript === null) return ok({});
    return ok({
      transcription_id: remoteId,
      status: rawStatus ?? status,
      ...(transcript === null ? {} : { text: transcript.text }),
    });
  });
}

function isolateVoice(call: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const title = optionalText(call.input, 'title');
  const restorationModel = optionalText(call.input, 'restoration_model');
  const speechRestoration = call.input['speech_restoration'] === true;
  const choices = [title ?? '', restorationModel ?? '', String(speechRestoration)];
  return sendAudio(call, ports, 'isolate_voice', choices, async ({ idempotencyKey, source }, client) => {
    const sent = await client.isolate.submit({
      source,
      idempotencyKey,
      speechRestoration,
      ...(title === undefined ? {} : { title }),
      ...(restorationModel === undefined ? {} : { restorationModel }),
      signal: call.signal,
    });
    if (!sent.ok) return sent;
    const { id, status, credits } = sent.value;
    return ok({ isolation_id: id, status, ...(credits === null ? {} : { credits }) });
  });
}

/** The key of the same content until an answer has come, so that a call after a crash is not charged twice. */
function paidCall(
  session: ServiceSession,
  idempotencyKey: string | undefined,
  content: readonly string[],
): Result<PaidRequest> {
  if (idempotencyKey === undefined) return openPaidRequest(session, ['tool', ...content], false);
  return ok({ open: { fingerprint: '', actionId: idempotencyKey, createdAtMs: 0, remoteId: null }, isNew: false });
}

/** The answer has what was paid for, so the same call is a new request from now on. */
function settle(session: ServiceSession, { open }: PaidRequest): void {
  if (open.fingerprint !== '') session.ledger.closeRequest(open.fingerprint);
}

async function chatCompletions({ input, signal }: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
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
  const spend = { requests: 1, audioMs: 0, characters, price: { usual: null, most: estimate }, isRough: true };
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

export async function textToSpeech({ input, signal }: ToolCall, ports: ServicePorts): Promise<ToolAnswer> {
  const opened = await ports.session();
  if (!opened.ok) return refused(opened.error);
  const session = opened.value;
  const [text, language, voiceId] = [textOf(input, 'text'), textOf(input, 'language'), textOf(input, 'voice_id')];
  const speed = numberOf(input, 'speed', 1);
  const characters = Array.from(text).length;
  const expectedBytes = (estimateMs(characters, speed) / 1000) * speechBytesPerSecond;
  if ((expectedBytes * 4) / 3 + roomForFacts > largestMessage) return refused(speechTooLong());
  const usual = session.ledger.expectedCredits('speak.generate', { characters });
  const estimate = { requests: 1, audioMs: 0, characters, price: { usual, most: null }, isRough: false };
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

export type ToolInput = Readonly<Record<string, unknown>>;

export type ToolFacts = Readonly<Record<string, unknown>>;
export type ToolAnswer = Result<object, { readonly failure: Failure; readonly facts: ToolFacts }>;

export interface KeptBytes {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

export interface RequestedAction {
  readonly tool: string;
  readonly action: 'spend' | 'delete';
  readonly estimate: SpendEstimate;
  readonly items: readonly string[];
}

export interface ServicePorts {
  session(): Promise<Result<ServiceSession>>;
  consent(request: RequestedAction, signal: AbortSignal): Promise<Result<null>>;
  withFile<T>(bytes: Uint8Array, ending: string, work: (file: KeptBytes) => Promise<T>): Promise<T>;
  withTarget<T>(work: (path: string, read: () => Promise<Uint8Array>) => Promise<T>): Promise<T>;
}

export interface ToolCall {
  readonly input: ToolInput;
  readonly signal: AbortSignal;
}

export const refused = (failure: Failure, facts: ToolFacts = {}): ToolAnswer => err({ failure, facts });

export const textOf = (input: ToolInput, name: string): string => String(input[name]);
export const optionalText = (input: ToolInput, name: string): string | undefined =>
  typeof input[name] === 'string' ? input[name] : undefined;
export const numberOf = (input: ToolInput, name: string, otherwise: number): number =>
  typeof input[name] === 'number' ? input[name] : otherwise;

/** The size limit of one message of the tool server, in bytes (contract 4.13, 8). */
export const largestMessage = 10 * 1024 * 1024;

/** message-too-large for an answer that does not fit into one message. */
export const tooLarge = (): Failure =>
  makeFailure('message-too-large', { code: 'message_too_large', outcome: 'not_sent', layer: 'local' });

/** message-too-large for a text whose speech would not fit into one message: found before it is paid for. */
export const speechTooLong = (): Failure =>
  makeFailure('message-too-large', { code: 'speech_too_long', outcome: 'not_sent', layer: 'local' });

/** For audio that was paid for and does not fit: clients end the connection at a longer message. */
export const answerTooLarge = (requestId: string | null): Failure =>
  makeFailure('message-too-large', {
    code: 'answer_too_large',
    outcome: 'accepted',
    layer: 'local',
    ...(requestId === null ? {} : { requestId }),
  });
