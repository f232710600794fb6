import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, runCli, startCli } from '../support/cli-run.ts';
import { sendJson } from '../support/scripted-server.ts';
import {
  key,
  server,
  place,
  transcript,
  takesAll,
  posts,
  keysOf,
  refuse,
  eachWithAService,
  serveAgain,
  record,
  run,
  summary,
} from './transcribe-rig.ts';

eachWithAService();

const writtenLog = (): string =>
  (existsSync(place.dataDir) ? readdirSync(place.dataDir, { recursive: true, withFileTypes: true }) : [])
    .filter(({ name }) => name === 'cli.log')
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('');

describe('conditions that only the user can resolve', () => {
  it('402 ends the run with 1 and a message; the next run continues under the same key and pays once', async () => {
    server.script = refuse(402, 'insufficient_credits');
    const paths = [record('a.wav', 210), record('b.wav', 220), record('c.wav', 230)];
    const stopped = await run(paths);
    expect(stopped.code).toBe(1);
    expect(stopped.error).toContain('run out of credits');
    expect(stopped.error).toContain('are kept');
    const lines = jsonLines(stopped.out);
    expect(summary(lines)).toEqual({ done: 0, failed: 3, skipped: 0 });
    for (const { error } of lines.slice(0, -1)) {
      expect(error).toEqual({
        code: 'insufficient_credits',
        outcome: 'refused',
        mayPassLater: false,
        message: expect.not.stringContaining('server words'),
        requestId: 'req_refused_7',
      });
    }
    expect(posts().length).toBeLessThanOrEqual(2);
    const before = keysOf(posts());
    server.script = takesAll;
    const again = await run(paths);
    expect(again.code).toBe(0);
    expect(keysOf(posts()).size).toBe(3);
    for (const used of before) expect(keysOf(posts().slice(-3))).toContain(used);
  });

  it('401 and 403 end the run with 1, a message in three languages and no stack trace', async () => {
    const words = { 'en_US.UTF-8': /API key/, 'ru_RU.UTF-8': /API-ключ/, 'uz_UZ.UTF-8': /API kalit/ };
    const path = record('a.wav');
    for (const [language, pattern] of Object.entries(words)) {
      server.script = refuse(401, 'invalid_api_key');
      const { code, out, error } = await run([path], [], language);
      expect(code).toBe(1);
      expect(error).toMatch(pattern);
      expect(error).not.toMatch(/\bat .*\.ts|Error:/);
      expect(jsonLines(out)[0]?.error?.message).toMatch(pattern);
    }
    server.script = refuse(403, 'insufficient_scope');
    expect((await run([path])).code).toBe(1);
    server.script = takesAll;
    expect((await run([path])).code).toBe(0);
    expect(keysOf(posts()).size).toBe(1);
  });

  it('an address that answers HTML ends the run with a message and nothing is lost', async () => {
    server.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Hotel</title>');
    };
    const { code, out, error } = await run([record('a.wav')]);
    expect(code).toBe(75);
    expect(error).toContain('kept');
    expect(jsonLines(out)[0]?.state).toBe('failed');
  });
});

