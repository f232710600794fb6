import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { fixtureFolder, startFixture, type Fixture } from './start-fixture.ts';

/** What the app's security and windows rest on. Nothing of the host is used, so it runs on Electron's binary as well. */
let fixture: Fixture;
let app: ElectronApplication;
let page: Page;
let folder: string;
let printed = '';
test.beforeAll(async () => {
  fixture = await startFixture();
  ({ app, page, folder } = fixture);
  app.process().stdout?.on('data', (part: Buffer) => (printed += part.toString()));
});
test.afterAll(() => fixture.end());

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
    // Also those that stand after the app's path.
    switches: ['flag', 'no-flag'].map((name) => electron.commandLine.hasSwitch(name)),
  }));
  expect(facts).toEqual({
    argv: ['.', '--flag'],
    type: 'browser',
    electron: expect.stringMatching(/^45\./),
    packaged: false,
    version: '3.2.1',
    userData: join(folder, 'data'),
    switches: [true, false],
  });
});

test('a path that is set must be absolute, and makes no folder', async () => {
  const music = join(folder, 'no such music');
  const refused = await app.evaluate(({ app: electron }, path) => {
    electron.setPath('music', path);
    return globalThis.fixture.thrown(() => electron.setPath('music', 'relative/path'));
  }, music);
  expect(refused).toBe('Path must be absolute');
  expect(existsSync(music)).toBe(false);
  expect(await app.evaluate(({ app: electron }) => electron.getPath('music'))).toBe(music);
});

test('the app is told what happens to its windows', async () => {
  const told = await app.evaluate(async ({ app: electron }) => {
    const told: string[] = [];
    electron.once('browser-window-focus', (_event, { id }) => told.push(`focus ${id === window.id}`));
    electron.once('browser-window-blur', (_event, { id }) => told.push(`blur ${id === window.id}`));
    const window = globalThis.fixture.createWindow();
    window.emit('focus');
    window.emit('blur');
    window.destroy();
    return told;
  });
  expect(told).toEqual(['focus true', 'blur true']);
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

test('the scheme is not asked for an icon', async () => {
  expect(await app.evaluate(() => globalThis.fixture.icons)).toBe(0);
});

test('a page whose handler fails is not loaded, and main is told why', async () => {
  const outcomes = await app.evaluate(async () => {
    const window = globalThis.fixture.createWindow();
    const outcome = (path: string) =>
      window.loadURL(`app://fixture${path}`).then(
        () => 'loaded',
        ({ code, errno }: { code: string; errno: number }) => [code, errno],
      );
    const outcomes = [await outcome('/fails'), await outcome('/error'), await outcome('/other.html')];
    window.destroy();
    return outcomes;
  });
  expect(outcomes).toEqual([['ERR_UNEXPECTED', -9], ['ERR_FAILED', -2], 'loaded']);
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
    answer: { echo: 'hello', type: 'utility', argv: ['one'], marker: 'm', secret: null, net: 'function' },
    code: 7,
  });
});

test('a utility process that is killed ends with nought, a crash is reported by name, and wrong calls throw', async () => {
  const seen = await app.evaluate(async ({ app: electron, utilityProcess }) => {
    const { thrown, utility } = globalThis.fixture;
    const started = async (serviceName: string) => {
      const child = utilityProcess.fork(utility, [], { serviceName, stdio: 'ignore' });
      await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
      return child;
    };
    const gone = new Promise<{ type: string; reason: string; serviceName?: string; name?: string }>((resolve) =>
      electron.on('child-process-gone', (_event, details) => {
        if (details.name === 'crashing') resolve(details);
      }),
    );
    const killed = await started('killed');
    const ended = new Promise<number>((resolve) => killed.once('exit', resolve));
    const answer = new Promise<unknown>((resolve) => killed.once('message', resolve));
    const uncloneable = thrown(() => killed.postMessage(() => {}));
    killed.postMessage('uncloneable');
    const inChild = await answer;
    const wasThere = killed.kill();
    const code = await ended;
    const crashing = await started('crashing');
    const crashed = new Promise<number>((resolve) => crashing.once('exit', resolve));
    crashing.postMessage('crash');
    const { type, reason, serviceName, name } = await gone;
    return {
      wasThere,
      code,
      after: killed.kill(),
      uncloneable,
      inChild,
      gone: { type, reason, serviceName, name },
      crashed: await crashed,
      empty: thrown(() => utilityProcess.fork('')),
      stdio: [
        thrown(() => utilityProcess.fork(utility, [], { stdio: 'ipc' as 'pipe' })),
        thrown(() => utilityProcess.fork(utility, [], { stdio: ['ignore', 'ignore'] })),
        thrown(() => utilityProcess.fork(utility, [], { stdio: ['pipe', 'inherit', 'inherit'] })),
      ],
    };
  });
  expect(seen).toEqual({
    wasThere: true,
    code: 0,
    after: false,
    uncloneable: expect.stringContaining('An object could not be cloned'),
    inChild: expect.stringContaining('An object could not be cloned'),
    gone: {
      type: 'Utility',
      reason: expect.stringMatching(/^(crashed|abnormal-exit)$/),
      serviceName: 'node.mojom.NodeService',
      name: 'crashing',
    },
    crashed: expect.any(Number),
    empty: 'Missing UtilityProcess entry script.',
    stdio: [
      expect.stringContaining('stdio must be of the following values: inherit, pipe, ignore'),
      expect.stringContaining('configuration missing for stdin, stdout or stderr'),
      expect.stringContaining('stdin value other than ignore is not supported'),
    ],
  });
  expect(seen.crashed).not.toBe(0);
});

