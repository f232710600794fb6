import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { tools, type ToolName } from '../../electron/mcp/tools.ts';
import { serveStudioSocket } from '../../electron/platform/node/studio-socket.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { cliEntry, compileCache, runCli } from '../support/cli-run.ts';
import { serve } from '../support/scripted-products.ts';
import { sendJson } from '../support/scripted-server.ts';
import { toneWav, writeSilentWav } from '../support/wav-files.ts';
import { startStandAlone, type StandAlone } from '../practice/practice-process.ts';
import {
  anyInput,
  startToolServer,
  toolNames,
  withToolServer,
  writeSettings,
  type ToolReply,
  type ToolServerUnderTest,
} from './tool-server-rig.ts';
import { folderOfFile } from '../support/test-folders.ts';

vi.setConfig({ testTimeout: 120_000 });
const root = folderOfFile();
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
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
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: null });
    expect(await withTools(callAll)).toEqual(toolNames.toSorted());
    expect(accepted()).toBe(4);
    // Nothing that was sent is left on disk, and the key is in no file.
    expect(readdirSync(dataDir).filter((name) => name.startsWith('tools-'))).toEqual([]);
    for (const name of readdirSync(join(dataDir, 'logs'), { recursive: true }))
      expect(readFileSync(join(dataDir, 'logs', String(name)), 'utf8')).not.toContain(practice.token);
  });

  it('gets failures as text with their code, from a service that denies and one that fails', async () => {
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: null });
    const denied = { message: 'no', error: { code: 'insufficient_scope' }, request_id: 'req_denied' };
    const failing = { message: 'sorry', error: { code: 'internal_error' }, request_id: 'req_failed' };
    const server = await serve((_request, response) => sendJson(response, 403, denied));
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
        // A service in trouble is left alone after a while, which is said in place of its own failure.
        server.script = (_request, response) => sendJson(response, 500, failing);
        for (const { isError, value } of await Promise.all(toolNames.map((name) => call(name, anyInput[name])))) {
          expect([isError, value['message']]).toEqual([true, expect.stringMatching(/\w/u)]);
          expect(['internal_error', 'service_trouble']).toContain(value['code']);
        }
      },
      { url: server.url, key: 'sk-canary-0011223344556677' },
    );
  });

  it('repeats a refused request under the same key', async () => {
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: null });
    const server = await serve((_request, response, { number: at }) => {
      if (at === 1) return sendJson(response, 503, { error: { code: 'service_unavailable' }, request_id: 'r' });
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(toneWav(300, 0.2));
    });
    await withTools(
      async ({ call }) => {
        const spoken = await call('text_to_speech', { ...anyInput.text_to_speech, idempotency_key: 'mine-1' });
        expect(spoken.value).toMatchObject({ sample_rate: 16_000, idempotency_key: 'mine-1' });
      },
      { url: server.url, key: 'sk-canary-0011223344556677' },
    );
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine-1', 'mine-1']);
  });
});

