import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, runCli } from '../support/cli-run.ts';
import { sendJson } from '../support/scripted-server.ts';
import { key, server, place, posts, keysOf, eachWithAService, record, run } from './transcribe-rig.ts';

eachWithAService();

describe('a successful run', () => {
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

  it('run again sends nothing and gives the same outputs; the same content under another name is not sent either', async () => {
    const path = record('a.wav');
    const first = jsonLines((await run([path])).out);
    const copy = record('copy.wav');
    const again = await run([path, copy]);
    expect(again.code).toBe(0);
    expect(jsonLines(again.out).find(({ file }) => file === path)).toEqual(first[0]);
    expect(posts()).toHaveLength(1);
    expect(readdirSync(place.out).toSorted()).toEqual(['a.txt', 'copy.txt']);
  });

  it('never overwrites a file of the user', async () => {
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

describe('answers that are lost or unusual', () => {
  it('a paid answer without words is kept raw beside the texts, its path is printed, and nothing is sent under another key', async () => {
    const answer = '{"amount":3,"words_are":"nowhere"}';
    server.script = (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 200, { data: [] });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answer);
    };
    const kept = join(place.out, 'Suhbat answer.json');
    const { code, out } = await run([record('Suhbat.wav')]);
    expect(code).toBe(1);
    expect(jsonLines(out)[0]).toMatchObject({
      state: 'failed',
      error: { code: 'unreadable_answer', message: expect.stringContaining(kept) },
    });
    expect(readFileSync(kept, 'utf8')).toBe(answer);
    expect(readdirSync(place.out)).toEqual(['Suhbat answer.json']);
    expect(keysOf(posts()).size).toBe(1);
    expect(posts()).toHaveLength(3);
    expect(execFileSync('grep', ['-r', '-a', '-l', 'words_are', place.dataDir], { encoding: 'utf8' })).toContain(
      'library.db',
    );
  });

  it('failed work is sent again under a new key if the user accepts the charge, and only then', async () => {
    server.script = (_request, response, at) =>
      sendJson(response, 200, at.number === 1 ? { id: 'tr_0', status: 'failed' } : { id: 'tr_1', text: 'Salom.' });
    const path = record('a.wav');
    expect(jsonLines((await run([path])).out)[0]?.error?.message).toContain('--send-again');
    expect((await run([path])).code).toBe(1);
    expect(posts()).toHaveLength(1);
    expect((await run([path], ['--send-again'])).code).toBe(0);
    expect(keysOf(posts()).size).toBe(2);
  });

  it('a name can’t send commands to the terminal or break a line', async () => {
    const path = record('red\u001b[31m\nDone: 9.wav');
    const { code, out, error } = await runCli(['transcribe', path, '--language', 'uz', '--out', place.out], {
      url: server.url,
      key,
      dataDir: place.dataDir,
    });
    expect(code).toBe(0);
    expect(out + error).not.toContain('\u001b');
    expect(out.split('\n').filter((line) => line.startsWith('Done:'))).toEqual(['Done: 1. Failed: 0. Skipped: 0.']);
  });
});
