import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { tools, type ToolName } from '../../shared/wire/tools.ts';
import { sendJson, startScriptedServer, type Script } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
import { isLongRun } from '../support/long-run.ts';
import { startFaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { slice } from '../support/fault-proxy/faults.ts';
import { startStandAlone, type StandAlone } from '../practice/practice-process.ts';
import {
  anyInput,
  toolNames,
  withToolServer,
  writeSettings,
  type ToolReply,
  type ToolServerUnderTest,
} from './tool-server-rig.ts';

vi.setConfig({ testTimeout: 120_000 });
const root = mkdtempSync(join(tmpdir(), 'ovoz-tools-'));
let practice: StandAlone;
let number = 0;
let dataDir = '';

beforeAll(async () => {
  practice = await startStandAlone([]);
});
beforeEach(() => {
  number += 1;
  dataDir = join(root, String(number));
});
afterAll(async () => {
  practice.child.kill('SIGTERM');
  await practice.exited;
  rmSync(root, { recursive: true, force: true });
});

const accepted = (): number => {
  const database = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true });
  const row = database.prepare("SELECT count(*) AS n FROM paid_actions WHERE state = 'accepted'").get();
  database.close();
  return Number(row?.['n']);
};
const text = (reply: ToolReply, name: string): string => String(reply.value[name]);

const withTools = <T>(
  work: (server: ToolServerUnderTest) => Promise<T>,
  { url = practice.url, key = practice.token } = {},
): Promise<T> => withToolServer({ dataDir, url, key }, work);

/** Calls each tool as a program would, one on what another made; returns the names of those that were called. */
async function callAll(server: ToolServerUnderTest): Promise<readonly string[]> {
  const called = new Set<string>();
  const call = async (name: ToolName, input: Readonly<Record<string, unknown>> = {}) => {
    called.add(name);
    const reply = await server.call(name, input);
    expect([name, reply.isError, reply.text.slice(0, 300)]).toEqual([name, false, reply.text.slice(0, 300)]);
    return reply;
  };
  const model = (await call('list_models')).value['data'] as readonly { readonly id: string }[];
  const asked = await call('chat_completions', {
    model: model[0]?.id ?? '',
    messages: [{ role: 'user', content: 'Toshkent qayerda? Toshkent Oʻzbekistonda.' }],
    max_tokens: 64,
    temperature: 0,
  });
  expect(text(asked, 'text')).not.toBe('');
  expect(await call('get_llm_request', { request_id: text(asked, 'id') })).toMatchObject({ isError: false });
  await call('list_tts_languages');
  const voices = (await call('list_voices', { language: 'uz' })).value['voices'] as readonly { voice_id: string }[];
  const spoken = await call('text_to_speech', {
    text: 'Salom dunyo',
    language: 'uz',
    voice_id: voices[0]?.voice_id ?? '',
  });
  expect(spoken.value).toMatchObject({ format: 'wav', sample_rate: 24_000, idempotency_key: expect.any(String) });
  const wav = text(spoken, 'audio_base64');
  expect(Buffer.from(wav, 'base64').toString('latin1', 0, 4)).toBe('RIFF');
  const made = (await call('list_tts_generations', { limit: 1 })).text;
  const generation = /"(?:id|generation_id)":"([^"]+)"/u.exec(made)?.[1] ?? '';
  await call('get_tts_generation', { generation_id: generation });
  await call('delete_tts_generation', { generation_id: generation });

  const heard = await call('speech_to_text', { audio_base64: wav, language: 'uz' });
  const transcription = { transcription_id: text(heard, 'transcription_id') };
  await vi.waitFor(
    async () => expect((await call('get_transcription', transcription)).text).toContain('completed'),
    20_000,
  );
  expect((await call('list_transcriptions', { limit: 10 })).text).toContain(transcription.transcription_id);
  await call('update_transcription', { ...transcription, title: 'Salomlashuv' });
  const exported = await call('export_transcription', { ...transcription, format: 'vtt' });
  expect(Buffer.from(text(exported, 'export_base64'), 'base64').toString()).toContain('WEBVTT');
  await call('delete_transcription', transcription);

  const cleaned = await call('isolate_voice', { audio_base64: wav, title: 'Toza' });
  const isolation = { isolation_id: text(cleaned, 'isolation_id') };
  await vi.waitFor(
    async () => expect((await call('get_isolation', isolation)).value).toMatchObject({ audio_status: 'completed' }),
    20_000,
  );
  await call('list_isolations');
  await call('create_isolation_export', { ...isolation, format: 'flac' });
  await call('get_isolation_export', { ...isolation, format: 'flac' });
  await call('hide_isolation', isolation);
  expect((await call('create_realtime_ticket', { service: 'tts' })).value).toMatchObject({
    ticket: expect.any(String),
    websocket_url: expect.stringContaining('/v1/tts/stream'),
    expires_at: expect.any(String),
  });
  return [...called].toSorted();
}

