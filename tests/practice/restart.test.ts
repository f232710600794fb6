import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { call, codeOf, longSample, shortRecording, submit, until } from './practice-client.ts';
import { practiceEntry, startStandAlone } from './practice-process.ts';
import { folderOfTest } from '../support/test-folders.ts';

let stateDir = '';
beforeEach(async () => {
  stateDir = folderOfTest();
});
const uz = { fields: { language: 'uz' } };

describe('the practice service after it was killed', () => {
  it('continues accepted work, recognizes the keys, bills nothing twice, and forgets a partial upload', async () => {
    const first = await startStandAlone(['--state-dir', stateDir]);
    const keys = [randomUUID(), randomUUID()];
    const accepted = await Promise.all(keys.map((key) => submit(first, longSample, { key, ...uz })));
    expect(accepted.map((reply) => reply.status)).toEqual([202, 202]);
    const partly = randomUUID();
    const whole = readFileSync(shortRecording);
    const socket = connect(Number(new URL(first.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /v1/stt HTTP/1.1\r\nHost: ${new URL(first.url).host}\r\nAuthorization: Bearer ${first.token}\r\nIdempotency-Key: ${partly}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${whole.length + 500}\r\n\r\n--b\r\nContent-Disposition: form-data; name="audio"; filename="a.mp3"\r\n\r\n`,
    );
    socket.write(whole.subarray(0, 9000));
    const parts = () => readdirSync(join(stateDir, 'uploads')).filter((name) => name.endsWith('.part'));
    await expect.poll(() => parts().length).toBe(1);
    first.child.kill('SIGKILL');
    await first.exited;
    socket.destroy();

    const second = await startStandAlone(['--state-dir', stateDir]);
    expect(parts()).toEqual([]);
    for (const [at, key] of keys.entries()) {
      const again = await submit(second, longSample, { key, ...uz });
      expect([again.status, again.body['id']]).toEqual([202, accepted[at]?.body['id']]);
      expect(codeOf(await submit(second, shortRecording, { key, ...uz }))).toBe('idempotency_conflict');
    }
    for (const reply of accepted) {
      const done = await until(second, String(reply.body['id']), 'completed');
      expect(String(done.body['text'])).toContain('Assalomu alaykum, usta!');
    }
    expect((await submit(second, shortRecording, { key: partly })).status).toBe(200);
    expect(readLedger(stateDir).map((entry) => entry.idempotencyKey)).toEqual(
      expect.arrayContaining([...keys, partly]),
    );
    expect(readLedger(stateDir)).toHaveLength(3);
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    expect(await readdir(join(stateDir, 'uploads'))).toEqual([]);
  });
});

describe('the practice service alone', () => {
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
    await expect.poll(isAlive).toBe(false);
  });

  it('uses a fixed port and says when it is in use; takes its faults from a file, and starts with nothing else', async () => {
    const first = await startPracticeServer();
    const port = new URL(first.url).port;
    for (const [args, words] of [
      [['--port', port], 'EADDRINUSE'],
      [['--host', '0.0.0.0'], '--host'],
    ] as const)
      await expect(startStandAlone(args)).rejects.toThrow(words);
    await first.close();
    const plan = join(stateDir, 'plan.json');
    await writeFile(plan, JSON.stringify({ rules: [{ route: '*', fault: '402' }] }));
    const fixed = await startStandAlone(['--port', port, '--fault-plan', plan]);
    expect(fixed.url).toBe(`http://127.0.0.1:${port}`);
    expect((await call(fixed, 'GET', '/v1/stt/transcriptions')).status).toBe(402);
    fixed.child.kill('SIGINT');
    expect(await fixed.exited).toBe(0);
  });
});
