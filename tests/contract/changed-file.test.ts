import { execFileSync } from 'node:child_process';
import { appendFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startTcpServer } from '../support/scripted-server.ts';
import { openService, scriptedService, submission } from './client-rig.ts';

const { server, files, client } = await scriptedService();

describe('F-41: the file on disk', () => {
  test('with another size or time than when it was queued is found before anything is sent', async () => {
    const source = await files.recording('x');
    const submit = (path: string) => client.stt.submit(submission({ ...source, path }));
    await utimes(source.path, 1, 1);
    const changed = { ok: false, error: { kind: 'file-changed', outcome: 'not_sent', params: { name: source.name } } };
    expect(await submit(source.path)).toMatchObject(changed);
    await writeFile(source.path, 'longer');
    expect(await submit(source.path)).toMatchObject(changed);
    const pipe = join(files.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const [path, code] of [
      [`${source.path}.gone`, 'file_missing'],
      [files.folder, 'file_unreadable'],
      [pipe, 'file_unreadable'],
    ] as const)
      expect(await submit(path)).toMatchObject({ error: { kind: 'file-unreadable', code, outcome: 'not_sent' } });
    expect(server.seen).toEqual([]);
  });

  test.each([
    ['grows', (path: string) => appendFile(path, 'more')],
    ['shrinks', (path: string) => truncate(path, 100)],
    ['is written again', (path: string) => utimes(path, 5, 5)],
  ])('a file that %s while it is sent never becomes a complete request', async (_name, change) => {
    let received = Buffer.alloc(0);
    let proceed: () => void = () => undefined;
    const reader = await startTcpServer((socket) => {
      socket.on('data', (chunk) => {
        received = Buffer.concat([received.subarray(-200), chunk]);
      });
      socket.once('data', () => {
        socket.pause();
        proceed = () => socket.resume();
      });
    });
    const { stt, close } = openService(reader.url);
    const source = await files.recording(Buffer.alloc(24 * 1024 * 1024, 1));
    let sent = 0;
    const running = stt.submit(submission(source, { onProgress: (bytes) => (sent = bytes) }));
    await expect.poll(() => sent, { interval: 2 }).toBeGreaterThan(0);
    await change(source.path);
    proceed();
    expect(await running).toMatchObject({ ok: false, error: { kind: 'file-changed', outcome: 'unknown' } });
    expect(received.includes('--\r\n')).toBe(false);
    await reader.close();
    await close();
  });
});
