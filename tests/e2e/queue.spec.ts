import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { startToolServer } from '../cli/tool-server-rig.ts';
import { toneWav } from '../support/wav-files.ts';
import { dragFiles } from './support/drag-files.ts';
import type { Studio } from './support/studio.ts';
import { enterService, test, typeAddress } from './support/journey.ts';

const sample = (name: string) => fileURLToPath(new URL(`../../assets/samples/${name}`, import.meta.url));

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const weekCount = 40;
/** A week at court: recordings in nested folders, among six files that are none. */
function writeWeek(folder: string): string {
  const week = join(folder, 'Hafta');
  const inside = join(week, '18-noyabr');
  mkdirSync(inside, { recursive: true });
  for (let at = 0; at < weekCount; at += 1) {
    const place = at % 3 === 0 ? inside : week;
    writeFileSync(join(place, `Majlis ${String(at)} 🎙 запись.wav`), toneWav(200 + at * 3, 0.15));
  }
  for (let at = 0; at < 3; at += 1) {
    writeFileSync(join(week, `bayon ${String(at)}.txt`), 'no sound at all here');
    writeFileSync(join(inside, `boʻsh ${String(at)}.mp3`), '');
  }
  return week;
}

const queue = (page: Page) => page.getByRole('grid', { name: 'Queue' });
const rowCount = async (page: Page) => Number(await queue(page).getAttribute('aria-rowcount'));
const doneCount = async (page: Page): Promise<number> => {
  const counted = /Finished\s+(\d+)/.exec(await page.locator('main').innerText())?.[1];
  if (counted !== undefined) return Number(counted);
  // Where all are in one state there is nothing to filter by.
  return (await queue(page).getByText('Done').count()) > 0 ? rowCount(page) : 0;
};

/** Sets the state of the network that the system reports. */
const setOnline = (studio: Studio, isOnline: boolean) =>
  studio.app.evaluate(({ net }, value) => {
    net.isOnline = () => value;
  }, isOnline);

