import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { call, codeOf, longSample, shortRecording, submit, until } from './practice-client.ts';
import { practiceEntry, startStandAlone } from './practice-process.ts';

let stateDir = '';
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'practice-restart-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

describe('the practice service after it was killed', () => {
  it('continues accepted work, recognizes the keys, and bills nothing twice', async () => {
    const first = await startStandAlone(['--state-dir', stateDir]);
    const keys = [randomUUID(), randomUUID()];
    const accepted = await Promise.all(
      keys.map((key) => submit(first, longSample, { key, fields: { language: 'uz' } })),
    );
    expect(accepted.map((reply) => reply.status)).toEqual([202, 202]);
    first.child.kill('SIGKILL');
    await first.exited;

    const second = await startStandAlone(['--state-dir', stateDir]);
    for (const [at, key] of keys.entries()) {
      const again = await submit(second, longSample, { key, fields: { language: 'uz' } });
      expect([again.status, again.body['id']]).toEqual([202, accepted[at]?.body['id']]);
      const other = await submit(second, shortRecording, { key, fields: { language: 'uz' } });
      expect(codeOf(other)).toBe('idempotency_conflict');
    }
    for (const reply of accepted) {
      const done = await until(second, String(reply.body['id']), 'completed');
      expect(String(done.body['text'])).toContain('Assalomu alaykum, usta!');
    }
    expect(readLedger(stateDir).map((entry) => entry.idempotencyKey)).toEqual(expect.arrayContaining(keys));
    expect(readLedger(stateDir)).toHaveLength(2);
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    expect(await readdir(join(stateDir, 'uploads'))).toEqual([]);
  });

  it('forgets a partial upload, and accepts the whole of it under the same key', async () => {
    const first = await startStandAlone(['--state-dir', stateDir]);
    const key = randomUUID();
    const whole = readFileSync(shortRecording);
    const socket = connect(Number(new URL(first.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/stt HTTP/1.1\r\nHost: ${new URL(first.url).host}\r\nAuthorization: Bearer ${first.token}\r\nIdempotency-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${whole.length + 500}\r\n\r\n--b\r\nContent-Disposition: form-data; name="audio"; filename="a.mp3"\r\n\r\n`,
    );
    socket.write(whole.subarray(0, 9000));
    await expect.poll(() => readdirSync(join(stateDir, 'uploads')).length, { timeout: 5000 }).toBe(1);
    first.child.kill('SIGKILL');
    await first.exited;
    socket.destroy();

    const second = await startStandAlone(['--state-dir', stateDir]);
    expect(await readdir(join(stateDir, 'uploads'))).toEqual([]);
    expect((await submit(second, shortRecording, { key })).status).toBe(200);
    expect(readLedger(stateDir)).toHaveLength(1);
    second.child.kill('SIGTERM');
    await second.exited;
  });

  it('fails work whose audio is gone, and says so', async () => {
    const server = await startPracticeServer({ stateDir, pace: { queuedMs: 60_000, processingMs: 0 } });
    const id = String((await submit(server, longSample, { fields: { language: 'uz' } })).body['id']);
    await server.close();
    await rm(join(stateDir, 'uploads', `${id}.audio`));
    const again = await startPracticeServer({ stateDir, pace: { queuedMs: 0, processingMs: 0 } });
    const failed = await until(again, id, 'failed');
    expect(codeOf(failed)).toBe('invalid_audio');
    await again.close();
  });
});

describe('the practice service alone', () => {
  it('removes its temporary folder at the end, and leaves a given one', async () => {
    const temporary = await startPracticeServer();
    expect((await stat(temporary.stateDir)).isDirectory()).toBe(true);
    await temporary.close();
    expect(existsSync(temporary.stateDir)).toBe(false);
    const given = await startPracticeServer({ stateDir });
    await given.close();
    expect(existsSync(stateDir)).toBe(true);
  });

  it('exits when its parent dies', async () => {
    // A parent that starts the service, reports its address and key, and is then killed.
    const script = join(stateDir, 'parent.mjs');
    await writeFile(
      script,
      `import { fork } from 'node:child_process';
       fork(${JSON.stringify(practiceEntry)}, [], { stdio: 'ignore' }).on('message', (message) => process.stdout.write(JSON.stringify(message)));`,
    );
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ready = await new Promise<string>((resolve) => parent.stdout.setEncoding('utf8').once('data', resolve));
    const { url, token } = JSON.parse(ready) as { url: string; token: string };
    expect((await call({ url, token }, 'GET', '/v1/stt/transcriptions')).status).toBe(200);
    parent.kill('SIGKILL');
    const isAlive = (): Promise<boolean> =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await expect.poll(isAlive, { timeout: 8000 }).toBe(false);
  });

  it('uses a fixed port and says when it is in use', async () => {
    const first = await startPracticeServer();
    const port = new URL(first.url).port;
    await expect(startStandAlone(['--port', port])).rejects.toThrow('EADDRINUSE');
    await first.close();
    const fixed = await startStandAlone(['--port', port]);
    expect(fixed.url).toBe(`http://127.0.0.1:${port}`);
    fixed.child.kill('SIGINT');
    expect(await fixed.exited).toBe(0);
  });

  it.each([
    [['--host', '0.0.0.0'], '--host'],
    [['--port', 'many'], 'not a number'],
    [['--fault-plan', '/absent.json'], 'fault plan'],
  ])('does not start with %j', async (args, words) => {
    await expect(startStandAlone(args)).rejects.toThrow(words);
  });

  it('reads a fault plan from a file at its start', async () => {
    const plan = join(stateDir, 'plan.json');
    await writeFile(plan, JSON.stringify({ rules: [{ route: '*', fault: '402' }] }));
    const server = await startStandAlone(['--fault-plan', plan]);
    expect((await call(server, 'GET', '/v1/stt/transcriptions')).status).toBe(402);
    server.child.kill('SIGTERM');
    await server.exited;
  });
});
