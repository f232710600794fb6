import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonLines, runCli, type CliResult } from '../support/cli-run.ts';
import { keysOf, sendWav, serveProducts } from '../support/scripted-products.ts';
import { sendJson, startScriptedServer, type Script } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
import { folderOfFile } from '../support/test-folders.ts';

// Each run is a process of its own, and a busy machine is slow at starting them.
vi.setConfig({ testTimeout: 120_000 });
const root = folderOfFile();
const key = 'sk-canary-7d1c0b9a8e6d5c4b3a2f';
let number = 0;
let place = { dataDir: '', out: '' };

beforeEach(() => {
  number += 1;
  place = { dataDir: join(root, `data-${number}`), out: join(root, `out-${number}`) };
  mkdirSync(place.out);
});

const ask = (args: readonly string[], url: string, by: string) =>
  runCli([...args, '--json'], { url, key: by, dataDir: place.dataDir, cwd: place.out });
const errorOf = ({ out }: CliResult) => jsonLines(out).find(({ error }) => error)?.error;

describe('nothing is paid for twice or for nothing', () => {
  it('after llm_usage_pending the same question never gets another key', async () => {
    const pending: Script = (_request, response) =>
      sendJson(response, 409, { error: { code: 'llm_usage_pending', message: 'x', type: 'request_error' } });
    const server = await serveProducts(pending);
    const first = await ask(['ask', 'Kim?'], server.url, key);
    expect(errorOf(first)).toMatchObject({ code: 'llm_usage_pending', outcome: 'unknown', mayPassLater: false });
    await ask(['ask', 'Kim?'], server.url, key);
    expect(keysOf(server)).toHaveLength(2);
    expect(new Set(keysOf(server)).size).toBe(1);
  });

  it('an unavailable model is not asked, and the cheapest one answers when none is named', async () => {
    const catalog = {
      data: [
        { id: 'large', pricing: { input: 900, output: 900 } },
        { id: 'small', pricing: { input: 1, output: 1 } },
      ],
      credits_per_usd: 1000,
    };
    const server = await startScriptedServer((request, response) => {
      if (request.method === 'GET') return sendJson(response, 200, catalog);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // One piece has an unknown shape, one can't be read.
      response.end('data: {"choices":[{"delta":{"content":"Ha"}}]}\n\ndata: {oops\n\ndata: [DONE]\n\n');
    });
    const unknown = await ask(['ask', 'Kim?', '--model', 'huge'], server.url, key);
    expect([unknown.code, errorOf(unknown)?.code, keysOf(server)]).toEqual([1, 'unknown_model', []]);
    const env = { url: server.url, key, dataDir: place.dataDir, cwd: place.out };
    const answered = await runCli(['ask', 'Kim?', '--json'], env);
    expect(JSON.parse(server.seen.at(-1)?.body.toString() ?? '')).toMatchObject({ model: 'small' });
    expect(errorOf(answered)).toMatchObject({ code: 'piece_missing', outcome: 'accepted' });
    // The paid answer is in a file, including the parts that could not be read.
    expect(readFileSync(join(place.out, 'answer.txt'), 'utf8')).toBe('Ha\n{oops\n');
    await server.close();
  });

  it('isolate sends recordings only, even from a folder', async () => {
    writeFileSync(join(place.out, 'letter.mp3'), 'Assalomu alaykum, bu xat.\n'.repeat(30));
    writeFileSync(join(place.out, 'package.json'), '{}');
    writeFileSync(join(place.out, 'empty.wav'), '');
    const server = await serveProducts(() => undefined);
    const named = await ask(['isolate', join(place.out, 'package.json'), '--out', place.out], server.url, key);
    expect([named.code, errorOf(named)?.outcome]).toEqual([1, 'not_sent']);
    const folder = await ask(['isolate', place.out], server.url, key);
    expect(jsonLines(folder.out).at(-1)).toEqual({ summary: { done: 0, failed: 0, skipped: 3 } });
    expect(keysOf(server)).toEqual([]);
  });

  it('isolate ignores the answer to the export request, and uses the MP3 of the job if none is reported', async () => {
    const wav = join(place.out, 'a.wav');
    writeFileSync(wav, toneWav(300, 0.2));
    let exportsAsked = 0;
    /** The bodies of the requests that were accepted. */
    const accepted: string[] = [];
    const isAccepted = (format: string) => accepted.some((body) => body.includes(format));
    const server = await startScriptedServer((request, response) => {
      const at = (name: string) => `http://${request.headers.host ?? ''}/file/${name}?sig=1`;
      if (request.url.startsWith('/file/')) {
        response.writeHead(200, { 'content-type': 'audio/wav' });
        response.end(request.url.includes('job1') ? toneWav(500, 0.3) : toneWav(700, 0.4));
      } else if (request.url.endsWith('/exports')) {
        exportsAsked += 1;
        if (exportsAsked === 1) sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '0' });
        else {
          accepted.push(request.body.toString());
          sendJson(response, 202, { request_id: 'r' });
        }
      } else if (request.url.includes('/exports/') && !isAccepted(request.url.split('/').at(-1) ?? ''))
        sendJson(response, 404, { error: { code: 'not_found' } });
      else if (request.url.endsWith('/exports/mp3')) sendJson(response, 200, { request_id: 'r' });
      else if (request.url.includes('/exports/')) sendJson(response, 200, { status: 'ready', url: at('flac') });
      else if (request.method === 'POST') sendJson(response, 202, { id: 'iso_1', status: 'queued' });
      else
        sendJson(response, 200, { id: 'iso_1', status: 'completed', audio_status: 'completed', audio_url: at('job1') });
    });
    const result = await ask(['isolate', wav, '--format', 'mp3,flac'], server.url, key);
    expect(result).toMatchObject({ code: 0, error: '' });
    expect(readFileSync(join(place.out, 'a-clean.mp3')).equals(toneWav(500, 0.3))).toBe(true);
    expect(readFileSync(join(place.out, 'a-clean.flac')).equals(toneWav(700, 0.4))).toBe(true);
    expect(exportsAsked).toBe(3);
    await server.close();
  });

  it('temporary files of a killed run beside the target are removed by the next one', async () => {
    const left = join(place.out, '.ovoz-999999999-0123456789ab.wav.part');
    writeFileSync(left, 'x');
    const server = await serveProducts((_request, response) => sendWav(response));
    const out = join(place.out, 'x.wav');
    expect((await ask(['speak', 'Salom', '--language', 'uz', '--out', out], server.url, key)).code).toBe(0);
    expect(readdirSync(place.out)).toEqual(['x.wav']);
  });

  it('a file that appeared at the target meanwhile is not replaced', async () => {
    const out = join(place.out, 'x.wav');
    const server = await serveProducts((_request, response) => {
      writeFileSync(out, 'of the person');
      sendWav(response);
    });
    const result = await ask(['speak', 'Salom', '--language', 'uz', '--out', out], server.url, key);
    expect(jsonLines(result.out)[0]?.outputs).toEqual([join(place.out, 'x (2).wav')]);
    expect(readFileSync(out, 'utf8')).toBe('of the person');
  });
});
