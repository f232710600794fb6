import { expect, test } from '@playwright/test';
import { launchFixture, type Fixture } from './launch-fixture.ts';

let run: Fixture;
test.beforeAll(async () => {
  run = await launchFixture();
});
test.afterAll(() => run.close());

const names = () => run.app.evaluate(() => globalThis.fixture.log.map(([name]) => name));
const clearLog = () => run.app.evaluate(() => void globalThis.fixture.log.splice(0));

test('a hidden window is shown when it is ready', async () => {
  const log = await run.app.evaluate(() => globalThis.fixture.log);
  expect(log.map(([name]) => name).slice(0, 3)).toEqual(['ready-to-show', 'show', 'loaded']);
  expect(log[0]).toEqual(['ready-to-show', false]);
  const seen = await run.app.evaluate(({ BrowserWindow }) => {
    const { window } = globalThis.fixture;
    return {
      visible: window.isVisible(),
      all: BrowserWindow.getAllWindows().length,
      same: BrowserWindow.fromWebContents(window.webContents) === window,
      byId: BrowserWindow.fromId(window.id) === window,
      size: window.getSize(),
    };
  });
  expect(seen).toEqual({ visible: true, all: 1, same: true, byId: true, size: [900, 640] });
  await expect.poll(() => run.app.evaluate(() => globalThis.fixture.window.getTitle())).toBe('Fixture');
});

