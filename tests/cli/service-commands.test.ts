import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { linesOf } from '../support/cli-lines.ts';
import { runCli, startCli, type CliResult } from '../support/cli-run.ts';
import { free, keysOf, sendWav, voices, withServer } from '../support/scripted-products.ts';
import { sendJson, startScriptedServer, type Script } from '../support/scripted-server.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { toneWav } from '../support/wav-files.ts';
import { startStandAlone, type StandAlone } from '../practice/practice-process.ts';

// Each run is a process of its own, and a busy machine is slow at starting them.
vi.setConfig({ testTimeout: 120_000 });
const root = mkdtempSync(join(tmpdir(), 'ovoz-service-cli-'));
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
const key = 'sk-canary-7d1c0b9a8e6d5c4b3a2f';
let practice: StandAlone;
let number = 0;
let place = { dataDir: '', out: '' };

beforeAll(async () => {
  practice = await startStandAlone([]);
});
beforeEach(() => {
  number += 1;
  place = { dataDir: join(root, `data-${number}`), out: join(root, `out-${number}`) };
  mkdirSync(place.out);
});
afterAll(async () => {
  practice.child.kill('SIGTERM');
  await practice.exited;
  rmSync(root, { recursive: true, force: true });
});

const ask = (args: readonly string[], url: string = practice.url, by: string = practice.token) =>
  runCli([...args, '--json'], { url, key: by, dataDir: place.dataDir, cwd: place.out });
const errorOf = (result: CliResult) => linesOf(result).find(({ error }) => error)?.error;

/** The records of paid actions, read from the file itself. */
function ledger(): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(place.dataDir, 'ledger.db'), { readOnly: true });
  const rows = database.prepare('SELECT * FROM paid_actions ORDER BY began_at_ms').all();
  database.close();
  return rows;
}

describe('against the practice service', () => {
  it(
    'a question takes transcripts and files; a file that the service would refuse is not uploaded',
    { tags: ['long'] },
    async () => {
      const [letter, document] = [join(place.out, 'letter.pdf'), join(place.out, 'plan.pdf')];
      writeFileSync(letter, 'Dear friend');
      writeFileSync(document, simplePdf([['Shartnoma 3 martda tugaydi.']]));
      const made = await ask(['transcribe', sample, '--language', 'uz', '--out', place.out]);
      expect(made.code).toBe(0);
      const refused = await ask(['ask', 'Bu nima?', '--attach', letter]);
      expect([refused.code, errorOf(refused)?.code]).toEqual([1, 'attachment_other_type']);
      const asked = await ask(['ask', 'Shartnoma qachon tugaydi?', '--about', 'interview-uz', '--attach', document]);
      expect([asked.code, asked.out.slice(-400)]).toEqual([0, asked.out.slice(-400)]);
      expect(linesOf(asked).at(-1)).toMatchObject({ answer: expect.any(String), citations: expect.any(Array) });
      const unknown = await ask(['ask', 'Qachon?', '--about', 'nobody']);
      expect([unknown.code, errorOf(unknown)?.code]).toEqual([1, 'unknown_transcript']);
      expect(ledger().map(({ route }) => route)).toEqual(['stt.submit', 'ask.complete']);
    },
  );

  it('speak, isolate, ask, voices and models work, and usage lists what was paid for', async () => {
    const wav = join(place.out, 'salom.wav');
    const spoken = await ask(['speak', 'Salom dunyo', '--language', 'uz', '--out', wav]);
    expect(spoken).toMatchObject({ code: 0, error: '' });
    expect(readFileSync(wav).toString('latin1', 0, 4)).toBe('RIFF');

    const [listed, catalog, again, answered, transcribed] = await Promise.all([
      ask(['voices', '--language', 'uz']),
      ask(['models']),
      ask(['speak', 'Boshqa gap', '--language', 'uz', '--out', wav]),
      ask(['ask', 'Toshkent qayerda? Toshkent Oʻzbekistonda joylashgan.']),
      ask(['transcribe', wav, '--language', 'uz', '--out', place.out]),
    ]);
    // A library has one owner at a time, and both commands use its queue.
    const cleaned = await ask(['isolate', wav, '--out', place.out, '--format', 'mp3,flac']);
    expect([listed.code, catalog.code, transcribed.code]).toEqual([0, 0, 0]);
    expect(listed.out).toContain('voice_practice_uz');
    expect(catalog.out).toContain('practice-extract');
    expect([again.code, errorOf(again)?.code]).toEqual([1, 'name_taken']);
    expect(cleaned).toMatchObject({ code: 0, error: '' });
    const [mp3 = '', flac = ''] = linesOf(cleaned)[0]?.outputs ?? [];
    expect(readFileSync(mp3).readUInt16BE(0) & 0xffe0).toBe(0xffe0);
    expect(readFileSync(flac).toString('latin1', 0, 4)).toBe('fLaC');
    expect(answered).toMatchObject({ code: 0, error: '' });
    const pieces = linesOf(answered).flatMap(({ piece }) => piece ?? []);
    expect(pieces.length).toBeGreaterThan(1);
    expect(linesOf(answered).at(-1)).toMatchObject({ answer: pieces.join(''), credits: expect.any(String) });

    // Recognized by its content: the result is fetched again and nothing is sent.
    const repeated = await ask(['isolate', wav, '--out', place.out, '--force']);
    expect(linesOf(repeated)[0]).toMatchObject({ outputs: [mp3], error: null });
    expect(ledger().map(({ route, state, attempts }) => [route, state, attempts])).toEqual(
      expect.arrayContaining([
        ['speak.generate', 'accepted', 1],
        ['isolate.submit', 'accepted', 1],
        ['ask.complete', 'accepted', 1],
        // The queue pays through the same ledger.
        ['stt.submit', 'accepted', 1],
      ]),
    );
    expect(ledger()).toHaveLength(4);
    const usage = await runCli(['usage', '--json'], { dataDir: place.dataDir });
    expect(linesOf(usage)[0]?.days?.map(({ product, accepted }) => `${product} ${accepted}`)).toEqual([
      'ask 1',
      'isolate 1',
      'speak 1',
      'transcribe 1',
    ]);
    const streamed = join(place.out, 'oqim.wav');
    const live = await ask(['speak', 'Uchinchi gap', '--language', 'uz', '--stream', '--out', streamed]);
    expect(live).toMatchObject({ code: 0, error: '' });
    expect(linesOf(live).at(-1)).toMatchObject({ outputs: [streamed], firstAudioMs: expect.any(Number), error: null });
    expect(readFileSync(streamed).length).toBeGreaterThan(10_000);
    expect(ledger().map(({ route, state }) => [route, state])).toContainEqual(['speak.stream', 'accepted']);
    expect(readdirSync(place.out).filter((name) => name.startsWith('.') || name.endsWith('.part'))).toEqual([]);
  });

  it('doctor finds no problem except the keychain, which a key from the environment makes unnecessary', async () => {
    const result = await ask(['doctor']);
    const checks = linesOf(result)[0]?.checks ?? [];
    expect(result.code).toBe(0);
    expect(checks.filter(({ state }) => state === 'bad')).toEqual([]);
    expect(checks.filter(({ check, state }) => check === 'products' && state === 'ok')).toHaveLength(5);
    expect(result.out).not.toContain(practice.token);
  });
});

