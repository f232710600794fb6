import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonLines, runCli, startCli, type CliResult } from '../support/cli-run.ts';
import { free, keysOf, sendWav, serveProducts } from '../support/scripted-products.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { startStandAlone, type StandAlone } from '../practice/practice-process.ts';
import { folderOfFile } from '../support/test-folders.ts';

// Each run is a process of its own, and a busy machine is slow at starting them.
vi.setConfig({ testTimeout: 120_000 });
const root = folderOfFile();
const sample = fileURLToPath(new URL('../fixtures/audio/two-sentences.flac', import.meta.url));
const tiny = fileURLToPath(new URL('../fixtures/recogniser/', import.meta.url));
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
});

const ask = (args: readonly string[], url: string = practice.url, by: string = practice.token) =>
  runCli([...args, '--json'], { url, key: by, dataDir: place.dataDir, cwd: place.out });
const errorOf = ({ out }: CliResult) => jsonLines(out).find(({ error }) => error)?.error;

/** The records of paid actions, read from the file itself. */
function ledger(): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(place.dataDir, 'ledger.db'), { readOnly: true });
  const rows = database.prepare('SELECT * FROM paid_actions ORDER BY began_at_ms').all();
  database.close();
  return rows;
}

describe('against the practice service', () => {
  it('a question takes transcripts and files, a conversation is continued, and a request is looked up by its id', async () => {
    const plan = join(place.out, 'reja.pdf');
    writeFileSync(plan, simplePdf([['Chorshanba kuni tom yopiladi.']]));
    expect((await ask(['transcribe', sample, '--language', 'uz', '--out', place.out])).code).toBe(0);
    const about = ['--about', 'two-sentences', '--attach', plan];
    const begun = await ask(['ask', 'Tom qachon yopiladi?', ...about, '--conversation', 'new']);
    const first = jsonLines(begun.out).at(-1) as unknown as { conversationId: string; requestId: string };
    expect([begun.code, first]).toMatchObject([0, { answer: expect.any(String), citations: expect.any(Array) }]);
    const more = await ask(['ask', 'Yana nima?', '--conversation', 'Tom qachon yopiladi?']);
    expect([more.code, jsonLines(more.out).at(-1)]).toMatchObject([0, { conversationId: first.conversationId }]);
    const lost = [
      await ask(['ask', 'Qachon?', '--conversation', 'nobody']),
      await ask(['ask', 'Qachon?', '--about', 'nobody']),
    ];
    expect(lost.map((result) => errorOf(result)?.code)).toEqual(['unknown_conversation', 'unknown_transcript']);
    expect(ledger().map(({ route }) => route)).toEqual(['stt.submit', 'ask.complete', 'ask.complete']);

    const looked = await ask(['request', first.requestId]);
    expect([looked.code, jsonLines(looked.out).at(-1)]).toMatchObject([
      0,
      { outcome: 'settled', requestId: first.requestId },
    ]);
    expect((await ask(['request', 'llm_nobody'])).code).toBe(1);
  });

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
    const [mp3 = '', flac = ''] = jsonLines(cleaned.out)[0]?.outputs ?? [];
    expect(readFileSync(mp3).readUInt16BE(0) & 0xffe0).toBe(0xffe0);
    expect(readFileSync(flac).toString('latin1', 0, 4)).toBe('fLaC');
    expect(answered).toMatchObject({ code: 0, error: '' });
    const pieces = jsonLines(answered.out).flatMap(({ piece }) => piece ?? []);
    expect(pieces.length).toBeGreaterThan(1);
    expect(jsonLines(answered.out).at(-1)).toMatchObject({ answer: pieces.join(''), credits: expect.any(String) });

    // Recognized by its content: the result is fetched again and nothing is sent.
    const repeated = await ask(['isolate', wav, '--out', place.out, '--force']);
    expect(jsonLines(repeated.out)[0]).toMatchObject({ outputs: [mp3], error: null });
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
    expect(jsonLines(usage.out)[0]?.days?.map(({ product, accepted }) => `${product} ${accepted}`)).toEqual([
      'ask 1',
      'isolate 1',
      'speak 1',
      'transcribe 1',
    ]);
    const streamed = join(place.out, 'oqim.wav');
    const live = await ask(['speak', 'Uchinchi gap', '--language', 'uz', '--stream', '--out', streamed]);
    expect(live).toMatchObject({ code: 0, error: '' });
    const heard = await ask(['history', '--limit', '1']);
    expect(jsonLines(heard.out).at(-1)).toMatchObject({ generations: [{ text: 'Salom dunyo' }] });
    expect(heard.out).not.toMatch(/https?:/u);
    expect(jsonLines(live.out).at(-1)).toMatchObject({
      outputs: [streamed],
      firstAudioMs: expect.any(Number),
      error: null,
    });
    expect(readFileSync(streamed).length).toBeGreaterThan(10_000);
    expect(ledger().map(({ route, state }) => [route, state])).toContainEqual(['speak.stream', 'accepted']);
    expect(readdirSync(place.out).filter((name) => name.startsWith('.') || name.endsWith('.part'))).toEqual([]);
  });

  it('doctor finds no problem except the keychain, and says why a model can’t be used; check says what one hears', async () => {
    const cut = join(place.out, 'cut');
    mkdirSync(cut);
    writeFileSync(join(cut, 'cut.onnx'), 'half of a network');
    copyFileSync(join(tiny, 'vocab.txt'), join(cut, 'vocab.txt'));
    const env = { url: practice.url, key: practice.token, dataDir: place.dataDir, language: 'en' };
    const checked = (model: string) =>
      runCli(['doctor', '--json'], { ...env, hooks: { modules: [], env: { OVOZ_LOCAL_MODEL: model } } });
    const [result, damaged] = [await checked(tiny), await checked(cut)];
    const checks = jsonLines(result.out)[0]?.checks ?? [];
    expect(result.code).toBe(0);
    expect(checks.filter(({ state }) => state === 'bad')).toEqual([]);
    expect(checks.filter(({ check, state }) => check === 'products' && state === 'ok')).toHaveLength(5);
    expect(checks.find(({ check }) => check === 'models')).toMatchObject({
      state: 'ok',
      advice: expect.stringContaining('oʻrgana'),
    });
    expect(result.out).not.toContain(practice.token);
    expect(jsonLines(damaged.out)[0]?.checks?.find(({ check }) => check === 'models')).toMatchObject({
      state: 'bad',
      advice: expect.stringContaining('model_damaged'),
    });

    const { code, out } = await runCli(['local', 'check', tiny], env);
    expect(code).toBe(0);
    for (const name of ['tiny.onnx', 'vocab.txt']) {
      const bytes = readFileSync(join(tiny, name));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(out).toMatch(new RegExp(`^${name} +${bytes.length} +${sha256}$`, 'mu'));
    }
    for (const heard of ['oʻrgana', 'сегодня на лекции', 'i am recording this']) expect(out).toContain(heard);
  });
});