test('a started port hands waiting messages over on a later turn; a port is sent once, and not over itself', async () => {
  const seen = await app.evaluate(async ({ MessageChannelMain, utilityProcess }) => {
    const { thrown } = globalThis.fixture;
    const { port1, port2 } = new MessageChannelMain();
    port1.postMessage('early');
    port2.start();
    const heard = await new Promise<unknown>((resolve) => port2.on('message', ({ data }) => resolve(data)));
    const errors = [
      thrown(() => port1.postMessage('', [port1])),
      thrown(() => port1.postMessage('', [port2, port2])),
      thrown(() => port1.postMessage('', [{} as typeof port1])),
      thrown(() => port1.postMessage(() => {})),
    ];
    const other = new MessageChannelMain();
    other.port1.postMessage('waiting');
    port1.postMessage('', [other.port2]);
    const again = thrown(() => port1.postMessage('', [other.port2]));
    const [moved] = await new Promise<(typeof port1)[]>((resolve) =>
      port2.on('message', ({ ports }) => resolve(ports)),
    );
    moved?.start();
    const waited = await new Promise<unknown>((resolve) => moved?.on('message', ({ data }) => resolve(data)));
    const child = utilityProcess.fork(globalThis.fixture.utility, [], { stdio: 'ignore' });
    const far = new MessageChannelMain();
    child.postMessage('', [far.port2]);
    far.port1.postMessage('hello');
    far.port1.start();
    const back = await new Promise<unknown>((resolve) => far.port1.on('message', ({ data }) => resolve(data)));
    child.kill();
    return { heard, errors, again, isAnother: moved !== other.port2, waited, back };
  });
  expect(seen).toEqual({
    heard: 'early',
    errors: [
      expect.stringContaining('Port at index 0 contains the source port.'),
      expect.stringContaining('Port at index 1 is a duplicate.'),
      expect.stringContaining('Port at index 0 is not a valid port'),
      expect.stringContaining('An object could not be cloned'),
    ],
    again: expect.stringContaining('Port at index 0 is already neutered.'),
    isAnother: true,
    waited: 'waiting',
    back: 'through the port: hello',
  });
});

test('main’s own fetch gets a scheme’s address in full, and a bad answer is the network’s error', async () => {
  const seen = await app.evaluate(async ({ net, protocol }) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      throws: () => {
        throw new Error('own words');
      },
      rejects: () => Promise.reject(new Error('own words')),
      status: () => ({ status: [] }),
      text: () => ({ statusText: false }),
      headers: () => ({ headers: false }),
      body: () => ({ body: false }),
      error: () => Response.error(),
    };
    const given = new AbortController();
    let ended: unknown;
    const endless = () => {
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        controller.enqueue(new Uint8Array(10));
        given.abort();
      };
      const cancel = (reason: unknown) => void (ended = (reason as Error).name);
      return new Response(new ReadableStream<Uint8Array>({ pull, cancel }));
    };
    protocol.handle('odd', (request) => {
      const { hostname } = new URL(request.url);
      if (hostname === 'endless') return endless();
      return (answers[hostname]?.() ?? new Response(request.url)) as Response;
    });
    const outcome = async (url: string, signal?: AbortSignal) => {
      try {
        return await (await net.fetch(url, signal && { signal })).text();
      } catch (error) {
        return (error as Error).message;
      }
    };
    const failures: Record<string, string> = {};
    for (const name of Object.keys(answers)) failures[name] = await outcome(`odd://${name}/`);
    const urls = [await outcome('odd://foo'), await outcome('odd:///foo'), await outcome('odd://foo:1234/a?b')];
    const aborted = await outcome('odd://endless/', given.signal);
    for (let turn = 0; ended === undefined && turn < 100; turn += 1) await new Promise((next) => setTimeout(next, 10));
    protocol.unhandle('odd');
    return { failures, urls, aborted, ended, unhandled: await outcome('nobody://x/') };
  });
  const unexpected = expect.stringContaining('net::ERR_UNEXPECTED');
  expect(seen).toEqual({
    failures: {
      throws: unexpected,
      rejects: unexpected,
      status: unexpected,
      text: unexpected,
      headers: unexpected,
      body: unexpected,
      error: expect.stringContaining('net::ERR_FAILED'),
    },
    urls: ['odd://foo/', 'odd://foo/', 'odd://foo/a?b'],
    aborted: expect.stringMatching(/aborted/),
    ended: 'AbortError',
    unhandled: expect.stringContaining('ERR_UNKNOWN_URL_SCHEME'),
  });
});

test('a second start notifies the first one and exits; quitting emits its events in order', async () => {
  const electron = createRequire(import.meta.url)('electron') as unknown as string;
  const options = process.platform === 'linux' ? ['--no-sandbox'] : [];
  const second = spawnSync(electron, [...options, '.', '--second'], {
    cwd: fixtureFolder,
    env: fixture.env,
    timeout: 15_000,
  });
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