describe('what costs or deletes', () => {
  const costly = toolNames.filter((name) =>
    /^(chat_|text_to|speech_to|isolate_voice|delete_|hide_|create_realtime)/u.test(name),
  );

  it('is refused with an explanation while the app is closed, and nothing is sent (F-72)', async () => {
    const server = await serve((request, response) => {
      const models = { data: [{ id: 'm', pricing: { input: 1, output: 1 } }], credits_per_usd: 1 };
      sendJson(response, 200, request.url.includes('models') ? models : {});
    });
    await withTools(
      async ({ call }) => {
        const all = await Promise.all(
          Array.from({ length: 100 }, (_, at) => costly[at % costly.length] ?? 'text_to_speech').map((name) =>
            call(name, anyInput[name]),
          ),
        );
        for (const reply of all) {
          expect(reply.isError).toBe(true);
          expect(reply.value).toMatchObject({ code: 'nobody_to_ask', outcome: 'not_sent' });
          expect(text(reply, 'message')).toContain('Open Ovoz Studio');
        }
      },
      { url: server.url, key: 'sk-canary-0011223344556677' },
    );
    expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('is done up to the limit of an hour if the settings allow it, and not above', async () => {
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 2 });
    await withTools(async ({ call }) => {
      // Nor while nobody knows what it costs.
      expect((await call('text_to_speech', anyInput.text_to_speech)).value['code']).toBe('nobody_to_ask');
    });
    const agreedConnections = [new Secret(practice.token).fingerprint(practice.url)];
    // 900 characters of text count as a minute of work.
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 2, agreedConnections });
    await withTools(async ({ call }) => {
      const input = { language: 'uz', voice_id: 'voice_practice_uz_lola' };
      const replies: ToolReply[] = [];
      for (const letter of ['a', 'b', 'd'])
        replies.push(await call('text_to_speech', { ...input, text: `${letter} `.repeat(400) }));
      expect(replies.map(({ value, isError }) => [isError, value['code']])).toEqual([
        [false, undefined],
        [false, undefined],
        [true, 'nobody_to_ask'],
      ]);
      expect(accepted()).toBe(2);
    });
    // A question counts with the longest answer it allows: 4,096 tokens are about 18 minutes of work.
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 30, agreedConnections });
    await withTools(async ({ call }) => {
      const question = { model: 'practice-extract', messages: [{ role: 'user', content: 'Salom' }], max_tokens: 4096 };
      const replies = [await call('chat_completions', question), await call('chat_completions', question)];
      expect(replies.map(({ value }) => value['code'])).toEqual([undefined, 'nobody_to_ask']);
    });
  });

  it('a folder counts in the hour as long as the recordings in it', async () => {
    const agreedConnections = [new Secret(practice.token).fingerprint(practice.url)];
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 60, agreedConnections });
    const folder = join(root, 'recordings');
    mkdirSync(join(folder, 'long'), { recursive: true });
    mkdirSync(join(folder, 'short'));
    writeSilentWav(join(folder, 'long', 'day.wav'), 2 * 3600);
    writeFileSync(join(folder, 'short', 'tone.wav'), toneWav(300, 1));
    await withTools(async ({ call }) => {
      const queue = (name: string) => call('library_queue_files', { paths: [join(folder, name)], language: 'uz' });
      expect((await queue('long')).value).toMatchObject({ code: 'nobody_to_ask', outcome: 'not_sent' });
      expect((await queue('short')).value).toMatchObject({ added: 1, refused: [] });
    });
  });

  it('is confirmed in the app when it runs, with the tool and the cost; the decision holds', async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    // A run that was killed left its audio behind.
    mkdirSync(join(dataDir, 'tools-999999999-abcdef'));
    writeFileSync(join(dataDir, 'tools-999999999-abcdef', '1.wav'), 'audio');
    const requests: unknown[] = [];
    const answers: unknown[] = [
      { failure: makeFailure('consent-refused', { code: 'not_allowed', outcome: 'not_sent', layer: 'local' }) },
      { value: null },
      'nonsense',
      { value: { added: 1, repeated: 0, left: 0, refused: [] } },
    ];
    const end = serveStudioSocket(dataDir, () => ({
      answer: async (request) => {
        requests.push(request);
        return answers.shift();
      },
      close: () => undefined,
    }));
    try {
      await withTools(async ({ call }) => {
        const say = { text: 'Salom', language: 'uz', voice_id: 'voice_practice_uz_lola' };
        expect((await call('text_to_speech', say)).value).toMatchObject({ code: 'not_allowed', outcome: 'not_sent' });
        expect((await call('text_to_speech', say)).isError).toBe(false);
        expect((await call('delete_transcription', { transcription_id: 't' })).value['code']).toBe('nobody_to_ask');
        const queued = await call('library_queue_files', { paths: [sample], language: 'uz' });
        expect(queued.value).toMatchObject({ added: 1, refused: [] });
      });
      expect(readdirSync(dataDir).filter((name) => name.startsWith('tools-'))).toEqual([]);
      expect(requests).toMatchObject([
        { kind: 'consent', request: { client: 'a test', tool: 'text_to_speech', estimate: { characters: 5 } } },
        { kind: 'consent', request: { action: 'spend' } },
        { kind: 'consent', request: { action: 'delete', items: ['t'] } },
        { kind: 'queue', paths: [sample], language: 'uz', includeSpeakers: false },
      ]);
    } finally {
      end();
    }
  });

  it('is charged once when the program is killed and asks again (F-73)', async () => {
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: null });
    let hold = true;
    const server = await serve((request, response) => {
      if (hold) return;
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(toneWav(300, 0.2));
      expect(request.method).toBe('POST');
    });
    const place = { dataDir, url: server.url, key: 'sk-canary-0011223344556677' };
    const first = await startToolServer(place);
    const lost = first.call('text_to_speech', anyInput.text_to_speech).catch(() => null);
    await vi.waitFor(() => expect(server.seen).toHaveLength(1), 20_000);
    process.kill(first.pid() ?? 0, 'SIGKILL');
    await lost;
    hold = false;
    const second = await startToolServer(place);
    const spoken = await second.call('text_to_speech', anyInput.text_to_speech);
    await second.close();
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([spoken.value['idempotency_key'], spoken.value['idempotency_key']]);
  });
});

