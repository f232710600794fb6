import type { ToolName } from '../../shared/wire/tools.ts';
import type { EndpointName } from '../../shared/wire/endpoints.ts';
import { ok } from '../../shared/result/result.ts';
import type { NamedCall } from '../api/http/resource-call.ts';
import type { ServiceClient } from '../api/service-client.ts';
import type { ServiceExportFormat } from '../api/stt-api.ts';
import { isolateVoice, speechToText } from './audio-tools.ts';
import { chatCompletions, textToSpeech } from './paid-tools.ts';
import {
  numberOf,
  optionalText,
  refused,
  textOf,
  type ServicePorts,
  type ToolAnswer,
  type ToolCall,
  type ToolInput,
} from './tool.ts';

export type ContractTool = (call: ToolCall, ports: ServicePorts) => Promise<ToolAnswer>;

/** A free call whose answer becomes the tool's answer unchanged. */
const passes =
  (name: EndpointName, callOf: (input: ToolInput) => NamedCall = () => ({})): ContractTool =>
  async ({ input, signal }, ports) => {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const answer = await session.value.client.answer(name, { ...callOf(input), signal });
    return answer.ok ? answer : refused(answer.error);
  };

/** The same for a call that deletes, which needs the user's consent. */
const deletes =
  (
    tool: ToolName,
    idName: string,
    remove: (client: ServiceClient, id: string, signal: AbortSignal) => Promise<{ ok: boolean; error?: unknown }>,
  ): ContractTool =>
  async ({ input, signal }, ports) => {
    const session = await ports.session();
    if (!session.ok) return refused(session.error);
    const id = textOf(input, idName);
    const estimate = { requests: 0, audioMs: 0, characters: 0, isRough: false };
    const allowed = await ports.consent({ tool, action: 'delete', estimate, items: [id] }, signal);
    if (!allowed.ok) return refused(allowed.error);
    const done = await remove(session.value.client, id, signal);
    return done.ok ? ok({ [idName]: id, done: true }) : refused(done.error as never);
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

/** What each tool of the contract does (contract 4.13). */
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
    const { wire, answer } = session.value.client;
    const made = await answer('isolate.exports.create', {
      ...one('isolation_id', 'id')(input),
      json: { [wire.fields['isolate.export-format']]: textOf(input, 'format') },
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
