import { expect, test } from '@playwright/test';
import type { StudioBridge } from '../../shared/ipc/derive.ts';
import { ask } from './support/ask.ts';
import { removeDataDir, startStudio, type Studio } from './support/studio.ts';

let studio: Studio;
test.beforeAll(async () => {
  studio = await startStudio();
});
test.afterAll(async () => {
  await studio.quit();
  removeDataDir(studio.dataDir);
});

test('the page has nothing of Node or Electron except its frozen bridge (S-01, S-13)', async () => {
  const seen = await studio.page.evaluate(() => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const foreign = ['require', 'process', 'Buffer', 'module', 'global', 'ipcRenderer', 'keyEntry'].filter(
      (name) => name in window,
    );
    return {
      foreign,
      names: Object.keys(bridge).toSorted(),
      isFrozen: Object.isFrozen(bridge),
      types: Object.values(bridge).map((value) => typeof value),
    };
  });
  expect(seen).toEqual({
    foreign: [],
    names: ['fileTokenFor', 'on', 'openStream', 'request'],
    isFrozen: true,
    types: ['function', 'function', 'function', 'function'],
  });
});

test('permissions are refused, except writing text to the clipboard (S-19)', async () => {
  const answers = await studio.page.evaluate(async () => {
    const nameOf = (error: unknown) => (error as Error).name;
    const media = (request: MediaStreamConstraints) =>
      navigator.mediaDevices.getUserMedia(request).then(() => 'granted', nameOf);
    return {
      microphone: await media({ audio: true }),
      camera: await media({ video: true }),
      place: await new Promise((tell) =>
        navigator.geolocation.getCurrentPosition(
          () => tell('granted'),
          () => tell('denied'),
        ),
      ),
      reading: await navigator.clipboard.readText().then(() => 'granted', nameOf),
    };
  });
  expect(answers).toEqual({
    microphone: 'NotAllowedError',
    camera: 'NotAllowedError',
    place: 'denied',
    reading: 'NotAllowedError',
  });
});

test('a page has something pasted only after a press or a key of the user, once for each (S-68)', async () => {
  const { page } = studio;
  const paste = () =>
    page.evaluate(async () => {
      const { studio: bridge } = window as unknown as { studio: StudioBridge };
      const answer = await bridge.request('window.paste', {});
      return answer.ok ? 'pasted' : answer.error.row;
    });
  expect(await paste()).toBe('E-238');
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), { id: 'pasted-into', value: 'oʻqish' });
    document.body.append(field);
    field.select();
  });
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('End');
  expect(await paste()).toBe('pasted');
  const field = page.locator('#pasted-into');
  await expect(field).toHaveValue('oʻqishoʻqish');
  expect(await paste()).toBe('E-238');
  await expect(field).toHaveValue('oʻqishoʻqish');
  await field.evaluate((element) => {
    element.remove();
  });
});

test('a file token comes from a file on disk only, never from a path or a file made in memory (S-14)', async () => {
  const answers = await studio.page.evaluate(async () => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const tried = [new File(['x'], 'memory.wav'), '/etc/passwd', null, { path: '/etc/passwd' }];
    const results = await Promise.all(tried.map((each) => bridge.fileTokenFor(each)));
    return results.map((each) => (each.ok ? 'token' : each.error.row));
  });
  expect(answers).toEqual(['E-010', 'E-010', 'E-010', 'E-010']);
});

test('forbidden calls all get the same answer (S-16)', async () => {
  const answers = await studio.page.evaluate(async () => {
    const { studio: bridge } = window as unknown as { studio: StudioBridge };
    const calls: [string, unknown][] = [
      ['constructor', {}],
      ['fs.readFile', { path: '/etc/passwd' }],
      ['jobs.list', { more: 1 }],
      ['jobs.retry', { jobId: 7 }],
      ['jobs.retry', { jobId: 'x'.repeat(400_000) }],
    ];
    return Promise.all(calls.map(async ([method, input]) => JSON.stringify(await bridge.request(method, input))));
  });
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('refused_call');
});

test('a menu item reaches the page as a command', async () => {
  const { app, page } = studio;
  expect(await ask(page, 'connection.choose', { mode: 'practice' })).toMatchObject({ ok: true });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await app.evaluate(({ BrowserWindow }) => {
    const message = { event: 'command.invoked', payload: { command: 'settings.open' } };
    BrowserWindow.getAllWindows()[0]?.webContents.send('studio:event', message);
  });
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
});