describe('a run that is cut off', () => {
  it('F-43: after kill -9 the same command continues with the same key, and another text has another', async () => {
    const server = await serveProducts(() => undefined);
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
  });

  it('an answer is shown as it arrives, Ctrl+C ends it with 130, and the same command looks it up and never asks twice', async () => {
    let asked = 0;
    const server = await serveProducts((_request, response) => {
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
    });
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
  });
});

describe('failures are explained in words, with an exit code, and without a stack', () => {
  const broke: Script = (_request, response) =>
    sendJson(response, 402, { error: { code: 'insufficient_credits', message: 'no' }, request_id: 'req_no' });
  const html: Script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Wi-Fi</title>');
  };

  it.each([
    ['no credits', broke, 'insufficient_credits', 'refused', 1],
    ['somebody else’s page', html, expect.any(String), expect.any(String), 75],
  ])('%s', async (_name, script, code, state, exit) => {
    const server = await serveProducts(script);
    const out = join(place.out, 'x.wav');
    const result = await ask(['speak', 'Salom', '--language', 'uz', '--out', out], server.url, key);
    expect([result.code, result.error]).toEqual([exit, '']);
    expect(errorOf(result)?.code).toEqual(code);
    expect(result.out).not.toMatch(/\bat .*\.ts|canary/);
    expect(ledger().map((row) => row['state'])).toEqual([state]);
    expect(readdirSync(place.out)).toEqual([]);
  });

  it('without a writable ledger nothing that costs is sent', async () => {
    mkdirSync(place.dataDir, { mode: 0o500 });
    if (process.getuid?.() === 0) execFileSync('mkdir', [join(place.dataDir, 'ledger.db')]);
    const server = await serveProducts((_request, response) => sendWav(response));
    const out = join(place.out, 'x.wav');
    const result = await ask(['speak', 'Salom', '--language', 'uz', '--out', out], server.url, key);
    expect([result.code, errorOf(result)?.code]).toEqual([1, 'folder_not_writable']);
    expect(keysOf(server)).toEqual([]);
  });
});
