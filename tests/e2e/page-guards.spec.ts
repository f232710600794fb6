import { expect, test, type Page } from '@playwright/test';
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

const link = (address: string, target: string) => {
  const anchor = Object.assign(document.createElement('a'), { href: address, target });
  document.body.append(anchor);
  anchor.click();
};
const elsewhere = 'https://example.com/';
const waysToLeave: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'setting the location': (page) => page.evaluate((to) => void (location.href = to), elsewhere),
  'replacing the location': (page) => page.evaluate((to) => location.replace(to), 'http://127.0.0.1:1/'),
  'a link': (page) => page.evaluate(`(${link.toString()})('${elsewhere}', '')`),
  'a link to a new window': (page) => page.evaluate(`(${link.toString()})('${elsewhere}', '_blank')`),
  'window.open': (page) => page.evaluate((to) => void window.open(to), elsewhere),
  'window.open of our own page': (page) => page.evaluate(() => void window.open('/index.html')),
  'a form': (page) =>
    page.evaluate((to) => {
      const form = Object.assign(document.createElement('form'), { action: to });
      document.body.append(form);
      form.submit();
    }, elsewhere),
  'a refresh': (page) =>
    page.evaluate((to) => {
      document.head.append(
        Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: `0;url=${to}` }),
      );
    }, elsewhere),
  'a javascript: address': (page) => page.evaluate(() => void (location.href = 'javascript:window.hacked=true')),
  'a data: address': (page) => page.evaluate(() => void (location.href = 'data:text/html,x')),
  'a file: address': (page) => page.evaluate(() => void (location.href = 'file:///etc/passwd')),
  'the key window’s page': (page) => page.evaluate(() => void (location.href = '/key.html')),
  'a frame': (page) =>
    page.evaluate((to) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: to }));
    }, elsewhere),
};

test('nothing leads away from the page, and no other window opens (S-17)', async () => {
  const { app, page } = studio;
  const home = page.url();
  for (const [name, leave] of Object.entries(waysToLeave)) {
    await leave(page).catch(() => undefined);
    // A move that is allowed would have begun by then: two answers of main later the page is still the same.
    await ask(page, 'jobs.list', {});
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    await ask(page, 'jobs.list', {});
    expect(page.url(), name).toBe(home);
    expect(app.windows(), name).toHaveLength(1);
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(page.frames().filter((frame) => frame.url().startsWith('https:'))).toEqual([]);
});

test('the page has nothing of Node or Electron but its frozen bridge (S-01, S-13)', async () => {
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
    names: ['fileTokenFor', 'on', 'request'],
    isFrozen: true,
    types: ['function', 'function', 'function'],
  });
});

test('permissions are refused, but for writing text to the clipboard (S-19)', async () => {
  const answers = await studio.page.evaluate(async () => {
    const nameOf = (error: unknown) => (error as Error).name;
    const media = (wish: MediaStreamConstraints) =>
      navigator.mediaDevices.getUserMedia(wish).then(() => 'granted', nameOf);
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

test('the policy holds in the page: no foreign fetch, picture or inline script, no WebAssembly (5.2)', async () => {
  const results = await studio.page.evaluate(async () => {
    const load = (source: string) =>
      new Promise((tell) => {
        const picture = new Image();
        picture.addEventListener('load', () => tell('loaded'));
        picture.addEventListener('error', () => tell('blocked'));
        picture.src = source;
      });
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.body.append(script);
    return {
      fetch: await fetch('https://example.com/').then(
        () => 'done',
        () => 'blocked',
      ),
      picture: await load('https://example.com/x.png'),
      wasm: await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
        () => 'done',
        () => 'blocked',
      ),
      inline: 'inlineRan' in window,
    };
  });
  expect(results).toEqual({ fetch: 'blocked', picture: 'blocked', wasm: 'blocked', inline: false });
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

test('calls that should not be made all get the same answer (S-16)', async () => {
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
  await expect(page.getByRole('dialog')).toBeVisible();
});
