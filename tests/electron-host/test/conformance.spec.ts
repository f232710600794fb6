import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { launchFixture, type Fixture } from './launch-fixture.ts';

let run: Fixture;
test.beforeAll(async () => {
  run = await launchFixture(['--flag']);
});
test.afterAll(() => run.close());

test('the process identifies itself as Electron', async () => {
  const facts = await run.app.evaluate(({ app }) => ({
    argv: process.argv.slice(1),
    type: process.type,
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    resources: typeof process.resourcesPath,
    packaged: app.isPackaged,
    name: app.getName(),
    version: app.getVersion(),
    path: app.getAppPath(),
    userData: app.getPath('userData'),
    ready: app.isReady(),
    locale: app.getLocale(),
    languages: app.getPreferredSystemLanguages().length,
  }));
  expect(facts.argv).toEqual(['.', '--flag']);
  expect(facts).toMatchObject({
    type: 'browser',
    packaged: false,
    name: 'Fixture',
    version: '3.2.1',
    ready: true,
    resources: 'string',
  });
  expect(facts.electron).toMatch(/^45\./);
  expect(facts.chrome).toMatch(/^1\d\d\./);
  expect(basename(facts.path)).toBe('fixture-app');
  expect(facts.userData).toBe(join(run.folder, 'data'));
  expect(facts.locale).toMatch(/^[a-z]{2}/);
  expect(facts.languages).toBeGreaterThan(0);
});

test('import and require give the same electron', async () => {
  const same = await run.app.evaluate((electron) => ({
    // The fixture took its names by import, Playwright takes the module by require.
    app: electron.app.getAppPath(),
    missing: Object.keys(electron).filter((name) => !globalThis.fixture.named.includes(name)),
  }));
  expect(same.missing).toEqual([]);
});

test('the preload runs before the page, in a world of its own', async () => {
  const seen = await run.page.evaluate(() => ({
    early: window.bridgeWasThere,
    node: [
      typeof Reflect.get(window, 'require'),
      typeof Reflect.get(window, 'process'),
      typeof Reflect.get(window, 'ipcRenderer'),
    ],
    frozen: Object.isFrozen(window.fixture) && Object.isFrozen(window.fixture.nested.list[1]),
    globals: window.fixture.preloadGlobals,
    secure: isSecureContext && typeof AudioWorkletNode === 'function',
  }));
  expect(seen).toEqual({
    early: 'object',
    node: ['undefined', 'undefined', 'undefined'],
    frozen: true,
    globals: { process: 'renderer', sandboxed: true, argv: true },
    secure: true,
  });
});

test('the bridge is synchronous and carries functions, promises and errors', async () => {
  const seen = await run.page.evaluate(async () => {
    const caught = (fn: () => unknown): string => {
      try {
        return String(fn());
      } catch (error) {
        return (error as Error).message;
      }
    };
    return {
      add: window.fixture.add(2, 3),
      call: window.fixture.call((x) => x * 2),
      later: await window.fixture.later({ a: [1] }),
      thrown: caught(() => window.fixture.throws()),
      overwritten: caught(() => ((window as { fixture: unknown }).fixture = 1)),
      still: typeof window.fixture.add,
    };
  });
  expect(seen).toMatchObject({ add: 5, call: 41, later: { a: [1] }, thrown: 'from the preload', still: 'function' });
});

test('invoke clones as structured clone does', async () => {
  const seen = await run.page.evaluate(async () => {
    const value = {
      list: [1, undefined, null, Number.NaN, -0, 10n, Infinity],
      date: new Date(5),
      map: new Map([['k', new Set([1])]]),
      bytes: new Uint8Array([1, 2, 255]),
      floats: new Float32Array([0.5]),
      buffer: new ArrayBuffer(3),
      text: 'Ўзбек gʻ 😀',
      expression: /x/gi,
      $: 'tag',
    };
    const back = (await window.fixture.echo(value)) as typeof value;
    return [
      1 in back.list && back.list[1] === undefined,
      Number.isNaN(back.list[3]),
      Object.is(back.list[4], -0),
      back.list[5] === 10n,
      back.list[6] === Infinity,
      back.date instanceof Date && back.date.getTime() === 5,
      back.map instanceof Map && back.map.get('k')?.has(1),
      back.bytes instanceof Uint8Array && back.bytes[2] === 255,
      back.floats[0] === 0.5,
      back.buffer instanceof ArrayBuffer && back.buffer.byteLength === 3,
      back.text === value.text,
      back.expression.flags === 'gi',
      back.$ === 'tag',
    ];
  });
  expect(seen).toEqual(seen.map(() => true));
});

test('what cannot be cloned is refused', async () => {
  const message = await run.page.evaluate(() =>
    (async () => window.fixture.echo(document.body))().then(
      () => 'taken',
      (error: Error) => error.message,
    ),
  );
  expect(message).toMatch(/could not be cloned|object|clone/i);
  expect(message).not.toBe('taken');
});

test('a handler that throws and a channel without handler reject with Electron’s words', async () => {
  const texts = await run.page.evaluate(async () => {
    const text = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.message);
    return [await text(window.fixture.fails()), await text(window.fixture.unknown())];
  });
  expect(texts).toEqual([
    "Error invoking remote method 'fails': TypeError: it broke",
    "Error invoking remote method 'no-such-channel': Error: No handler registered for 'no-such-channel'",
  ]);
});

test('the sender is identified by its frame and its window', async () => {
  const sender = await run.page.evaluate(() => window.fixture.sender());
  const ids = await run.app.evaluate(() => [globalThis.fixture.window.webContents.id, globalThis.fixture.window.id]);
  expect(sender).toEqual({
    url: 'app://fixture/index.html',
    origin: 'app://fixture',
    isTop: true,
    contents: ids[0],
    window: ids[1],
  });
});

