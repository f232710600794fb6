import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonLines, runCli, startCli } from '../support/cli-run.ts';
import { startFaultProxy } from '../support/fault-proxy/fault-proxy.ts';
import { sendJson } from '../support/scripted-server.ts';
import { eachWithAService, key, keysOf, place, posts, record, server, summary } from './transcribe-rig.ts';

eachWithAService();

const saying = (text: string, words: string): number => text.split(words).length - 1;
const args = (path: string, wait: string) => ['transcribe', path, '--language', 'uz', '--json', '--wait', wait];

it('an unreachable address or unknown host: says once why it waits, in the language of the interface, and ends with 75', async () => {
  const proxy = await startFaultProxy({ upstreamPort: 1 });
  await proxy.close();
  const path = record('a.wav');
  const run = (url: string, language: string, name: string) =>
    runCli(args(path, '4'), { url, key, language, dataDir: join(place.dataDir, name) });
  const [closed, nameless, russian] = await Promise.all([
    run(proxy.url, 'en_US.UTF-8', 'en'),
    run('https://nobody.invalid', 'uz_UZ.UTF-8', 'uz'),
    run('https://nobody.invalid', 'ru_RU.UTF-8', 'ru'),
  ]);
  expect([closed.code, nameless.code, russian.code]).toEqual([75, 75, 75]);
  expect(saying(closed.error, 'Waiting. The service is not reachable right now.')).toBe(1);
  expect(closed.error).toContain('The run ends after 4 s without progress (--wait).');
  expect(saying(nameless.error, 'Kutilmoqda. Xizmat manzili topilmadi.')).toBe(1);
  expect(saying(russian.error, 'Ожидание. Не удаётся найти адрес сервиса.')).toBe(1);
  for (const { out } of [closed, nameless, russian]) expect(summary(jsonLines(out))).toMatchObject({ failed: 1 });
});

it('the return of the service is reported, and the recording is sent once', async () => {
  const proxy = await startFaultProxy({ upstreamPort: Number(new URL(server.url).port) });
  await proxy.goAway();
  const { child, ended } = startCli(args(record('a.wav'), '60'), { url: proxy.url, key, dataDir: place.dataDir });
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

it('a service that asks for no wait gets few attempts, and --wait ends the run', async () => {
  server.script = (_request, response) =>
    sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '0' });
  const startedMs = Date.now();
  const { code, out } = await runCli(args(record('a.wav'), '3'), { url: server.url, key, dataDir: place.dataDir });
  expect([code, summary(jsonLines(out))?.failed]).toEqual([75, 1]);
  expect(Date.now() - startedMs).toBeLessThan(20_000);
  expect(posts().length).toBeLessThan(8);
  expect(keysOf(posts()).size).toBe(1);
});
