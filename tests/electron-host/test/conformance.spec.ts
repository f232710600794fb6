import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, expect, test, type ElectronApplication, type Page } from '@playwright/test';

/** What the app's security and windows rest on. Nothing of the host is used, so it runs on Electron's binary as well. */
const fixtureFolder = fileURLToPath(new URL('./fixture-app', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'host-fixture-'));
const env = { ...process.env, FIXTURE_USER_DATA: join(folder, 'data'), FIXTURE_SECRET: 'secret' } as Record<
  string,
  string
>;
let app: ElectronApplication;
let page: Page;
let printed = '';
test.beforeAll(async () => {
  app = await _electron.launch({ args: ['.', '--flag'], cwd: fixtureFolder, env, colorScheme: null });
  app.process().stdout?.on('data', (part: Buffer) => (printed += part.toString()));
  page = await app.firstWindow();
  await page.waitForFunction(() => document.readyState === 'complete' && document.title === 'Fixture');
});
test.afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const log = () => app.evaluate(() => globalThis.fixture.log.splice(0));
const waitForLog = (name: string) =>
  expect
    .poll(() => app.evaluate((_electron, wanted) => globalThis.fixture.log.some(([one]) => one === wanted), name))
    .toBe(true);
const stays = async () => {
  await expect
    .poll(() => app.evaluate(() => globalThis.fixture.window.webContents.getURL()))
    .toBe('app://fixture/index.html');
  expect(await page.evaluate(() => window.fixture.add(1, 1))).toBe(2);
};

test('the process identifies itself as Electron, with its own arguments and folders', async () => {
  const facts = await app.evaluate(({ app: electron }) => ({
    argv: process.argv.slice(1),
    type: process.type,
    electron: process.versions.electron,
    packaged: electron.isPackaged,
    version: electron.getVersion(),
    userData: electron.getPath('userData'),
  }));
  expect(facts).toEqual({
    argv: ['.', '--flag'],
    type: 'browser',
    electron: expect.stringMatching(/^45\./),
    packaged: false,
    version: '3.2.1',
    userData: join(folder, 'data'),
  });
});