it('the library is searched, read by time and exported; nothing is sent', async () => {
  const key = practice.token;
  const made = await runCli(['transcribe', sample, '--language', 'uz', '--out', root, '--json'], {
    url: practice.url,
    key,
    dataDir,
    cwd: root,
  });
  expect(made.code).toBe(0);
  const library = new DatabaseSync(join(dataDir, 'library.db'), { readOnly: true });
  const first = library.prepare('SELECT transcript_id AS id, text FROM transcript_segments ORDER BY position').get();
  library.close();
  const word =
    String(first?.['text'])
      .split(/\P{L}+/u)
      .find(({ length }) => length > 4) ?? '';
  await withTools(async ({ call }) => {
    const listed = await call('library_list');
    expect(listed.value).toMatchObject({ total: 1 });
    const transcript_id = String(first?.['id']);
    const found = await call('library_search', { query: word });
    expect(found.value['matches']).toMatchObject([{ transcript_id, segments: [{ text: first?.['text'] }] }]);
    const read = await call('library_read_segments', { transcript_id, from_ms: 1000, to_ms: 6000 });
    const segments = read.value['segments'] as readonly { start_ms: number; end_ms: number }[];
    expect(segments.length).toBeGreaterThan(0);
    for (const { start_ms, end_ms } of segments) expect([start_ms <= 6000, end_ms >= 1000]).toEqual([true, true]);
    const srt = await call('library_export', { transcript_id, format: 'srt' });
    expect(text(srt, 'text')).toMatch(/^1\n00:00:/u);
    const docx = await call('library_export', { transcript_id, format: 'docx' });
    expect(Buffer.from(text(docx, 'export_base64'), 'base64').toString('latin1', 0, 2)).toBe('PK');
    expect((await call('library_export', { transcript_id: 'none', format: 'srt' })).isError).toBe(true);
  });
});

it('garbage, huge messages and invalid inputs end nothing; standard output contains messages only (F-70, F-71)', async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliEntry, 'mcp'], {
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      ...compileCache,
      OVOZ_DATA_DIR: dataDir,
      OVOZ_SERVICE_URL: practice.url,
      OVOZ_API_KEY: practice.token,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines: { id?: number; error?: { code: number }; result?: { isError?: boolean } }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as (typeof lines)[number]));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = (id: number, name: string, input: object) =>
    send({ id, method: 'tools/call', params: { name, arguments: input } });
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });
  send({ method: 'notifications/initialized' });
  child.stdin.write(Buffer.from([0, 255, 254, 10, 123, 10, 91, 93, 10]));
  call(2, 'speech_to_text', { audio_base64: 'A'.repeat(11 * 1024 * 1024), language: 'uz' });
  call(3, 'speech_to_text', {
    audio_base64: Buffer.from('a letter, not a recording').toString('base64'),
    language: 'uz',
  });
  call(4, 'speech_to_text', { audio_base64: 'ÿ not base64', language: 'uz' });
  call(5, 'list_voices', { language: 7 });
  call(6, 'no_such_tool', {});
  for (let id = 100; id < 300; id += 1) call(id, 'library_list', {});
  const of = (id: number) => lines.find((line) => line.id === id);
  await vi.waitFor(() => expect(lines.filter(({ id }) => (id ?? 0) >= 100)).toHaveLength(200), 60_000);
  expect(of(2)?.error?.code).toBe(-32_600);
  for (const id of [3, 4, 5]) expect(of(id)?.result?.isError).toBe(true);
  expect(of(6)?.error ?? of(6)?.result).toBeDefined();
  // End of input in the middle of a message ends the program.
  child.stdin.end('{"jsonrpc":"2.0","id":9,"met');
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
});
