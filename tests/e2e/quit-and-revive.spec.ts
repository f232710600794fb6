import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { parseFaultPlan } from '../../electron/practice/faults.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import type { StudioBridge } from '../../electron/ipc/bridge.ts';
import { toneWav, writeSilentWav } from '../support/wav-files.ts';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

let dataDir: string;
let cleanUps: (() => Promise<void> | void)[] = [];
test.beforeEach(() => {
  dataDir = newDataDir();
  cleanUps = [() => removeDataDir(dataDir)];
});
test.afterEach(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

async function start(env: Record<string, string> = {}): Promise<Studio> {
  const studio = await startStudio({ dataDir, env });
  const ended = new Promise((resolve) => studio.app.process().once('exit', resolve));
  const child = studio.app.process();
  cleanUps.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return studio;
}

/** A service that answers reads and never finishes receiving a recording. */
async function stallingService(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') request.pause();
    else response.setHeader('content-type', 'application/json').end('{"items":[]}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Adds recordings as a drop does. */
async function tokensOf(page: Page, paths: readonly string[]): Promise<string[]> {
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'given', multiple: true })),
  );
  await page.setInputFiles('#given', [...paths]);
  const tokens = await page.evaluate(() => {
    const { studio } = window as unknown as { studio: StudioBridge };
    const files = [...(document.querySelector<HTMLInputElement>('#given')?.files ?? [])];
    return Promise.all(files.map((file) => studio.fileTokenFor(file)));
  });
  return tokens.flatMap((token) => (token.ok ? [token.value] : []));
}
const dropOf = (tokens: readonly string[]) => ({
  tokens: [...tokens],
  options: { kind: 'transcribe', language: 'uz', includeSpeakers: false } as const,
  addsRepeats: false,
});
async function statesOf(page: Page): Promise<readonly string[]> {
  const list = await ask(page, 'jobs.list', {});
  return list.ok ? list.value.jobs.map(({ state }) => state.tag) : [];
}

const closeWindow = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()).catch(() => undefined);

/** Whether the system is kept from sleeping. */
const isKeptAwake = (app: ElectronApplication) =>
  app.evaluate(({ powerSaveBlocker }) =>
    Array.from({ length: 9 }, (_, id) => powerSaveBlocker.isStarted(id)).some(Boolean),
  );
const isSeen = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());

/** Answers every question of the app with the given button, and counts the questions. */
const answerWith = (app: ElectronApplication, button: number) =>
  app.evaluate(({ dialog }, response) => {
    const state = globalThis as unknown as { questions?: string[] };
    state.questions ??= [];
    dialog.showMessageBox = (async (...args: unknown[]) => {
      state.questions?.push((args.at(-1) as { message: string }).message);
      return { response, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, button);
const questions = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { questions?: string[] }).questions ?? []);

test('quitting while a recording is being sent asks once, can be refused, and then ends at once with nothing lost (work-continues-later)', async () => {
  const env = { OVOZ_SERVICE_URL: await stallingService(), OVOZ_API_KEY: 'sk_test_0123456789abcdef' };
  const recording = join(dataDir, 'long.wav');
  const { app, page } = await start(env);
  writeSilentWav(recording, 5000);
  expect(await ask(page, 'connection.choose', { mode: 'service' })).toMatchObject({ ok: true });
  const dropped = dropOf(await tokensOf(page, [recording]));
  // Without user activation a page can't send what costs (S-15).
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: false, error: { kind: 'not-asked-for' } });
  await page.evaluate(() => {
    document.body.click();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
  });
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: false, error: { kind: 'not-asked-for' } });
  await page.keyboard.press('F9');
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: true, value: { refused: [] } });
  const state = async () => (await statesOf(page))[0];
  await expect.poll(state, { timeout: 20_000 }).toBe('uploading');

  // While something is being sent the computer does not sleep, if the user wants that.
  await expect.poll(() => isKeptAwake(app)).toBe(true);
  await ask(page, 'settings.update', { keepsAwake: false });
  await expect.poll(() => isKeptAwake(app)).toBe(false);
  await ask(page, 'settings.update', { keepsAwake: true });
  await expect.poll(() => isKeptAwake(app)).toBe(true);

  await answerWith(app, 1);
  await closeWindow(app);
  await app.evaluate(({ app: electron }) => electron.quit());
  await expect.poll(async () => (await questions(app)).length).toBe(2);
  expect(await state()).toBe('uploading');
  expect((await questions(app))[0]).toContain('1');

  // With a tray, continuing without the window is an answer too, and lasts for the rest of the run.
  const hasTray = (await app.evaluate(() => process.versions['electronHost'])) !== undefined;
  if (hasTray) {
    await answerWith(app, 2);
    await closeWindow(app);
    await expect.poll(() => isSeen(app)).toBe(false);
    expect(await state()).toBe('uploading');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
    await expect.poll(() => isSeen(app)).toBe(true);
    await closeWindow(app);
    await expect.poll(() => isSeen(app)).toBe(false);
    expect(await questions(app)).toHaveLength(3);
  }

  const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
  await answerWith(app, 0);
  // Quitting from the app's menu ends it although closing would leave it in the tray.
  if (hasTray) await ask(page, 'window.control', { action: 'quit' }).catch(() => undefined);
  else await closeWindow(app);
  expect(await ended).toBe(0);

  const again = await start(env);
  const jobs = await ask(again.page, 'jobs.list', {});
  expect(jobs).toMatchObject({ ok: true, value: { jobs: [{ name: 'long.wav' }] } });
});

