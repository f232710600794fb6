import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { StudioBridge } from '../../shared/ipc/derive.ts';
import { removeDataDir, startStudio, type Studio } from './support/studio.ts';

let studio: Studio;
test.beforeAll(async () => {
  studio = await startStudio();
});
test.afterAll(async () => {
  await studio.quit();
  removeDataDir(studio.dataDir);
});

/** Ended streams, as main logged them. */
const endedInMain = () =>
  readFileSync(join(studio.dataDir, 'logs', 'studio.log'), 'utf8').match(/"ipc-stream".*diagnostics\.echo/g)?.length ??
  0;

test('a stream carries ten seconds of audio to main and back in order, and a reload ends it', async () => {
  const seen = await studio.page.evaluate(async () => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const nonce = crypto.randomUUID();
    const arrived = new Promise<MessagePort>((resolve) => {
      window.addEventListener('message', ({ data, ports: [port] }: MessageEvent<{ streamPort?: string }>) => {
        if (data.streamPort === nonce && port !== undefined) resolve(port);
      });
    });
    const granted = await bridge.openStream('diagnostics.echo', {}, nonce);
    const port = await arrived;
    // 16 kHz in blocks of 20 ms.
    const blocks = Array.from({ length: 500 }, (_, at) => new Int16Array(320).fill(at));
    const received: number[] = [];
    let [credit, sent] = [32, 0];
    const result = await new Promise<unknown>((resolve) => {
      const send = () => {
        for (; credit > 0 && sent < blocks.length; credit -= 1, sent += 1)
          port.postMessage({ kind: 'value', value: blocks[sent] });
        if (sent === blocks.length) port.postMessage({ kind: 'finish' });
      };
      port.addEventListener('message', ({ data }: MessageEvent<{ kind: string; [key: string]: unknown }>) => {
        if (data.kind === 'took') {
          credit += data['count'] as number;
          if (sent < blocks.length) send();
        } else if (data.kind === 'value') {
          const { number, samples } = data['value'] as { number: number; samples: Int16Array };
          if (samples.length === 320 && samples.every((sample) => sample === number - 1)) received.push(number);
          port.postMessage({ kind: 'took', count: 1 });
        } else resolve(data['result']);
      });
      port.start();
      send();
    });
    return { granted, received, result };
  });
  expect(seen.granted).toEqual({ ok: true, value: null });
  expect(seen.received).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
  expect(seen.result).toEqual({ ok: true, value: null });
  await expect.poll(endedInMain).toBe(1);

  await studio.page.evaluate(() =>
    (window as unknown as { studio: StudioBridge }).studio.openStream('diagnostics.echo', {}, crypto.randomUUID()),
  );
  expect(endedInMain()).toBe(1);
  const loaded = studio.page.waitForEvent('load');
  await studio.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
  await loaded;
  await expect.poll(endedInMain).toBe(2);
});

test('a stream that does not exist, or is requested wrongly, is refused like a request', async () => {
  const rows = await studio.page.evaluate(async () => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const answers = await Promise.all([
      bridge.openStream('constructor', {}, crypto.randomUUID()),
      bridge.openStream('diagnostics.echo', { more: 1 }, crypto.randomUUID()),
      bridge.openStream('diagnostics.echo', {}, 'short'),
    ]);
    return answers.map((answer) => (answer.ok ? 'open' : answer.error.row));
  });
  expect(rows).toEqual(['E-231', 'E-231', 'E-231']);
});
