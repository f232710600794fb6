import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveStudioSocket } from '../../electron/platform/node/studio-socket.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { runCli } from '../support/cli-run.ts';
import { sendJson, startScriptedServer } from '../support/scripted-server.ts';
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

vi.setConfig({ testTimeout: 120_000 });
const root = mkdtempSync(join(tmpdir(), 'ovoz-tool-rights-'));
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

describe('what costs or deletes', () => {
  const costly = toolNames.filter((name) =>
    /^(chat_|text_to|speech_to|isolate_voice|delete_|hide_|create_realtime)/u.test(name),
  );

  it('is refused with an explanation while the app is closed, and nothing is sent (F-72)', async () => {
    const server = await startScriptedServer((request, response) => {
      const models = { data: [{ id: 'm', pricing: { input: 1, output: 1 } }], credits_per_usd: 1 };
      sendJson(response, 200, request.url.includes('models') ? models : {});
    });
    try {
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
    } finally {
      await server.close();
    }
  });

  it('is done up to the limit of an hour if the settings allow it, and not above', async () => {
    // 900 characters of text count as a minute of work.
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 2 });
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
    });
    expect(accepted()).toBe(2);
  });

  it('a question counts in the hour with the longest answer it allows', async () => {
    // 4,096 tokens count as about 18 minutes of work.
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 30 });
    await withTools(async ({ call }) => {
      const question = { model: 'practice-extract', messages: [{ role: 'user', content: 'Salom' }], max_tokens: 4096 };
      const replies = [await call('chat_completions', question), await call('chat_completions', question)];
      expect(replies.map(({ value }) => value['code'])).toEqual([undefined, 'nobody_to_ask']);
    });
  });

  it('a folder counts in the hour as long as the recordings in it', async () => {
    writeSettings(dataDir, { toolRights: 'act', spendLimitMinutes: 60 });
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
      { failure: makeFailure('E-241', { code: 'not_allowed', outcome: 'not_sent', layer: 'local' }) },
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
    writeSettings(dataDir, { toolRights: 'act' });
    let hold = true;
    const server = await startScriptedServer((request, response) => {
      if (hold) return;
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(toneWav(300, 0.2));
      expect(request.method).toBe('POST');
    });
    const place = { dataDir, url: server.url, key: 'sk-canary-0011223344556677' };
    try {
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
    } finally {
      await server.close();
    }
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
  const entry = process.env['OVOZ_CLI'] ?? fileURLToPath(new URL('../../electron/entries/cli.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, 'mcp'], {
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
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
  for (let id = 100; id < 1100; id += 1) call(id, 'library_list', {});
  const of = (id: number) => lines.find((line) => line.id === id);
  await vi.waitFor(() => expect(lines.filter(({ id }) => (id ?? 0) >= 100)).toHaveLength(1000), 60_000);
  expect(of(2)?.error?.code).toBe(-32_600);
  for (const id of [3, 4, 5]) expect(of(id)?.result?.isError).toBe(true);
  expect(of(6)?.error ?? of(6)?.result).toBeDefined();
  // End of input in the middle of a message ends the program.
  child.stdin.end('{"jsonrpc":"2.0","id":9,"met');
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
});
