import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonLines, runCli, startCli, type CliLine } from '../support/cli-run.ts';
import {
  sendJson,
  startScriptedServer,
  type Script,
  type ScriptedServer,
  type SeenRequest,
} from '../support/scripted-server.ts';
import { toneWav } from '../support/tone-wav.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-cli-'));
const key = 'sk-canary-4f7d1c0b9a8e6d5c4b3a';
let server: ScriptedServer;
let number = 0;
let place = { recordings: '', dataDir: '', out: '' };

const transcript = (id: string) => ({
  data: {
    transcription: {
      id,
      status: 'completed',
      title: 'x',
      text: 'Salom dunyo. Yaxshimisiz?',
      segments: [{ start_ms: 0, end_ms: 1400, text: 'Salom dunyo. Yaxshimisiz?' }],
    },
  },
  request_id: 'req_ok_1',
});
const takesAll: Script = (request, response, at) => {
  if (request.method === 'POST') sendJson(response, 200, transcript(`tr_${at.number}`));
  else sendJson(response, 200, { data: [], next_cursor: null });
};
const posts = (): readonly SeenRequest[] => server.seen.filter(({ method }) => method === 'POST');
const keysOf = (requests: readonly SeenRequest[]) => new Set(requests.map(({ headers }) => headers['idempotency-key']));
const refuse =
  (status: number, code: string): Script =>
  (_request, response) =>
    sendJson(response, status, { error: { code }, message: 'server words', request_id: 'req_refused_7' });

beforeEach(async () => {
  server = await startScriptedServer(takesAll);
  number += 1;
  const base = join(root, String(number));
  place = { recordings: join(base, 'recordings'), dataDir: join(base, 'data'), out: join(base, 'out') };
  mkdirSync(place.recordings, { recursive: true });
});
afterEach(() => server.close());
afterAll(() => rmSync(root, { recursive: true, force: true }));

const record = (name: string, hertz = 300): string => {
  const path = join(place.recordings, name);
  writeFileSync(path, toneWav(hertz, 0.2));
  return path;
};
const run = (paths: readonly string[], more: readonly string[] = [], language?: string) =>
  runCli(['transcribe', ...paths, '--language', 'uz', '--json', '--out', place.out, ...more], {
    url: server.url,
    key,
    dataDir: place.dataDir,
    ...(language === undefined ? {} : { language }),
  });
const summary = (lines: readonly CliLine[]) => lines.at(-1)?.summary;

