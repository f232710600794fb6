import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import type { StudioBridge } from '../../shared/ipc/derive.ts';
import { toneWav } from '../support/wav-files.ts';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const quits = isLong ? 30 : 2;
const fileCount = isLong ? 60 : 8;
const checker = fileURLToPath(new URL('../../scripts/check-run.ts', import.meta.url));

/** Every question of the app is answered with its first button: quit. */
const agreeToAll = (app: ElectronApplication) =>
  app.evaluate(({ dialog }) => {
    dialog.showMessageBox = (async () => ({ response: 0, checkboxChecked: false })) as typeof dialog.showMessageBox;
  });

async function addFiles(page: Page, paths: readonly string[]): Promise<void> {
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'given', multiple: true })),
  );
  await page.setInputFiles('#given', [...paths]);
  const tokens = await page.evaluate(() => {
    const { studio } = window as unknown as { studio: StudioBridge };
    const files = [...(document.querySelector<HTMLInputElement>('#given')?.files ?? [])];
    return Promise.all(files.map((file) => studio.fileTokenFor(file)));
  });
  // Work that costs needs user activation.
  await page.keyboard.press('F9');
  const dropped = {
    tokens: tokens.flatMap((token) => (token.ok ? [token.value] : [])),
    options: { kind: 'transcribe', language: 'uz', includeSpeakers: false } as const,
    addsRepeats: false,
  };
  expect(await ask(page, 'jobs.addDropped', dropped)).toMatchObject({ ok: true, value: { refused: [] } });
}

async function doneCount(page: Page): Promise<number> {
  const list = await ask(page, 'jobs.list', {});
  return list.ok ? list.value.jobs.filter(({ state }) => state.tag === 'done').length : -1;
}

test(`the window is closed or the app quit in the middle of a batch, ${quits} times: it exits by itself, and each file is transcribed once (F-44)`, async () => {
  test.setTimeout(120_000 + quits * 20_000);
  const dataDir = newDataDir();
  const serviceDir = join(dataDir, 'service');
  const recordings = join(dataDir, 'recordings');
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
  const env = { OVOZ_SERVICE_URL: service.url, OVOZ_API_KEY: service.token };
  const paths = Array.from({ length: fileCount }, (_, at) => join(recordings, `${at}.wav`));
  for (const [at, path] of paths.entries()) writeFileSync(path, toneWav(200 + at * 7, 0.2));
  const took: number[] = [];
  try {
    for (let round = 0; round < quits; round += 1) {
      const { app, page } = await startStudio({ dataDir, env });
      await agreeToAll(app);
      if (round === 0) {
        expect(await ask(page, 'connection.choose', { mode: 'service' })).toMatchObject({ ok: true });
        await addFiles(page, paths);
      }
      const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
      await delay(Math.random() * 1500);
      const begun = performance.now();
      if (round % 2 === 0)
        void app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()).catch(() => undefined);
      else void app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
      expect(await ended).toBe(0);
      took.push(performance.now() - begun);
    }
    const last = await startStudio({ dataDir, env });
    await expect.poll(() => doneCount(last.page), { timeout: 60_000 }).toBe(fileCount);
    await last.quit();
  } finally {
    await service.close();
  }
  const args = ['--disable-warning=ExperimentalWarning', checker, '--library', join(dataDir, 'library.db')];
  const wanted = ['--service', serviceDir, '--items', String(fileCount), '--done', String(fileCount)];
  const checked = await new Promise<string>((resolve) => {
    execFile(process.execPath, [...args, ...wanted], (_error, out, err) => resolve(`${out}${err}`));
  });
  expect(checked).toContain('I1 I2 I3 I4 I7 hold');
  console.log(`${checked.trim()}; the slowest of ${quits} ends took ${Math.round(Math.max(...took))} ms`);
  if (isLong) expect(Math.max(...took)).toBeLessThan(3_000);
  removeDataDir(dataDir);
});