test('the sender’s address follows pushState', async () => {
  const url = await run.page.evaluate(async () => {
    history.pushState(null, '', '/index.html#/room');
    const sender = await window.fixture.echo(0).then(() => window.fixture.sender());
    history.pushState(null, '', '/index.html');
    return sender.url;
  });
  expect(url).toBe('app://fixture/index.html#/room');
});

test('messages arrive in order, both ways', async () => {
  await run.page.evaluate(() => {
    window.fromMain.length = 0;
    for (let i = 0; i < 50; i++) window.fixture.send(i);
  });
  await run.page.waitForFunction(() => window.fromMain.length === 50);
  const got = await run.page.evaluate(() => window.fromMain);
  expect(got).toEqual(Array.from({ length: 50 }, (_, i) => ['reply', i]));
  await run.app.evaluate(() => globalThis.fixture.window.webContents.send('to-page', 'hello', new Uint8Array([7])));
  await run.page.waitForFunction(() => window.fromMain.length === 51);
  expect(await run.page.evaluate(() => (window.fromMain[50] as [string, Uint8Array])[1][0])).toBe(7);
});

test('sendSync answers at once', async () => {
  expect(await run.page.evaluate(() => window.fixture.sync('yes'))).toEqual({ got: 'yes' });
});

test('a port from main reaches the page and closes', async () => {
  await run.app.evaluate(({ MessageChannelMain }) => {
    const { port1, port2 } = new MessageChannelMain();
    port1.on('message', ({ data }) => {
      port1.postMessage({ echoed: data });
      if (data === 'last') port1.close();
    });
    port1.start();
    port1.postMessage('before');
    globalThis.fixture.window.webContents.postMessage('port-to-page', null, [port2]);
  });
  await run.page.waitForFunction(() => window.portMessages.length === 1);
  await run.page.evaluate(() => window.port.postMessage('last'));
  await run.page.waitForFunction(() => window.portMessages.length === 2);
  expect(await run.page.evaluate(() => window.portMessages)).toEqual(['before', { echoed: 'last' }]);
});

test('a port from the page reaches main', async () => {
  await run.page.evaluate(() => {
    window.fromMain.length = 0;
    window.fixture.portToMain();
  });
  await run.page.waitForFunction(() => window.fromMain.length === 1);
  expect(await run.page.evaluate(() => window.fromMain[0])).toEqual(['port', { note: 1, data: 'first' }]);
  await run.page.reload();
  await expect
    .poll(() => run.app.evaluate(() => globalThis.fixture.log.some(([name]) => name === 'port-closed')))
    .toBe(true);
  await run.page.waitForFunction(() => window.fixture.add(1, 1) === 2);
});

test('dropped files and folders have their paths', async () => {
  const folder = join(run.folder, 'dropped folder');
  mkdirSync(folder);
  const file = join(run.folder, 'oʻzbek ёё.wav');
  writeFileSync(file, 'x');
  const session = await run.page.context().newCDPSession(run.page);
  const box = (await run.page.locator('#drop').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [file, folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  await run.page.waitForFunction(() => window.dropped !== null);
  expect(await run.page.evaluate(() => window.dropped)).toEqual([
    { name: basename(file), path: file },
    { name: basename(folder), path: folder },
  ]);
});

test('picked files have their paths, created ones have none, others are refused', async () => {
  await run.page.setInputFiles('#files', [run.media]);
  const seen = await run.page.evaluate(() => {
    const [picked] = (document.querySelector('#files') as HTMLInputElement).files ?? [];
    const refused = () => {
      try {
        return window.fixture.pathOf('text');
      } catch {
        return 'refused';
      }
    };
    return [window.fixture.pathOf(picked), window.fixture.pathOf(new File(['x'], 'x.txt')), refused()];
  });
  expect(seen).toEqual([run.media, '', 'refused']);
});

test('executeJavaScript and capturePage work, and a spec can patch dialogs', async () => {
  const seen = await run.app.evaluate(async ({ dialog }) => {
    const { webContents } = globalThis.fixture.window;
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['/a.wav'] });
    const picture = await webContents.capturePage();
    return {
      value: (await webContents.executeJavaScript('Promise.resolve(document.title)')) as string,
      failed: await webContents.executeJavaScript('throw new Error("no")').then(String, () => 'rejected'),
      png: picture.toPNG().subarray(1, 4).toString(),
      empty: picture.isEmpty(),
      picked: await dialog.showOpenDialog({}),
      url: webContents.getURL(),
    };
  });
  expect(seen).toEqual({
    value: 'Fixture',
    failed: 'rejected',
    png: 'PNG',
    empty: false,
    picked: { canceled: false, filePaths: ['/a.wav'] },
    url: 'app://fixture/index.html',
  });
});

test('pasting reaches whatever has the focus in the page, as Ctrl+V does', async () => {
  const { page } = run;
  const inField = () => page.evaluate(() => document.querySelector<HTMLInputElement>('#typed')?.value);
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), { id: 'typed', value: 'oʻqish' });
    document.body.append(field);
    document.addEventListener('paste', (event) => {
      document.body.dataset['pasted'] = event.clipboardData?.getData('text/plain');
    });
    field.select();
  });
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('End');
  await run.app.evaluate(() => globalThis.fixture.window.webContents.paste());
  await expect.poll(inField).toBe('oʻqishoʻqish');
  await page.evaluate(() => {
    delete document.body.dataset['pasted'];
    document.querySelector('#typed')?.remove();
  });
  await run.app.evaluate(() => globalThis.fixture.window.webContents.paste());
  await expect.poll(() => page.evaluate(() => document.body.dataset['pasted'])).toBe('oʻqish');
});