test('the preferences are the requested ones', async () => {
  // Electron's declarations lack this method, but it exists.
  const preferences = await run.app.evaluate(() =>
    (globalThis.fixture.window.webContents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences(),
  );
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test('size obeys the minimum and the page sees it', async () => {
  await clearLog();
  const sizes = await run.app.evaluate(() => {
    const { window } = globalThis.fixture;
    window.setMinimumSize(500, 400);
    window.setSize(100, 100);
    const small = window.getSize();
    window.setBounds({ x: 20, y: 30, width: 700, height: 500 });
    return { small, minimum: window.getMinimumSize(), bounds: window.getBounds(), normal: window.getNormalBounds() };
  });
  expect(sizes.small).toEqual([500, 400]);
  expect(sizes.minimum).toEqual([500, 400]);
  expect(sizes.bounds).toMatchObject({ width: 700, height: 500 });
  expect(sizes.normal).toMatchObject({ width: 700, height: 500 });
  await expect.poll(names).toContain('resize');
  await run.page.waitForFunction(() => innerWidth > 600 && innerWidth <= 700);
});

test('maximize, unmaximize, minimize and restore are reported', async () => {
  await clearLog();
  const states = await run.app.evaluate(async () => {
    const { window } = globalThis.fixture;
    const after = async (event: 'maximize' | 'unmaximize' | 'minimize' | 'restore', act: () => void) => {
      const told = new Promise<void>((resolve) => window.once(event as 'maximize', () => resolve()));
      act();
      await told;
      return [window.isMaximized(), window.isMinimized()];
    };
    return [
      await after('maximize', () => window.maximize()),
      window.getNormalBounds().width,
      await after('unmaximize', () => window.unmaximize()),
      await after('minimize', () => window.minimize()),
      await after('restore', () => window.restore()),
    ];
  });
  expect(states).toEqual([[true, false], 700, [false, false], [false, true], [false, false]]);
});

test('close can be prevented, destroy cannot', async () => {
  await clearLog();
  const kept = await run.app.evaluate(() => {
    const { fixture } = globalThis;
    const window = fixture.createWindow();
    fixture.keepOpen = true;
    window.close();
    const there = !window.isDestroyed();
    fixture.keepOpen = false;
    const before = fixture.log.filter(([name]) => name === 'close').length;
    window.destroy();
    return { there, before, gone: window.isDestroyed() };
  });
  expect(kept).toEqual({ there: true, before: 1, gone: true });
  await expect.poll(names).toContain('closed');
});

test('a reload does not ask whether the window may close', async () => {
  await clearLog();
  await run.app.evaluate(async () => {
    const { fixture } = globalThis;
    fixture.keepOpen = true;
    const { webContents } = fixture.window;
    const loaded = new Promise<void>((resolve) => webContents.once('did-finish-load', resolve));
    webContents.reload();
    await loaded;
    fixture.keepOpen = false;
  });
  expect(await names()).not.toContain('close');
  expect(await run.app.evaluate(() => globalThis.fixture.window.isDestroyed())).toBe(false);
});

test('a second window is a page of its own, and focus moves', async () => {
  const [page] = await Promise.all([
    run.app.waitForEvent('window'),
    run.app.evaluate(async ({ BrowserWindow }) => {
      const second = globalThis.fixture.createWindow({ width: 400, height: 300, parent: globalThis.fixture.window });
      await second.loadURL('app://fixture/other.html');
      second.focus();
      return BrowserWindow.getAllWindows().length;
    }),
  ]);
  await page.waitForFunction(() => document.title === 'Other' && window.fixture.add(1, 1) === 2);
  const handle = await run.app.browserWindow(page);
  await expect.poll(() => handle.evaluate((window) => window.getTitle())).toBe('Other');
  await expect.poll(() => handle.evaluate((window) => window.isFocused())).toBe(true);
  expect(await handle.evaluate((window) => window.getParentWindow()?.id)).toBe(
    await run.app.evaluate(() => globalThis.fixture.window.id),
  );
  await handle.evaluate((window) => window.close());
  await expect.poll(() => run.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a partition has its own storage, scheme handlers and permissions', async () => {
  await run.page.evaluate(() => localStorage.setItem('who', 'default'));
  const seen = await run.app.evaluate(async ({ session, BrowserWindow }) => {
    const { fixture } = globalThis;
    const apart = session.fromPartition('apart');
    const before = fixture.createWindow({ webPreferences: { partition: 'apart' } });
    // Without a handler in its own session the scheme is unknown there.
    const refused = await before.loadURL('app://fixture/other.html').then(
      () => 'loaded',
      () => 'refused',
    );
    before.destroy();
    apart.protocol.handle('app', (request) => fixture.serve(request));
    const window = fixture.createWindow({ webPreferences: { partition: 'apart' } });
    await window.loadURL('app://fixture/other.html');
    const who = (await window.webContents.executeJavaScript('localStorage.getItem("who")')) as string | null;
    const bridge = (await window.webContents.executeJavaScript('window.fixture.add(3, 4)')) as number;
    const own = window.webContents.session === apart;
    window.destroy();
    return { refused, who, bridge, own, left: BrowserWindow.getAllWindows().length };
  });
  expect(seen).toEqual({ refused: 'refused', who: null, bridge: 7, own: true, left: 1 });
});

test('a crashed page is reported and can be loaded again', async () => {
  const reason = await run.app.evaluate(async () => {
    const window = globalThis.fixture.createWindow();
    await window.loadURL('app://fixture/other.html');
    const gone = new Promise<string>((resolve) =>
      window.webContents.once('render-process-gone', (_event, details) => resolve(details.reason)),
    );
    window.webContents.forcefullyCrashRenderer();
    const why = await gone;
    await window.loadURL('app://fixture/other.html');
    const alive = (await window.webContents.executeJavaScript('window.fixture.add(1, 1)')) as number;
    window.destroy();
    return [why, alive];
  });
  expect(reason[0]).toMatch(/^(crashed|killed|abnormal-exit)$/);
  expect(reason[1]).toBe(2);
});

test('an accelerator of the application menu runs its item', async () => {
  await run.app.evaluate(({ Menu }) => {
    Menu.setApplicationMenu(
      Menu.buildFromTemplate([
        {
          label: 'File',
          submenu: [
            {
              id: 'find',
              label: 'Find',
              accelerator: 'CmdOrCtrl+Shift+F',
              click: () => void globalThis.fixture.log.push(['find']),
            },
          ],
        },
      ]),
    );
  });
  expect(await run.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('find')?.label)).toBe('Find');
});

test('before-input-event keeps a key from the page', async () => {
  await run.app.evaluate(() => {
    globalThis.fixture.window.webContents.on('before-input-event', (event, input) => {
      globalThis.fixture.log.push(['key', input.type, input.key, input.control]);
      if (input.control && input.key === 'k') event.preventDefault();
    });
  });
  await run.page.evaluate(() =>
    addEventListener('keydown', (event) => event.ctrlKey && event.key !== 'Control' && window.keys.push(event.key)),
  );
  await run.page.keyboard.press('Control+k');
  await run.page.keyboard.press('Control+j');
  await run.page.waitForFunction(() => window.keys.length > 0);
  expect(await run.page.evaluate(() => window.keys)).toEqual(['j']);
  const seen = await run.app.evaluate(() => globalThis.fixture.log.filter(([name]) => name === 'key'));
  expect(seen).toContainEqual(['key', 'keyDown', 'k', true]);
});

test('zoom is stored by level and by factor', async () => {
  const zoom = await run.app.evaluate(() => {
    const { webContents } = globalThis.fixture.window;
    webContents.setZoomLevel(1);
    const seen = [webContents.getZoomLevel(), Math.round(webContents.getZoomFactor() * 100)];
    webContents.setZoomLevel(0);
    return [...seen, webContents.getZoomFactor()];
  });
  expect(zoom).toEqual([1, 120, 1]);
});

test('clipboard, theme, power and storage answer', async () => {
  const seen = await run.app.evaluate(
    async ({ clipboard, nativeTheme, powerSaveBlocker, safeStorage, screen, net }) => {
      await clipboard.writeText('oʻqish');
      const before = nativeTheme.themeSource;
      let updates = 0;
      nativeTheme.once('updated', () => updates++);
      nativeTheme.themeSource = 'dark';
      const id = powerSaveBlocker.start('prevent-app-suspension');
      const started = powerSaveBlocker.isStarted(id);
      powerSaveBlocker.stop(id);
      return {
        text: await clipboard.readText(),
        before,
        dark: nativeTheme.shouldUseDarkColors,
        updates,
        blocker: [started, powerSaveBlocker.isStarted(id)],
        storage: typeof safeStorage.isEncryptionAvailable(),
        width: screen.getPrimaryDisplay().workAreaSize.width > 0,
        online: typeof net.isOnline(),
      };
    },
  );
  expect(seen).toEqual({
    text: 'oʻqish',
    before: 'system',
    dark: true,
    updates: 1,
    blocker: [true, false],
    storage: 'boolean',
    width: true,
    online: 'boolean',
  });
  await run.page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
});

test('a utility process communicates, has only the given environment, and exits', async () => {
  const seen = await run.app.evaluate(async ({ utilityProcess, MessageChannelMain }) => {
    const child = utilityProcess.fork(globalThis.fixture.utility, ['one', 'two'], {
      env: { FIXTURE_MARKER: 'm', PATH: process.env['PATH'] ?? '' },
      stdio: 'pipe',
      serviceName: 'Fixture utility',
    });
    let printed = '';
    child.stdout?.on('data', (part: Buffer) => (printed += part.toString()));
    await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
    const pid = child.pid;
    const answered = new Promise<Record<string, unknown>>((resolve) => child.once('message', resolve));
    child.postMessage('print');
    const answer = await answered;
    const { port1, port2 } = new MessageChannelMain();
    const echoed = new Promise<unknown>((resolve) => port1.once('message', ({ data }) => resolve(data)));
    port1.start();
    child.postMessage('port', [port2]);
    port1.postMessage({ through: 'port' });
    const through = await echoed;
    const ended = new Promise<number>((resolve) => child.once('exit', resolve));
    child.postMessage('exit');
    return { answer, through, code: await ended, samePid: answer['pid'] === pid, after: child.pid ?? null, printed };
  });
  expect(seen.answer).toMatchObject({
    echo: 'print',
    type: 'utility',
    argv: ['one', 'two'],
    marker: 'm',
    secret: null,
  });
  expect(seen).toMatchObject({ through: { echoed: { through: 'port' } }, code: 7, samePid: true, after: null });
  expect(seen.printed).toContain('printed by the utility');
});

test('a utility process can be killed', async () => {
  const killed = await run.app.evaluate(async ({ utilityProcess }) => {
    const child = utilityProcess.fork(globalThis.fixture.utility, [], { stdio: 'ignore' });
    await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const first = child.kill();
    await ended;
    return [first, child.kill()];
  });
  expect(killed).toEqual([true, false]);
});
