import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { startToolServer } from '../cli/tool-server-rig.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const sample = (name: string) => fileURLToPath(new URL(`../../assets/samples/${name}`, import.meta.url));
const wrongKey = 'sk_test_0123456789_not_a_key_of_anyone';

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

async function typeAddress(page: Page, address: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Service address' });
  await field.fill(address);
  await field.blur();
}

test('the first screen distinguishes a wrong key, an HTML answer and silence, in plain words', async () => {
  const dataDir = newDataDir();
  const service = await startPracticeServer();
  const website = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html><body>Welcome to the hotel network</body></html>');
  });
  const websiteAddress = await listen(website);
  const closed = createServer();
  const closedAddress = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  const studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: wrongKey } });
  try {
    const { page } = studio;
    await typeAddress(page, closedAddress);
    await expect(page.getByText('No answer', { exact: true })).toBeVisible();
    await typeAddress(page, websiteAddress);
    await expect(page.getByText('Not this service', { exact: true })).toBeVisible();
    await typeAddress(page, service.url);
    await expect(page.getByText('Not accepted', { exact: true })).toBeVisible();
    expect(await page.locator('body').innerText()).not.toContain(wrongKey);
    expect(await page.locator('body').innerText()).not.toMatch(/ECONNREFUSED|<!doctype|TypeError|undefined/);
  } finally {
    await studio.quit();
    await service.stop();
    website.close();
    removeDataDir(dataDir);
  }
});

test('out of credits stops the queue once; after resuming everything is done with the same keys', async () => {
  const dataDir = newDataDir();
  const plan = join(dataDir, 'plan.json');
  writeFileSync(plan, JSON.stringify({ rules: [{ route: '/v1/stt', method: 'POST', nth: [1, 2], fault: '402' }] }));
  const service = await startPracticeServer('--fault-plan', plan, '--state-dir', join(dataDir, 'service'));
  const studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
  try {
    const { page } = studio;
    await typeAddress(page, service.url);
    await expect(page.getByText('Works', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await dragFiles(page, [sample('interview-uz.mp3'), sample('podcast-en.flac'), sample('lecture-ru.ogg')]);
    await page.getByRole('button', { name: 'Each in its own language' }).click();
    const goOn = page.getByRole('button', { name: /added credits/i });
    await expect(goOn).toBeVisible();
    await expect(goOn).toHaveCount(1);
    await expect(async () => {
      if (await goOn.isVisible()) await goOn.click();
      await expect(page.getByRole('row').getByText('Done')).toHaveCount(3, { timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
  }
});

test(
  'a tool of another program needs consent in the open app: refused, allowed until it is closed, and files are added to the queue',
  { tag: '@long' },
  async () => {
    const dataDir = newDataDir();
    const service = await startPracticeServer();
    const studio = await startStudio({
      dataDir,
      env: { OVOZ_API_KEY: service.key, OVOZ_SERVICE_URL: service.url },
    });
    const answerWith = (button: number) =>
      studio.app.evaluate(({ dialog }, response) => {
        const asked = globalThis as unknown as { questions?: string[] };
        dialog.showMessageBox = (async (...args: unknown[]) => {
          asked.questions = [...(asked.questions ?? []), (args.at(-1) as { message: string }).message];
          return { response, checkboxChecked: false };
        }) as typeof dialog.showMessageBox;
      }, button);
    const tools = await startToolServer({ dataDir, url: service.url, key: service.key });
    try {
      await studio.page.getByRole('button', { name: 'Open the studio' }).click();
      const voices = (await tools.call('list_voices', { language: 'uz' })).value['voices'] as { voice_id: string }[];
      const say = { text: 'Salom', language: 'uz', voice_id: voices[0]?.voice_id ?? '' };
      await answerWith(2);
      expect((await tools.call('text_to_speech', say)).value).toMatchObject({ code: 'not_allowed' });
      await answerWith(1);
      expect((await tools.call('text_to_speech', say)).value).toMatchObject({ format: 'wav' });
      await answerWith(2);
      expect((await tools.call('text_to_speech', { ...say, text: 'Salom yana' })).value).toMatchObject({
        format: 'wav',
      });
      const queued = await tools.call('library_queue_files', { paths: [sample('interview-uz.mp3')], language: 'uz' });
      expect(queued.value).toMatchObject({ added: 1, refused: [] });
      await expect(studio.page.getByRole('row').filter({ hasText: 'interview-uz' })).toBeVisible();
      await expect.poll(async () => (await tools.call('library_list')).value['total']).toBe(1);
      const asked = await studio.app.evaluate(() => (globalThis as unknown as { questions?: string[] }).questions);
      expect(asked).toHaveLength(2);
      expect(asked?.[0]).toContain('a test');
    } finally {
      await tools.close();
      await studio.quit();
      await service.stop();
      removeDataDir(dataDir);
    }
  },
);
