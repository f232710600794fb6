import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type ElectronApplication } from '@playwright/test';
import type { StudioBridge } from '../../shared/ipc/derive.ts';
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

function writeLongRecording(path: string): void {
  const wav = Buffer.alloc(40_000_000);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, 16_000],
    [28, 32_000],
    [40, wav.length - 44],
  ] as const)
    wav.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.write('data', 36);
  writeFileSync(path, wav);
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

test('quitting while a recording is being sent asks once, can be refused, and then ends at once with nothing lost (E-208)', async () => {
  const env = { OVOZ_SERVICE_URL: await stallingService(), OVOZ_API_KEY: 'sk_test_0123456789abcdef' };
  const recording = join(dataDir, 'long.wav');
  const { app, page } = await start(env);
  writeLongRecording(recording);
  expect(await ask(page, 'connection.choose', { mode: 'service' })).toMatchObject({ ok: true });
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'given' })),
  );
  await page.setInputFiles('#given', recording);
  const token = await page.evaluate(() => {
    const { studio } = window as unknown as { studio: StudioBridge };
    return studio.fileTokenFor(document.querySelector<HTMLInputElement>('#given')?.files?.[0]);
  });
  if (!token.ok) throw new Error('no token for a file on disk');
  const options = { kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;
  const dropped = { tokens: [token.value], options, addsRepeats: false };
  // Without user activation a page can't send what costs (S-15).
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: false, error: { row: 'E-238' } });
  await page.evaluate(() => {
    document.body.click();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
  });
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: false, error: { row: 'E-238' } });
  await page.keyboard.press('F9');
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: true, value: { refused: [] } });
  const state = async () => {
    const list = await ask(page, 'jobs.list', {});
    return list.ok ? list.value.jobs[0]?.state.tag : null;
  };
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

test('a page that crashes comes back with everything, three times; then the app says so and keeps working (E-206)', async () => {
  const { app, page } = await start();
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

test('a second instance shows the first one and quits (E-183)', async () => {
  const { app } = await start();
  await app.evaluate(({ app: electron }) => {
    const state = globalThis as unknown as { asked: number };
    state.asked = 0;
    electron.on('second-instance', () => (state.asked += 1));
  });
  await expect(startStudio({ dataDir })).rejects.toThrow();
  await expect.poll(() => app.evaluate(() => (globalThis as unknown as { asked: number }).asked)).toBe(1);
});