describe('a run that is cut off', () => {
  it('F-43: after kill -9 the same command continues with the same key, and another text has another', async () => {
    await withServer(
      () => undefined,
      async (server) => {
        const args = ['speak', 'Salom', '--language', 'uz', '--out', join(place.out, 'a.wav'), '--json'];
        const first = startCli(args, { url: server.url, key, dataDir: place.dataDir });
        await expect.poll(() => keysOf(server).length, { timeout: 60_000 }).toBe(1);
        first.child.kill('SIGKILL');
        await first.ended;
        expect(ledger()).toMatchObject([{ state: 'open', attempts: 1, route: 'speak.generate' }]);
        server.script = (request, response, at) =>
          request.method === 'GET' ? free(request, response, at) : sendWav(response);
        const second = await runCli(args, { url: server.url, key, dataDir: place.dataDir });
        expect(second).toMatchObject({ code: 0 });
        expect(new Set(keysOf(server)).size).toBe(1);
        expect(ledger()).toMatchObject([{ state: 'accepted', attempts: 2, request_id: 'req_wav' }]);
        const other = await runCli(['speak', 'Boshqa', '--language', 'uz', '--out', join(place.out, 'b.wav')], {
          url: server.url,
          key,
          dataDir: place.dataDir,
        });
        expect(other).toMatchObject({ code: 0 });
        expect(new Set(keysOf(server)).size).toBe(2);
      },
    );
  });

  it('an answer is shown as it arrives, Ctrl+C ends it with 130, and the same command looks it up and never asks twice', async () => {
    let asked = 0;
    await withServer(
      (_request, response) => {
        asked += 1;
        if (asked > 1) {
          sendJson(response, 409, {
            error: { message: 'duplicate', type: 'request_error', code: 'idempotency_conflict' },
            request_id: 'llm_first',
          });
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-llm-request-id': 'llm_first' });
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Toshkent \u001b[31m' } }] })}\n\n`);
      },
      async (server) => {
        const args = ['ask', 'Poytaxt qayerda?'];
        // The part of a broken answer that arrived is in the folder where the command runs.
        const env = { url: server.url, key, dataDir: place.dataDir, cwd: place.out };
        const { child, ended } = startCli(args, env);
        let shown = '';
        child.stdout?.on('data', (text: string) => (shown += text));
        await expect.poll(() => shown, { timeout: 60_000 }).toContain('Toshkent');
        expect(shown).not.toContain('\u001b');
        child.kill('SIGINT');
        const stopped = await ended;
        expect(stopped.code).toBe(130);
        const again = await runCli([...args, '--json'], env);
        expect(again.code).toBe(1);
        expect(errorOf(again)?.message).toContain('not given a second time');
        expect(new Set(keysOf(server)).size).toBe(1);
        expect(ledger()).toHaveLength(1);
        expect(ledger()[0]?.['state']).not.toBe('refused');
      },
    );
  });
});

describe('failures are explained in words, with an exit code, and without a stack', () => {
  const refuse =
    (status: number, code: string): Script =>
    (_request, response) =>
      sendJson(response, status, { error: { code, message: 'no', type: 'request_error' }, request_id: 'req_no' });
  const html: Script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Wi-Fi</title>');
  };

  const speakIt = ['speak', 'Salom', '--language', 'uz', '--out'];
  it.each([
    ['a wrong key', ['ask', 'Kim?'], refuse(401, 'invalid_api_key'), 'invalid_api_key', 'refused', 1],
    ['no credits', speakIt, refuse(402, 'insufficient_credits'), 'insufficient_credits', 'refused', 1],
    ['a missing grant', ['ask', 'Kim?'], refuse(403, 'insufficient_scope'), 'insufficient_scope', 'refused', 1],
    ['somebody else’s page', speakIt, html, expect.any(String), expect.any(String), 75],
  ])('%s', async (_name, args, script, code, state, exit) => {
    await withServer(script, async (server) => {
      const result = await ask(args === speakIt ? [...args, join(place.out, 'x.wav')] : args, server.url, key);
      expect([result.code, result.error]).toEqual([exit, '']);
      expect(errorOf(result)?.code).toEqual(code);
      expect(result.out).not.toMatch(/\bat .*\.ts|canary/);
      expect(ledger().map((row) => row['state'])).toEqual([state]);
      expect(readdirSync(place.out)).toEqual([]);
    });
  });

  it('no service there: nothing is charged, and the message says so in the user’s language', async () => {
    const address = 'http://127.0.0.1:9';
    const result = await runCli(['voices'], { url: address, key, dataDir: place.dataDir, language: 'ru_RU.UTF-8' });
    expect(result.code).toBe(75);
    expect(result.error).toMatch(/^Сервис недоступен\. Ничего не списано\./);
    const missing = await runCli(['speak', 'Salom', '--language', 'uz'], { dataDir: place.dataDir });
    expect(missing).toMatchObject({ code: 2, out: '' });
    const doctor = await ask(['doctor'], address, key);
    expect(doctor.code).toBe(1);
    expect(linesOf(doctor)[0]?.checks?.find(({ check }) => check === 'address')).toMatchObject({ state: 'bad' });
  });

  it('without a writable ledger nothing that costs is sent', async () => {
    mkdirSync(place.dataDir, { mode: 0o500 });
    if (process.getuid?.() === 0) execFileSync('mkdir', [join(place.dataDir, 'ledger.db')]);
    await withServer(
      (_request, response) => sendWav(response),
      async (server) => {
        const out = join(place.out, 'x.wav');
        const result = await ask(['speak', 'Salom', '--language', 'uz', '--out', out], server.url, key);
        expect([result.code, errorOf(result)?.code]).toEqual([1, 'folder_not_writable']);
        expect(keysOf(server)).toEqual([]);
      },
    );
  });
});

describe('the file of corrections', () => {
  it('is reported with its lines if it is invalid, and nothing is sent', async () => {
    mkdirSync(place.dataDir);
    const text =
      '{\n  "format": 1,\n  "paths": {\n    "stt.submit": "/v2/stt",\n    "webhooks.list": "https://x/y"\n  }\n}\n';
    writeFileSync(join(place.dataDir, 'corrections.json'), text);
    await withServer(free, async (server) => {
      const result = await runCli(['voices'], { url: server.url, key, dataDir: place.dataDir });
      expect([result.code, result.out]).toEqual([2, '']);
      expect(result.error).toMatch(/line 4, paths\.stt\.submit: .*\n.*line 5, paths\.webhooks\.list: /);
      expect(server.seen).toEqual([]);
      const doctor = await ask(['doctor'], server.url, key);
      const found = linesOf(doctor)[0]?.checks?.find(({ check }) => check === 'corrections');
      expect(found).toMatchObject({ state: 'bad', advice: expect.stringContaining('line 5') });
    });
  });

  it('renames a field of a request without a release', async () => {
    mkdirSync(place.dataDir);
    const corrections = { format: 1, fields: { 'isolate.audio': 'recording' }, aliases: { stimmen: 'voices' } };
    writeFileSync(join(place.dataDir, 'corrections.json'), JSON.stringify(corrections));
    const wav = join(place.out, 'a.wav');
    writeFileSync(wav, toneWav(300, 0.2));
    const refusing: Script = (_request, response) =>
      sendJson(response, 402, { error: { code: 'insufficient_credits' }, request_id: 'r' });
    const server = await startScriptedServer((request, response, at) =>
      request.method === 'GET'
        ? sendJson(response, 200, { stimmen: voices.voices, data: [], request_id: 'r0' })
        : refusing(request, response, at),
    );
    const listed = await ask(['voices'], server.url, key);
    await ask(['isolate', wav, '--out', place.out], server.url, key);
    await server.close();
    expect(listed.out).toContain('voice_1');
    const body = server.seen.find(({ method }) => method === 'POST')?.body.toString('latin1');
    expect(body).toContain('name="recording"');
    expect(body).not.toContain('name="audio"');
  });
});