describe('a run that works', () => {
  it('writes one object a line, the texts in every format, and ends with 0', async () => {
    const path = record('Suhbat.wav');
    const { code, out, error } = await run([path], ['--format', 'txt,srt,vtt,json', '--speakers']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const outputs = ['txt', 'srt', 'vtt', 'json'].map((format) => join(place.out, `Suhbat.${format}`));
    expect(jsonLines(out)).toEqual([
      { file: path, state: 'done', transcriptId: expect.any(String), outputs, error: null },
      { summary: { done: 1, failed: 0, skipped: 0 } },
    ]);
    expect(readFileSync(outputs[0] ?? '', 'utf8')).toBe('Salom dunyo. Yaxshimisiz?\n');
    expect(readFileSync(outputs[1] ?? '', 'utf8')).toContain('00:00:00,000 --> 00:00:0');
    expect(posts()[0]?.headers['authorization']).toBe(`Bearer ${key}`);
    expect(posts()[0]?.body.toString('latin1')).toContain('name="include_speakers"\r\n\r\ntrue');
  });

  it('walks folders, passes over other documents, and tells of files that only pretend', async () => {
    record('a.wav', 210);
    mkdirSync(join(place.recordings, 'deep', 'er'), { recursive: true });
    writeFileSync(join(place.recordings, 'deep', 'er', 'b.wav'), toneWav(220, 0.2));
    writeFileSync(join(place.recordings, 'notes.txt'), 'only words');
    writeFileSync(join(place.recordings, 'words.mp3'), 'only words');
    writeFileSync(join(place.recordings, 'zero.wav'), '');
    symlinkSync(place.recordings, join(place.recordings, 'deep', 'loop'));
    const { code, out } = await run([place.recordings]);
    const lines = jsonLines(out);
    expect(code).toBe(1);
    expect(summary(lines)).toEqual({ done: 2, failed: 2, skipped: 1 });
    const failed = lines
      .filter(({ state }) => state === 'failed')
      .map(({ file, error }) => [file?.split('/').at(-1), error?.code]);
    expect(failed.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
      ['words.mp3', 'not_audio'],
      ['zero.wav', 'empty_file'],
    ]);
    expect(posts()).toHaveLength(2);
  });

  it('given again sends nothing and gives the same outputs; the same content under another name is not sent either', async () => {
    const path = record('a.wav');
    const first = jsonLines((await run([path])).out);
    const copy = record('copy.wav');
    const again = await run([path, copy]);
    expect(again.code).toBe(0);
    expect(jsonLines(again.out).find(({ file }) => file === path)).toEqual(first[0]);
    expect(posts()).toHaveLength(1);
    expect(readdirSync(place.out).toSorted()).toEqual(['a.txt', 'copy.txt']);
  });

  it('never overwrites a file of somebody else', async () => {
    const path = record('a.wav');
    mkdirSync(place.out, { recursive: true });
    writeFileSync(join(place.out, 'a.txt'), 'mine');
    const { out } = await run([path]);
    expect(jsonLines(out)[0]?.outputs).toEqual([join(place.out, 'a (2).txt')]);
    expect(readFileSync(join(place.out, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('keeps the key out of every file and the library private', async () => {
    await run([record('a.wav')]);
    const found = execFileSync('find', [place.dataDir, '-perm', '/077'], { encoding: 'utf8' });
    expect(found).toBe('');
    expect(() => execFileSync('grep', ['-r', '-a', '-l', key, place.dataDir, place.out])).toThrow('Command failed');
    writeFileSync(join(place.dataDir, 'control'), key);
    expect(execFileSync('grep', ['-r', '-a', '-l', key, place.dataDir], { encoding: 'utf8' })).toContain('control');
  });
});

describe('answers that are lost or odd', () => {
  it('a lost answer is asked for again under the same key', async () => {
    server.script = (request, response, at) => {
      if (at.number <= 2) at.socket.resetAndDestroy();
      else return takesAll(request, response, at);
    };
    const { code } = await run([record('a.wav')]);
    expect(code).toBe(0);
    expect(posts()).toHaveLength(3);
    expect(keysOf(posts()).size).toBe(1);
  });

  it('long work is polled until its text is there', async () => {
    let polls = 0;
    server.script = (request, response) => {
      if (request.method === 'POST') return sendJson(response, 202, { id: 'tr_long', status: 'queued' });
      polls += 1;
      return polls < 2
        ? sendJson(response, 200, { id: 'tr_long', status: 'transcribing' })
        : sendJson(response, 200, transcript('tr_long'));
    };
    const { code } = await run([record('a.wav')]);
    expect({ code, polls }).toEqual({ code: 0, polls: 2 });
  });

  it('a paid answer that cannot be read is kept raw and reported, under one key', async () => {
    server.script = (request, response) =>
      request.method === 'POST'
        ? sendJson(response, 200, { strange: { shape: 'qqq-precious' } })
        : sendJson(response, 200, { data: [] });
    const { code, out } = await run([record('a.wav')]);
    expect(code).toBe(1);
    expect(jsonLines(out)[0]?.error?.code).toBe('unreadable_answer');
    expect(keysOf(posts()).size).toBe(1);
    expect(posts()).toHaveLength(3);
    expect(execFileSync('grep', ['-r', '-a', '-l', 'qqq-precious', place.dataDir], { encoding: 'utf8' })).toContain(
      'library.db',
    );
  });
});

describe('conditions that only a person can lift', () => {
  it('402 ends the run with 1 and words; the next run goes on under the same key and pays once', async () => {
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

  it('401 and 403 end the run with 1, words in three languages and no stack trace', async () => {
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

  it('an address that answers HTML ends the run with words and nothing is lost', async () => {
    server.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Hotel</title>');
    };
    const { code, out, error } = await run([record('a.wav')]);
    expect(code).toBe(1);
    expect(error).toContain('kept');
    expect(jsonLines(out)[0]?.state).toBe('failed');
  });
});

describe('bad surroundings', () => {
  it('no network: waits as long as it was told, ends with 1 and keeps the work', async () => {
    const gone = server.url;
    await server.close();
    const path = record('a.wav');
    const { code, error, out } = await runCli(['transcribe', path, '--language', 'uz', '--json', '--wait', '1'], {
      url: gone,
      key,
      dataDir: place.dataDir,
    });
    expect(code).toBe(1);
    expect(error).toContain('not reachable');
    expect(jsonLines(out)[0]?.error?.message).toContain('wait here');
    server = await startScriptedServer(takesAll);
    expect((await run([path])).code).toBe(0);
  });

  it('bad files are told of one by one, nothing is sent for them, and good neighbours are done', async () => {
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

  it('an unwritable folder for the texts costs nothing: the text is in the library and comes with the next run', async () => {
    const path = record('a.wav');
    writeFileSync(place.out, 'a file, not a folder');
    const first = await run([path]);
    expect(first.code).toBe(1);
    expect(jsonLines(first.out)[0]).toMatchObject({ state: 'failed', transcriptId: expect.any(String) });
    rmSync(place.out);
    expect((await run([path])).code).toBe(0);
    expect(posts()).toHaveLength(1);
  });

  it('a library that another process has open is told of', async () => {
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

  it('Ctrl+C stops within three seconds, says what is kept, and the next run goes on under the same key', async () => {
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

  it('a data folder that cannot be written is told of in words', async () => {
    const path = record('a.wav');
    writeFileSync(place.dataDir, 'a file in its place');
    const { code, out, error } = await run([path]);
    expect(code).toBe(1);
    expect(error).not.toMatch(/\bat .*\.ts|Error:/);
    expect(jsonLines(out)[0]?.error?.code).toBe('folder_not_writable');
  });
});

describe('wrong use', () => {
  it('ends with 2, words on standard error and nothing on standard output', async () => {
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
