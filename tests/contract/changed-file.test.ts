import { execFileSync } from 'node:child_process';
import { appendFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedServer, startTcpServer } from '../support/scripted-server.ts';
import { openClient, recordingFolder, submission } from './client-rig.ts';

let files: Awaited<ReturnType<typeof recordingFolder>>;

beforeAll(async () => {
  files = await recordingFolder();
});
afterAll(() => files.dispose());

describe('F-41: the file on disk', () => {
  test('with another size or time than when it was queued is found before anything is sent', async () => {
    const server = await startScriptedServer(() => undefined);
    const { api } = openClient(server.url);
    const source = await files.recording('x');
    await utimes(source.path, 1, 1);
    const changed = { ok: false, error: { row: 'E-011', outcome: 'not_sent', params: { name: source.name } } };
    expect(await api.submit(submission(source))).toMatchObject(changed);
    await writeFile(source.path, 'longer');
    expect(await api.submit(submission(source))).toMatchObject(changed);
    expect(await api.submit(submission({ ...source, path: `${source.path}.gone` }))).toMatchObject({
      ok: false,
      error: { row: 'E-010', code: 'file_missing', outcome: 'not_sent' },
    });
    expect(await api.submit(submission({ ...source, path: files.folder }))).toMatchObject({
      ok: false,
      error: { row: 'E-010', code: 'file_unreadable', outcome: 'not_sent' },
    });
    execFileSync('mkfifo', [join(files.folder, 'pipe')]);
    expect(await api.submit(submission({ ...source, path: join(files.folder, 'pipe') }))).toMatchObject({
      ok: false,
      error: { row: 'E-010', outcome: 'not_sent' },
    });
    expect(server.seen).toEqual([]);
    await server.close();
    await api.close();
  });

  test.each([
    ['grows', (path: string) => appendFile(path, 'more')],
    ['shrinks', (path: string) => truncate(path, 100)],
    ['is written again', (path: string) => utimes(path, 5, 5)],
  ])('a file that %s while it is sent never becomes a complete request', async (_name, change) => {
    let received = Buffer.alloc(0);
    let proceed: () => void = () => undefined;
    const server = await startTcpServer((socket) => {
      socket.on('data', (chunk) => {
        received = Buffer.concat([received.subarray(-200), chunk]);
      });
      socket.once('data', () => {
        socket.pause();
        proceed = () => socket.resume();
      });
    });
    const { api } = openClient(server.url);
    const source = await files.recording(Buffer.alloc(24 * 1024 * 1024, 1));
    let sent = 0;
    const running = api.submit(submission(source, { onProgress: (bytes) => (sent = bytes) }));
    while (sent === 0) await delay(2);
    await change(source.path);
    proceed();
    expect(await running).toMatchObject({ ok: false, error: { row: 'E-011', outcome: 'unknown' } });
    expect(received.includes('--\r\n')).toBe(false);
    await server.close();
    await api.close();
  });
});