test('a second instance shows the first one and quits (already-open); a page that crashes comes back three times, then the app says so (window-restarted)', async () => {
  const { app, page } = await start();
  await app.evaluate(({ app: electron }) => {
    const state = globalThis as unknown as { asked: number };
    state.asked = 0;
    electron.on('second-instance', () => (state.asked += 1));
  });
  await expect(startStudio({ dataDir })).rejects.toThrow();
  await expect.poll(() => app.evaluate(() => (globalThis as unknown as { asked: number }).asked)).toBe(1);

  await ask(page, 'connection.choose', { mode: 'practice' });
  await answerWith(app, 0);
  const crash = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  const mode = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      if (contents === undefined || contents.isLoading()) return 'loading';
      const script = 'window.studio.request("app.describe", {}).then((answer) => answer.value.connection.mode)';
      const limit = new Promise<string>((resolve) => setTimeout(() => resolve('no page'), 1000));
      return Promise.race([contents.executeJavaScript(script) as Promise<string>, limit]).catch(() => 'no page');
    });
  for (let round = 0; round < 3; round += 1) {
    const loaded = app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) =>
          BrowserWindow.getAllWindows()[0]?.webContents.once('did-finish-load', () => resolve()),
        ),
    );
    await crash();
    await loaded;
    await expect.poll(mode).toBe('practice');
  }
  expect(await questions(app)).toEqual([]);
  await crash();
  await expect.poll(async () => (await questions(app)).length).toBe(1);
});

test('the window is closed and the app quit in the middle of a batch: it exits by itself, and each file is transcribed once (F-44)', async () => {
  const quits = process.env['OVOZ_LONG'] === undefined ? 2 : 30;
  test.setTimeout(120_000 + quits * 20_000);
  const [serviceDir, recordings] = [join(dataDir, 'service'), join(dataDir, 'recordings')];
  for (const folder of [serviceDir, recordings]) mkdirSync(folder);
  const upload = { route: '/v1/stt', method: 'POST' };
  const plan = parseFaultPlan({
    rules: [
      { ...upload, fault: 'drop-answer-after-acceptance', probability: 0.2, seed: 44 },
      { ...upload, fault: 'delay', ms: 400, when: 'after' },
    ],
  });
  if (!plan.ok) throw new Error(plan.error);
  const service = await startPracticeServer({
    stateDir: serviceDir,
    faultPlan: plan.value,
    limits: { shortAudioMs: 1000, requestsPerSecond: 1_000_000 },
    pace: { queuedMs: 0, processingMs: 0 },
  });
  cleanUps.push(() => service.close());
  const env = { OVOZ_SERVICE_URL: service.url, OVOZ_API_KEY: service.token };
  const paths = Array.from({ length: quits * 4 }, (_, at) => join(recordings, `${at}.wav`));
  for (const [at, path] of paths.entries()) writeFileSync(path, toneWav(200 + at * 7, 0.2));
  const doneCount = async (page: Page) => (await statesOf(page)).filter((tag) => tag === 'done').length;
  for (let round = 0; round < quits; round += 1) {
    const { app, page } = await start(env);
    await answerWith(app, 0);
    if (round === 0) {
      expect(await ask(page, 'connection.choose', { mode: 'service' })).toMatchObject({ ok: true });
      const tokens = await tokensOf(page, paths);
      // Work that costs needs user activation.
      await page.keyboard.press('F9');
      expect(await ask(page, 'jobs.addDropped', dropOf(tokens))).toMatchObject({ ok: true, value: { refused: [] } });
    }
    const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
    // While something is sent, or just done.
    await expect.poll(() => doneCount(page)).toBeGreaterThan(round);
    if (round % 2 === 0) await closeWindow(app);
    else await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
    expect(await ended).toBe(0);
  }
  const last = await start(env);
  await expect.poll(() => doneCount(last.page), { timeout: 60_000 }).toBe(paths.length);
  await last.quit();
  const checker = fileURLToPath(new URL('../../scripts/check-run.ts', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', checker, '--library', join(dataDir, 'library.db')];
  const count = String(paths.length);
  const wanted = ['--service', serviceDir, '--items', count, '--done', count];
  expect(execFileSync(process.execPath, [...args, ...wanted], { encoding: 'utf8' })).toContain('I1 I2 I3 I4 I7 hold');
});