describe('a bad environment', () => {
  it('no network: waits as long as requested, ends with 75 and keeps the work', async () => {
    const gone = server.url;
    await server.close();
    const path = record('a.wav');
    const { code, error, out } = await runCli(['transcribe', path, '--language', 'uz', '--json', '--wait', '1'], {
      url: gone,
      key,
      dataDir: place.dataDir,
    });
    expect(code).toBe(75);
    expect(error).toContain('not reachable');
    expect(jsonLines(out)[0]?.error?.message).toBe('The service is not reachable.');
    await serveAgain();
    expect((await run([path])).code).toBe(0);
  });

  it('bad files are reported one by one, nothing is sent for them, and good ones among them are done', async () => {
    const good = record('good.wav');
    const text = join(place.recordings, 'text.mp3');
    writeFileSync(text, 'This is text.');
    const empty = join(place.recordings, 'empty.wav');
    writeFileSync(empty, '');
    const absent = join(place.recordings, 'absent.wav');
    const pipe = join(place.recordings, 'pipe.wav');
    execFileSync('mkfifo', [pipe]);
    const { code, out } = await run([text, empty, absent, pipe, '/dev/zero', good]);
    expect(code).toBe(1);
    const lines = jsonLines(out);
    const codes = Object.fromEntries(lines.slice(0, -1).map(({ file, error }) => [file, error?.code ?? null]));
    expect(codes).toEqual({
      [text]: 'not_audio',
      [empty]: 'empty_file',
      [absent]: 'file_missing',
      [pipe]: 'not_a_file',
      '/dev/zero': 'not_a_file',
      [good]: null,
    });
    expect(summary(lines)).toEqual({ done: 1, failed: 5, skipped: 0 });
    expect(posts()).toHaveLength(1);
  });

  it('an unwritable folder for the texts costs nothing: the text is in the library and is written by the next run', async () => {
    const path = record('a.wav');
    writeFileSync(place.out, 'a file, not a folder');
    const first = await run([path]);
    expect(first.code).toBe(1);
    expect(jsonLines(first.out)[0]).toMatchObject({ state: 'failed', transcriptId: expect.any(String) });
    rmSync(place.out);
    expect((await run([path])).code).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  it('a library that another process has open is reported', async () => {
    let release = () => {};
    server.script = (_request, response: ServerResponse) => {
      release = () => sendJson(response, 200, transcript('tr_1'));
    };
    const path = record('a.wav');
    const first = startCli(['transcribe', path, '--language', 'uz'], { url: server.url, key, dataDir: place.dataDir });
    await expect.poll(() => posts().length, { timeout: 10_000 }).toBe(1);
    const second = await run([path]);
    expect(second.code).toBe(1);
    expect(jsonLines(second.out)[0]?.error?.code).toBe('already_open');
    release();
    expect((await first.ended).code).toBe(0);
  });

  it('Ctrl+C stops within three seconds, says what is stored, and the next run continues under the same key', async () => {
    server.script = () => undefined;
    const path = record('a.wav');
    const { child, ended } = startCli(['transcribe', path, '--language', 'uz', '--json', '--out', place.out], {
      url: server.url,
      key,
      dataDir: place.dataDir,
    });
    await expect.poll(() => posts().length, { timeout: 10_000 }).toBe(1);
    const started = performance.now();
    child.kill('SIGINT');
    const { code, out, error } = await ended;
    expect(performance.now() - started).toBeLessThan(3_500);
    expect(code).toBe(130);
    expect(error).toContain('kept');
    expect(jsonLines(out)[0]?.error?.code).toBe('interrupted');
    server.script = takesAll;
    expect((await run([path])).code).toBe(0);
    expect(keysOf(posts()).size).toBe(1);
  });

  it('a wait requested by the service holds when the command is stopped and run again (I7)', async () => {
    const askedMs = 4_000;
    const postedAtMs: number[] = [];
    server.script = (request, response, at) => {
      if (request.method !== 'POST' || postedAtMs.push(performance.now()) > 1) return takesAll(request, response, at);
      return sendJson(response, 503, { error: { code: 'service_unavailable' } }, { 'retry-after': '4' });
    };
    const path = record('a.wav');
    const args = ['transcribe', path, '--language', 'uz', '--json', '--out', place.out];
    const { child, ended } = startCli(args, { url: server.url, key, dataDir: place.dataDir });
    await expect.poll(writtenLog, { timeout: 10_000 }).toContain('"job-waiting"');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect((await run([path])).code).toBe(0);
    expect(postedAtMs).toHaveLength(2);
    expect((postedAtMs[1] ?? 0) - (postedAtMs[0] ?? 0)).toBeGreaterThanOrEqual(askedMs);
    expect(keysOf(posts()).size).toBe(1);
  });

  it('an unwritable data folder is reported', async () => {
    const path = record('a.wav');
    writeFileSync(place.dataDir, 'a file in its place');
    const { code, out, error } = await run([path]);
    expect(code).toBe(1);
    expect(error).not.toMatch(/\bat .*\.ts|Error:/);
    expect(jsonLines(out)[0]?.error?.code).toBe('folder_not_writable');
  });
});

describe('wrong usage', () => {
  it('ends with 2, a message on standard error and nothing on standard output', async () => {
    const cases = [
      [['fly'], /no command "fly"/],
      [['transcribe', 'a.wav', '--language', 'uz', '--json'], /OVOZ_SERVICE_URL/],
    ] as const;
    for (const [args, words] of cases) {
      const { code, out, error } = await runCli(args, { dataDir: place.dataDir });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(error).toMatch(words);
    }
    const noKey = await runCli(['transcribe', 'a.wav', '--language', 'uz'], {
      url: server.url,
      dataDir: place.dataDir,
    });
    expect({ code: noKey.code, out: noKey.out }).toEqual({ code: 2, out: '' });
    expect(noKey.error).toContain('OVOZ_API_KEY');
  });
});