test('the preload runs before the page, in a world of its own, and its bridge is frozen', async () => {
  const seen = await page.evaluate(() => ({
    early: window.bridgeWasThere,
    node: ['require', 'process', 'ipcRenderer'].filter((name) => name in window),
    frozen: Object.isFrozen(window.fixture) && Object.isFrozen(window.fixture.nested.list[1]),
    secure: isSecureContext && typeof AudioWorkletNode === 'function',
  }));
  expect(seen).toEqual({ early: 'object', node: [], frozen: true, secure: true });
  // Electron's declarations lack this method, but it exists.
  const preferences = await app.evaluate(() =>
    (globalThis.fixture.window.webContents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences(),
  );
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test('invoke clones what can be cloned, refuses the rest, and rejects with Electron’s words', async () => {
  const seen = await page.evaluate(async () => {
    const text = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);
    const value = { bytes: new Uint8Array([1, 255]), map: new Map([['k', 10n]]), text: 'Ўзбек gʻ 😀' };
    const back = (await window.fixture.echo(value)) as typeof value;
    return {
      back: [back.bytes instanceof Uint8Array && back.bytes[1], back.map.get('k') === 10n, back.text === value.text],
      refused: await text((async () => window.fixture.echo(document.body))()),
      fails: await text(window.fixture.fails()),
      unknown: await text(window.fixture.unknown()),
    };
  });
  expect(seen).toEqual({
    back: [255, true, true],
    refused: expect.stringMatching(/could not be cloned|object|clone/i),
    fails: "Error invoking remote method 'fails': TypeError: it broke",
    unknown: "Error invoking remote method 'no-such-channel': Error: No handler registered for 'no-such-channel'",
  });
});

test('the sender is identified by its frame and its window, and its address follows pushState', async () => {
  const ids = await app.evaluate(() => [globalThis.fixture.window.webContents.id, globalThis.fixture.window.id]);
  const [sender, url] = await page.evaluate(async () => {
    const first = await window.fixture.sender();
    history.pushState(null, '', '/index.html#/room');
    const second = await window.fixture.echo(0).then(() => window.fixture.sender());
    history.pushState(null, '', '/index.html');
    return [first, second.url] as const;
  });
  expect(sender).toEqual({
    url: 'app://fixture/index.html',
    origin: 'app://fixture',
    isTop: true,
    contents: ids[0],
    window: ids[1],
  });
  expect(url).toBe('app://fixture/index.html#/room');
});

test('a port from the page reaches main, answers, and is closed by a reload', async () => {
  const told = await page.evaluate(
    () => new Promise<unknown>((resolve) => window.fixture.portToMain((data) => resolve(data))),
  );
  expect(told).toEqual({ note: 1, data: 'first' });
  await log();
  await page.reload();
  await waitForLog('port-closed');
  await page.waitForFunction(() => window.fixture.add(1, 1) === 2);
  expect((await log()).filter(([name]) => name === 'port-closed')).toHaveLength(1);
});

test('dropped files have their paths, created ones have none, and others are refused', async () => {
  const inside = join(folder, 'dropped folder');
  mkdirSync(inside);
  const file = join(folder, 'oʻzbek ёё.wav');
  writeFileSync(file, 'x');
  const session = await page.context().newCDPSession(page);
  const box = (await page.locator('#drop').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [file, inside], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  await page.waitForFunction(() => window.dropped !== null);
  expect(await page.evaluate(() => window.dropped)).toEqual([file, inside].map((path) => [basename(path), path]));
  const others = await page.evaluate(() => {
    const refused = () => {
      try {
        return window.fixture.pathOf('text');
      } catch {
        return 'refused';
      }
    };
    return [window.fixture.pathOf(new File(['x'], 'x.txt')), refused()];
  });
  expect(others).toEqual(['', 'refused']);
});

test('the scheme’s handler gets the app’s own address, method and body; its failures fail', async () => {
  const seen = await page.evaluate(async () => ({
    body: await fetch('/body?x=1', { method: 'POST', body: 'x'.repeat(100_000) }).then((answer) => answer.text()),
    missing: await fetch('/no-such-file').then((answer) => answer.status),
    failed: await fetch('/fails').then(
      () => 'answered',
      (error: Error) => error.name,
    ),
    posted: await fetch('/body', { method: 'POST', body: '' }).then((answer) => answer.status),
  }));
  expect(seen).toEqual({ body: 'POST 100000', missing: 404, failed: 'TypeError', posted: 200 });
  expect(await app.evaluate(() => globalThis.fixture.lastRequest)).toEqual({
    url: 'app://fixture/body',
    method: 'POST',
    origin: 'app://fixture',
  });
});

test('the policy of the header applies: inline, eval and other origins', async () => {
  const seen = await page.evaluate(async () => {
    // Later and not here: code evaluated by a DevTools client may use eval whatever the policy says.
    const evaluated = await new Promise((resolve) =>
      setTimeout(() => {
        try {
          // oxlint-disable-next-line no-eval -- the very thing that must not work
          resolve(String((0, eval)('1 + 1')));
        } catch {
          resolve('blocked');
        }
      }),
    );
    const foreign = await fetch('https://example.invalid/').then(
      () => 'reached',
      () => 'blocked',
    );
    return { inline: window.inlineRan, evaluated, foreign };
  });
  expect(seen).toEqual({ inline: undefined, evaluated: 'blocked', foreign: 'blocked' });
});

test('a page cannot leave when will-navigate prevents it, no window opens, and what is allowed proceeds', async () => {
  const ways: readonly (() => void)[] = [
    () => document.querySelector<HTMLElement>('#link')?.click(),
    () => (location.href = 'https://example.invalid/location'),
    () => document.querySelector<HTMLFormElement>('#form')?.requestSubmit(),
    () => (location.href = 'about:blank'),
    () => (location.href = URL.createObjectURL(new Blob(['<p>blob</p>'], { type: 'text/html' }))),
  ];
  for (const leave of ways) {
    await log();
    await page.evaluate(leave);
    await waitForLog('will-frame-navigate');
    await stays();
  }
  await log();
  expect(await page.evaluate(() => window.open('https://example.invalid/opened'))).toBeNull();
  await page.click('#blank');
  await expect
    .poll(() => app.evaluate(() => globalThis.fixture.log.filter(([name]) => name === 'open').map(([, url]) => url)))
    .toEqual(['https://example.invalid/opened', 'https://example.invalid/blank']);
  expect(app.windows()).toHaveLength(1);

  await app.evaluate(() => {
    globalThis.fixture.denyNavigation = false;
    globalThis.fixture.window.webContents.once('will-redirect', (event) => event.preventDefault());
  });
  await page.evaluate(() => void (location.href = '/moved'));
  await waitForLog('will-redirect');
  await stays();
  await page.evaluate(() => void (location.href = '/other.html'));
  await page.waitForFunction(() => document.title === 'Other' && window.fixture.add(2, 2) === 4);
  await app.evaluate(() => void (globalThis.fixture.denyNavigation = true));
  await log();
  // Main may load any page.
  await app.evaluate(() => globalThis.fixture.window.loadURL('app://fixture/index.html'));
  await page.waitForFunction(() => document.title === 'Fixture');
  expect((await log()).filter(([name]) => name.startsWith('will-'))).toEqual([]);
});

test('permissions are those that the handlers give, each asked by its name', async () => {
  const outcomes = () =>
    page.evaluate(async () => {
      const told = (promise: Promise<unknown>) =>
        promise.then(
          () => 'granted',
          (error: Error) => error.name,
        );
      return [
        await told(navigator.mediaDevices.getUserMedia({ audio: true })),
        await told(navigator.clipboard.writeText('text')),
        await told(navigator.clipboard.readText()),
        (await navigator.permissions.query({ name: 'geolocation' })).state,
      ];
    });
  await page.bringToFront();
  await log();
  expect(await outcomes()).toEqual(['NotAllowedError', 'NotAllowedError', 'NotAllowedError', 'denied']);
  const asked = (await log()).filter(([name]) => name === 'request').map(([, permission]) => permission);
  expect(asked).toEqual(['media', 'clipboard-sanitized-write', 'clipboard-read']);
  await app.evaluate(() => void globalThis.fixture.allow.add('clipboard-sanitized-write'));
  expect(await outcomes()).toEqual(['NotAllowedError', 'granted', 'NotAllowedError', 'denied']);
});

test('closing can be prevented, destroying cannot; a crashed page is reported and can be loaded again', async () => {
  const seen = await app.evaluate(async () => {
    const { fixture } = globalThis;
    const window = fixture.createWindow();
    await window.loadURL('app://fixture/other.html');
    const gone = new Promise<string>((resolve) =>
      window.webContents.once('render-process-gone', (_event, details) => resolve(details.reason)),
    );
    window.webContents.forcefullyCrashRenderer();
    const why = await gone;
    await window.loadURL('app://fixture/other.html');
    const alive = (await window.webContents.executeJavaScript('window.fixture.add(1, 1)')) as number;
    fixture.keepOpen = true;
    window.close();
    const there = !window.isDestroyed();
    fixture.keepOpen = false;
    window.destroy();
    return { why, alive, there, gone: window.isDestroyed() };
  });
  expect(seen).toEqual({
    why: expect.stringMatching(/^(crashed|killed|abnormal-exit)$/),
    alive: 2,
    there: true,
    gone: true,
  });
});

test('a utility process communicates, has only the given environment, and exits', async () => {
  const seen = await app.evaluate(async ({ utilityProcess }) => {
    const child = utilityProcess.fork(globalThis.fixture.utility, ['one'], {
      env: { FIXTURE_MARKER: 'm', PATH: process.env['PATH'] ?? '' },
      stdio: 'ignore',
    });
    await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
    const answered = new Promise<unknown>((resolve) => child.once('message', resolve));
    child.postMessage('hello');
    const answer = await answered;
    const ended = new Promise<number>((resolve) => child.once('exit', resolve));
    child.postMessage('exit');
    return { answer, code: await ended };
  });
  expect(seen).toEqual({
    answer: { echo: 'hello', type: 'utility', argv: ['one'], marker: 'm', secret: null },
    code: 7,
  });
});

test('a second start notifies the first one and exits; quitting emits its events in order', async () => {
  const electron = createRequire(import.meta.url)('electron') as unknown as string;
  const options = process.platform === 'linux' ? ['--no-sandbox'] : [];
  const second = spawnSync(electron, [...options, '.', '--second'], { cwd: fixtureFolder, env, timeout: 15_000 });
  expect(second.status).toBe(0);
  await expect.poll(() => app.evaluate(() => globalThis.fixture.second.length)).toBe(1);
  const [told] = await app.evaluate(() => globalThis.fixture.second);
  expect(told).toMatchObject({ argv: expect.arrayContaining(['--second']), data: { from: 'fixture' } });
  const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
  await app.close();
  expect(await ended).toBe(0);
  const events = printed.split('\n').filter((line) => line.startsWith('event '));
  expect(events).toEqual(['event before-quit', 'event will-quit', 'event quit']);
});
