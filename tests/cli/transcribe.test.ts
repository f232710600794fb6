import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
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
  eachWithAService,
  record,
  run,
  summary,
} from './transcribe-rig.ts';

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

  it('walks folders, ignores other documents, and reports fake recordings', async () => {
    record('a.wav', 210);
    mkdirSync(join(place.recordings, 'deep', 'er'), { recursive: true });
    writeFileSync(join(place.recordings, 'deep', 'er', 'b.wav'), toneWav(220, 0.2));
    writeFileSync(join(place.recordings, 'notes.txt'), 'only words');
    writeFileSync(join(place.recordings, 'words.mp3'), 'only words');
    writeFileSync(join(place.recordings, 'zero.wav'), '');
    writeFileSync(join(place.recordings, 'talk.mov'), '');
    writeFileSync(join(place.recordings, 'cut.mkv'), Buffer.from('1a45dfa3a3', 'hex'));
    symlinkSync(place.recordings, join(place.recordings, 'deep', 'loop'));
    const { code, out } = await run([place.recordings]);
    const lines = jsonLines(out);
    expect(code).toBe(1);
    expect(summary(lines)).toEqual({ done: 2, failed: 4, skipped: 1 });
    const failed = lines
      .filter(({ state }) => state === 'failed')
      .map(({ file, error }) => [file?.split('/').at(-1), error?.code]);
    expect(failed.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
      ['cut.mkv', 'not_audio'],
      ['talk.mov', 'empty_file'],
      ['words.mp3', 'not_audio'],
      ['zero.wav', 'empty_file'],
    ]);
    expect(posts()).toHaveLength(2);
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
  it('a lost answer is requested again under the same key', async () => {
    server.script = (request, response, at) => {
      if (at.number <= 2) at.socket.resetAndDestroy();
      else return takesAll(request, response, at);
    };
    const { code } = await run([record('a.wav')]);
    expect(code).toBe(0);
    expect(posts()).toHaveLength(3);
    expect(keysOf(posts()).size).toBe(1);
  });

  it('long work is polled until its transcript is ready', async () => {
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

  it('a paid answer that cannot be read is stored raw and reported, under one key', async () => {
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