test('addresses are told apart, missing credits stop the queue once, a program is asked about, and a week of files survives a quit', async ({
  journey,
}) => {
  test.setTimeout(240_000);
  const folder = journey.newFolder();
  const plan = join(folder, 'plan.json');
  const uploads = { route: '/v1/stt', method: 'POST' };
  // The week takes long enough to be paused.
  const week = Array.from({ length: weekCount }, (_, at) => at + 8);
  const rules = [
    { ...uploads, nth: [1, 2], fault: '402' },
    { ...uploads, nth: week, fault: 'delay', ms: 700 },
  ];
  writeFileSync(plan, JSON.stringify({ rules }));
  const service = await journey.startService('--fault-plan', plan, '--state-dir', join(folder, 'service'));
  const env = { OVOZ_API_KEY: service.key };
  let studio = await journey.start({ env });
  const { page } = studio;

  await test.step('the first screen tells a wrong key, an HTML answer and silence apart, in plain words', async () => {
    const website = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><html><body>Welcome to the hotel network</body></html>');
    });
    journey.atEnd(() => website.close());
    const closed = createServer();
    const closedAddress = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    await typeAddress(page, closedAddress);
    await expect(page.getByText('No answer', { exact: true })).toBeVisible();
    await typeAddress(page, await listen(website));
    await expect(page.getByText('Not this service', { exact: true })).toBeVisible();
    // Another service, which has another key.
    await typeAddress(page, (await journey.startService()).url);
    await expect(page.getByText('Not accepted', { exact: true })).toBeVisible();
    expect(await page.locator('body').innerText()).not.toContain(service.key);
    expect(await page.locator('body').innerText()).not.toMatch(/ECONNREFUSED|<!doctype|TypeError|undefined/);
    await enterService(page, service);
  });

  await test.step('out of credits stops the queue once; after resuming everything is done', async () => {
    await dragFiles(page, [sample('interview-uz.mp3'), sample('podcast-en.flac'), sample('lecture-ru.ogg')]);
    await page.getByRole('button', { name: 'Each in its own language' }).click();
    const goOn = page.getByRole('button', { name: /added credits/i });
    await expect(goOn).toBeVisible();
    await expect(goOn).toHaveCount(1);
    await expect(async () => {
      if (await goOn.isVisible()) await goOn.click();
      await expect(page.getByRole('row').getByText('Done')).toHaveCount(3, { timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
  });

  await test.step('a tool of another program is refused, then allowed until the app is closed, and adds to the queue', async () => {
    const answerWith = (button: number) =>
      studio.app.evaluate(({ dialog }, response) => {
        const asked = globalThis as unknown as { questions?: string[] };
        dialog.showMessageBox = (async (...args: unknown[]) => {
          asked.questions = [...(asked.questions ?? []), (args.at(-1) as { message: string }).message];
          return { response, checkboxChecked: false };
        }) as typeof dialog.showMessageBox;
      }, button);
    const tools = await startToolServer({ dataDir: journey.dataDir, url: service.url, key: service.key });
    journey.atEnd(tools.close);
    const voices = (await tools.call('list_voices', { language: 'uz' })).value['voices'] as { voice_id: string }[];
    const say = { text: 'Salom', language: 'uz', voice_id: voices[0]?.voice_id ?? '' };
    await answerWith(2);
    expect((await tools.call('text_to_speech', say)).value).toMatchObject({ code: 'not_allowed' });
    await answerWith(1);
    expect((await tools.call('text_to_speech', say)).value).toMatchObject({ format: 'wav' });
    await answerWith(2);
    expect((await tools.call('text_to_speech', { ...say, text: 'Salom yana' })).value).toMatchObject({ format: 'wav' });
    const called = join(folder, 'chaqirilgan.wav');
    writeFileSync(called, toneWav(900, 0.3));
    const queued = await tools.call('library_queue_files', { paths: [called], language: 'uz' });
    expect(queued.value).toMatchObject({ added: 1, refused: [] });
    await expect(page.getByRole('row').filter({ hasText: 'chaqirilgan' })).toBeVisible();
    await expect.poll(async () => (await tools.call('library_list')).value['total']).toBe(4);
    const asked = await studio.app.evaluate(() => (globalThis as unknown as { questions?: string[] }).questions);
    expect(asked).toHaveLength(2);
    expect(asked?.[0]).toContain('a test');
    await tools.close();
  });

  await test.step('a week of files dropped as a folder is paused, reordered, left in the middle, and completes', async () => {
    const total = 4 + weekCount;
    await dragFiles(page, [writeWeek(folder)]);
    await expect.poll(() => rowCount(page), { timeout: 30_000 }).toBe(total);
    await expect(page.getByRole('alert').filter({ hasText: '6 files skipped' })).toBeVisible();
    await page.getByRole('button', { name: 'Hide this notice' }).click();
    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('Queue paused').first().waitFor();
    const heldAt = await doneCount(page);
    const last = queue(page).getByRole('row').last();
    await page
      .getByRole('group', { name: 'Show' })
      .getByRole('button', { name: /^In progress/ })
      .click();
    await queue(page).getByRole('row').first().focus();
    await page.keyboard.press('End');
    await last.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: 'Move to front' }).click();
    await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: /^All/ }).click();
    await page.getByRole('button', { name: 'Resume all' }).click();
    await expect.poll(() => doneCount(page), { timeout: 60_000 }).toBeGreaterThan(heldAt + 2);
    // Its questions are answered by the first button again.
    await studio.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    });
    await studio.quit();

    studio = await journey.start({ env });
    expect(await rowCount(studio.page)).toBe(total);
    await setOnline(studio, false);
    await studio.page.getByText('You are offline').first().waitFor();
    await setOnline(studio, true);
    await expect.poll(() => doneCount(studio.page), { timeout: 90_000 }).toBe(total);
  });
});