describe('a client of the official SDK', () => {
  it('lists the 22 tools as the contract describes them, and those over the library', async () => {
    await withTools(async ({ client }) => {
      const listed = (await client.listTools()).tools;
      expect(listed).toHaveLength(toolNames.length + 5);
      for (const name of toolNames) {
        const found = listed.find((tool) => tool.name === name);
        const { properties, required } = tools[name].input;
        expect(Object.keys(found?.inputSchema.properties ?? {})).toEqual(Object.keys(properties));
        expect(found?.inputSchema.required ?? []).toEqual(required);
        expect(found?.inputSchema['additionalProperties']).toBe(false);
      }
      expect(listed.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual([
        'delete_tts_generation',
        'delete_transcription',
        'hide_isolation',
      ]);
    });
  });

  it('hears a recording on this computer, and is offered nothing there that needs a key', async () => {
    const model = fileURLToPath(new URL('../fixtures/recogniser/', import.meta.url));
    const place = { dataDir, url: 'http://127.0.0.1:1', key: 'none', options: ['--local'], model };
    await withToolServer(place, async ({ client, call }) => {
      const offered = (await client.listTools()).tools.map(({ name }) => name);
      expect(offered).toContain('speech_to_text');
      expect(offered.filter((name) => /llm|chat|models/u.test(name))).toEqual([]);
      const audio = readFileSync(new URL('../../assets/samples/lecture-ru.ogg', import.meta.url));
      const sent = await call('speech_to_text', { audio_base64: audio.toString('base64'), language: 'ru' });
      const read = () => call('get_transcription', { transcription_id: text(sent, 'transcription_id') });
      await expect.poll(async () => (await read()).text, { timeout: 30_000 }).toContain('сегодня на лекции');
    });
  });

  it('calls all 22 against the practice service; omitted keys are made and reported', async () => {
    writeSettings(dataDir, { toolRights: 'act' });
    expect(await withTools(callAll)).toEqual(toolNames.toSorted());
    expect(accepted()).toBe(4);
    // Nothing that was sent is left on disk, and the key is in no file.
    expect(readdirSync(dataDir).filter((name) => name.startsWith('tools-'))).toEqual([]);
    for (const name of readdirSync(join(dataDir, 'logs'), { recursive: true }))
      expect(readFileSync(join(dataDir, 'logs', String(name)), 'utf8')).not.toContain(practice.token);
  });

  it.runIf(isLongRun)('calls all 22 over a slow connection and gets each answer whole', async () => {
    writeSettings(dataDir, { toolRights: 'act' });
    const proxy = await startFaultProxy({ upstreamPort: Number(new URL(practice.url).port), seed: 1 });
    try {
      proxy.rules = [{ path: /^.{0,200}$/u, fault: slice(700, 1) }];
      expect(await withTools(callAll, { url: `http://127.0.0.1:${proxy.port}` })).toEqual(toolNames.toSorted());
      expect(accepted()).toBe(4);
    } finally {
      await proxy.close();
    }
  });

  it('gets failures as text with their code, from a service that denies and one that fails', async () => {
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: null });
    const denied = { message: 'no', error: { code: 'insufficient_scope' }, request_id: 'req_denied' };
    const failing = { message: 'sorry', error: { code: 'internal_error' }, request_id: 'req_failed' };
    const server = await startScriptedServer((_request, response) => sendJson(response, 403, denied));
    try {
      await withTools(
        async ({ call }) => {
          for (const name of toolNames) {
            const reply = await call(name, anyInput[name]);
            expect([name, reply.isError, reply.value['code']]).toEqual([name, true, 'insufficient_scope']);
            expect(reply.value).toMatchObject({ message: expect.any(String), request_id: 'req_denied' });
          }
          server.script = (_request, response) =>
            sendJson(response, 400, { ...failing, error: { code: 'validation_error' } });
          const spoken = await call('text_to_speech', anyInput.text_to_speech);
          expect(spoken.value).toMatchObject({ outcome: 'refused', idempotency_key: expect.any(String) });
          server.script = (_request, response) => sendJson(response, 500, failing);
          const before = server.seen.length;
          const sent = await Promise.all(
            toolNames.map(async (name) => [name, await call(name, anyInput[name])] as const),
          );
          // A service in trouble is left alone after a while, which is said in place of its own failure.
          for (const [name, { isError, value }] of sent) {
            expect([name, isError, value['message']]).toEqual([name, true, expect.stringMatching(/\w/u)]);
            expect([name, ['internal_error', 'service_trouble']]).toEqual([
              name,
              expect.arrayContaining([value['code']]),
            ]);
          }
          const asked = server.seen.slice(before).map(({ method, url }) => `${method} ${url}`);
          expect(new Set(asked).size).toBeGreaterThanOrEqual(20);
        },
        { url: server.url, key: 'sk-canary-0011223344556677' },
      );
    } finally {
      await server.close();
    }
  });

  it('gets the whole of an answer that arrives slowly, and repeats a refused one under the same key', async () => {
    writeSettings(dataDir, { toolRights: 'act' });
    const body = Buffer.from(JSON.stringify({ transcriptions: [], next_cursor: null, request_id: 'req_drip' }));
    const wav = toneWav(300, 0.2);
    const drip: Script = async (request, response, { number: at }) => {
      if (request.method === 'POST' && at % 2 === 0) {
        sendJson(response, 503, { message: 'busy', error: { code: 'service_unavailable' }, request_id: 'r' });
        return;
      }
      const [type, bytes] = request.method === 'POST' ? ['audio/wav', wav] : ['application/json', body];
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
      for (let from = 0; from < bytes.length; from += Math.ceil(bytes.length / 20)) {
        response.write(bytes.subarray(from, from + Math.ceil(bytes.length / 20)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    };
    const server = await startScriptedServer(drip);
    try {
      await withTools(
        async ({ call }) => {
          expect((await call('list_transcriptions')).value).toMatchObject({ request_id: 'req_drip' });
          const spoken = await call('text_to_speech', { ...anyInput.text_to_speech, idempotency_key: 'mine-1' });
          expect(spoken.value).toMatchObject({ sample_rate: 16_000, idempotency_key: 'mine-1' });
        },
        { url: server.url, key: 'sk-canary-0011223344556677' },
      );
      const posts = server.seen.filter(({ method }) => method === 'POST');
      expect(posts.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine-1', 'mine-1']);
    } finally {
      await server.close();
    }
  });
});
