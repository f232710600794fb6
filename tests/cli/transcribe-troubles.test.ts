import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { jsonLines, runCli, startCli } from '../support/cli-run.ts';
import { startFaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { sendJson } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
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

vi.setConfig({ testTimeout: 120_000 });
eachWithAService();

const saying = (text: string, words: string): number => text.split(words).length - 1;

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

  it('401 and 403 end the run with 1, words in the user’s language and no stack trace; the key of the request stays', async () => {
    const path = record('a.wav');
    server.script = refuse(401, 'invalid_api_key');
    const { code, out, error } = await run([path], [], 'uz_UZ.UTF-8');
    expect(code).toBe(1);
    expect(error).toContain('API kalit');
    expect(error).not.toMatch(/\bat .*\.ts|Error:/);
    expect(jsonLines(out)[0]?.error?.message).toContain('API kalit');
    server.script = refuse(403, 'insufficient_scope');
    expect((await run([path])).code).toBe(1);
    server.script = takesAll;
    expect((await run([path])).code).toBe(0);
    expect(keysOf(posts()).size).toBe(1);
  });
});

describe('a bad environment', () => {
  it('an unreachable address or unknown host: says once why it waits, in the user’s language, ends with 75 and keeps the work', async () => {
    const gone = server.url;
    await server.close();
    const path = record('a.wav');
    const args = ['transcribe', path, '--language', 'uz', '--json', '--wait', '4', '--out', place.out];
    const to = (url: string, language: string, name: string) =>
      runCli(args, { url, key, language, dataDir: join(place.dataDir, name) });
    const ends = await Promise.all([
      to(gone, 'en_US.UTF-8', 'en'),
      to('https://nobody.invalid', 'uz_UZ.UTF-8', 'uz'),
      to('https://nobody.invalid', 'ru_RU.UTF-8', 'ru'),
    ]);
    expect(ends.map(({ code, out }) => [code, summary(jsonLines(out))?.failed])).toEqual(ends.map(() => [75, 1]));
    const [closed, nameless, russian] = ends;
    expect(closed.error).toContain('The run ends after 4 s without progress (--wait).');
    expect(saying(closed.error, 'Waiting. The service is not reachable right now.')).toBe(1);
    expect(saying(nameless.error, 'Kutilmoqda. Xizmat manzili topilmadi.')).toBe(1);
    expect(saying(russian.error, 'Ожидание. Не удаётся найти адрес сервиса.')).toBe(1);
    await serveAgain();
    expect((await runCli(args, { url: server.url, key, dataDir: join(place.dataDir, 'en') })).code).toBe(0);
  });

  it('the return of the service is reported, and the recording is sent once', async () => {
    const proxy = await startFaultProxy({ upstreamPort: Number(new URL(server.url).port) });
    await proxy.goAway();
    const args = ['transcribe', record('a.wav'), '--language', 'uz', '--json', '--wait', '60'];
    const { child, ended } = startCli(args, { url: proxy.url, key, dataDir: place.dataDir });
    let told = '';
    child.stderr?.on('data', (text: string) => (told += text));
    await expect.poll(() => told, { timeout: 15_000 }).toContain('Waiting.');
    expect(told).not.toContain('goes on');
    await proxy.comeBack();
    const { code, error } = await ended;
    expect(code).toBe(0);
    expect(saying(error, 'Waiting.')).toBe(1);
    expect(saying(error, 'The service answers again; the run continues.')).toBe(1);
    expect([posts().length, keysOf(posts()).size]).toEqual([1, 1]);
    await proxy.close();
  });

  it('a library that was cut anywhere never pays again: known jobs of the ledger are fetched by id', async () => {
    const recordings = [0, 1, 2, 3].map((number) => record(`${number}.wav`, 200 + number * 11));
    server.script = (request, response, at) => {
      const id = /^\/v1\/stt\/transcriptions\/(\w+)$/.exec(request.url)?.[1];
      return id === undefined ? takesAll(request, response, at) : sendJson(response, 200, transcript(id));
    };
    expect((await run([place.recordings])).code).toBe(0);
    expect(posts()).toHaveLength(recordings.length);
    // A young library: only the ledger remembers what is cut off.
    expect(readdirSync(place.dataDir)).toContain('ledger.db');
    const again = async (percent: number) => {
      const dataDir = `${place.dataDir}-${percent}`;
      cpSync(place.dataDir, dataDir, { recursive: true });
      const library = join(dataDir, 'library.db');
      truncateSync(library, Math.floor((statSync(library).size * percent) / 100));
      const out = ['--out', join(place.out, String(percent))];
      const env = { url: server.url, key, dataDir };
      return runCli(['transcribe', place.recordings, '--language', 'uz', '--json', ...out], env);
    };
    for (const { code, out } of await Promise.all([10, 50, 90].map(again)))
      expect([code, summary(jsonLines(out))?.done]).toEqual([0, recordings.length]);
    expect(posts()).toHaveLength(recordings.length);
  });

  it('folders are walked; bad files are reported one by one, nothing is sent for them, and good ones are done', async () => {
    const good = record('good.wav');
    const deep = join(place.recordings, 'deep', 'er');
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'b.wav'), toneWav(220, 0.2));
    symlinkSync(place.recordings, join(place.recordings, 'deep', 'loop'));
    const put = (name: string, content: string | Buffer) => {
      writeFileSync(join(place.recordings, name), content);
      return join(place.recordings, name);
    };
    put('notes.txt', 'only words');
    const [text, empty] = [put('text.mp3', 'This is text.'), put('empty.wav', '')];
    const [absent, pipe] = [join(place.recordings, 'absent.wav'), join(place.recordings, 'pipe.wav')];
    const cut = put('cut.mkv', Buffer.from('1a45dfa3a3', 'hex'));
    execFileSync('mkfifo', [pipe]);
    const { code, out } = await run([place.recordings, absent, pipe, '/dev/zero']);
    expect(code).toBe(1);
    const lines = jsonLines(out);
    const told = lines.filter(({ state }) => state !== undefined).map(({ file, error }) => [file, error?.code ?? null]);
    expect(Object.fromEntries(told)).toMatchObject({
      [text]: 'not_audio',
      [cut]: 'not_audio',
      [empty]: 'empty_file',
      [absent]: 'file_missing',
      [pipe]: 'not_a_file',
      '/dev/zero': 'not_a_file',
      [good]: null,
    });
    // The pipe is named, and found in the folder.
    expect(summary(lines)).toEqual({ done: 2, failed: 7, skipped: 1 });
    expect(posts()).toHaveLength(2);
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
});

it('wrong usage ends with 2 and a message on standard error, and nothing is sent', async () => {
  const transcribe = ['transcribe', record('a.wav'), '--language', 'uz'];
  const { url } = server;
  for (const [args, env, words] of [
    [['fly'], {}, /no command "fly"/],
    [transcribe, {}, /OVOZ_SERVICE_URL/],
    [transcribe, { url, key: 'sk-one\nsk-two' }, /API key holds/],
  ] as const) {
    const { code, out, error } = await runCli(args, { dataDir: place.dataDir, ...env });
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
    expect(error).toMatch(words);
    expect(error).not.toContain('sk-one');
  }
  expect(server.seen).toEqual([]);
});
